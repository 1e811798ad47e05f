//! `vestibule prompt NAME KEY=VALUE…`: one rendered prompt. It goes nowhere but to the output.

use super::{
    Options, Reporter,
    blocks::{MessageBlocks, write_line, write_message_block},
    json,
    outcome::Stop,
};
use crate::{
    domain::{Content, FaultKind, RenderedPrompt, UntrustedText},
    registry::Rendering,
};
use serde::{Serialize, Serializer};
use std::io::Write;

/// A rendered prompt under `--json`.
#[derive(Serialize)]
struct PromptJson<'a> {
    description: Option<&'a UntrustedText>,
    messages: Messages<'a>,
}

struct Messages<'a>(&'a RenderedPrompt);

#[derive(Serialize)]
struct MessageJson<'a> {
    role: &'a str,
    content: MessageBlocks<'a>,
}

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.messages.iter().map(|message| MessageJson {
            role: message.role.wire(),
            content: MessageBlocks(&message.content),
        }))
    }
}

/// Writes the prompt, with notes on what is odd about it.
pub(super) fn present(
    rendering: &Rendering,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<(), Stop> {
    let prompt = &rendering.prompt;
    if options.json {
        let description = prompt.description.as_ref();
        let value = PromptJson { description, messages: Messages(prompt) };
        json::write(out, &value, options.terminal)?;
    } else {
        plain(prompt, out)?;
    }
    if prompt.messages.is_empty() {
        reporter.remark(&rendering.server, FaultKind::Protocol, "the prompt has no messages");
    }
    let blocks = prompt.messages.iter().flat_map(|message| &message.content);
    let unknown = blocks.filter(|block| matches!(block, Content::Unsupported { .. })).count();
    if unknown > 0 {
        let what = format!("{unknown} blocks could not be understood and are shown as their JSON");
        reporter.remark(&rendering.server, FaultKind::Protocol, what);
    }
    Ok(())
}

/// For a person: each message under the name of who speaks, a blank line between two.
fn plain(prompt: &RenderedPrompt, out: &mut dyn Write) -> Result<(), Stop> {
    for (n, message) in prompt.messages.iter().enumerate() {
        if n > 0 {
            out.write_all(b"\n")?;
        }
        write_line(out, &format!("{}:", message.role.wire()))?;
        for block in &message.content {
            write_message_block(out, block)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Message, ServerId};
    use serde_json::{Value, json};
    use std::time::Duration;

    fn run(messages: Value, options: &Options) -> (String, String) {
        let messages: Vec<Message> = serde_json::from_value(messages).expect("messages");
        let rendering = Rendering {
            server: ServerId::sanitized("s"),
            name: "n".into(),
            prompt: RenderedPrompt { description: Some("d".into()), messages },
            took: Duration::ZERO,
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        present(&rendering, options, &mut out, &mut Reporter::new(&mut err, false)).expect("ok");
        (String::from_utf8(out).expect("UTF-8"), String::from_utf8(err).expect("UTF-8"))
    }

    fn conversation() -> Value {
        json!([
            {"role": "user", "content": {"type": "text", "text": "look\u{1b}[2J"}},
            {"role": "assistant", "content": [
                {"type": "image", "data": "AAAA", "mimeType": "image/png"},
                {"type": "hologram"},
            ]},
        ])
    }

    #[test]
    fn json_has_description_and_messages_in_their_short_form() {
        let (out, err) = run(conversation(), &Options { json: true, ..Options::default() });
        let value: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(
            value,
            json!({"description": "d", "messages": [
                {"role": "user", "content": "look\u{1b}[2J"},
                {"role": "assistant", "content":
                    ["[image: image/png, 3 bytes]", {"type": "hologram"}]},
            ]})
        );
        assert!(!out.contains('\u{1b}'), "{out}");
        assert!(err.contains("1 blocks could not be understood"), "{err}");
    }

    #[test]
    fn a_person_reads_who_speaks_and_nothing_acts() {
        let (out, _) = run(conversation(), &Options::default());
        assert!(out.starts_with("user:\nlook"), "{out}");
        assert!(out.contains("\n\nassistant:\n[image: image/png, 3 bytes]\n"), "{out}");
        assert!(!out.contains('\u{1b}'), "{out}");
    }

    #[test]
    fn no_messages_are_an_empty_list_and_a_note() {
        let (out, err) = run(json!([]), &Options { json: true, ..Options::default() });
        assert_eq!(out, "{\"description\":\"d\",\"messages\":[]}\n");
        assert_eq!(err, "vestibule: s: the prompt has no messages\n");
    }
}
