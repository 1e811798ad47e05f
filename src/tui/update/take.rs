//! Taking away what is on screen: to the terminal's clipboard, or to a file.

use super::servers::tell;
use crate::content::export::safe_name;
use crate::content::{encode, human_size};
use crate::domain::{RenderedPrompt, UntrustedText};
use crate::tui::clipboard::{LONGEST, Road};
use crate::tui::effect::Effect;
use crate::tui::state::preview::{Outcome, Showing};
use crate::tui::state::save::Save;
use crate::tui::state::sent::{Answer, Body, Sent};
use crate::tui::state::{ItemKey, Kind, State, details};
use crate::tui::theme::Role;
use std::sync::Arc;

/// What can be taken: what it is in our words, the thing, and a name for a file of it.
struct Taken {
    what: String,
    body: Body,
    name: String,
}

/// There are details only.
const NOT_OPENED: &str = "nothing of it has been opened yet";

/// What is on screen, if that can be taken away; else why not.
fn shown(state: &State) -> Result<Taken, &'static str> {
    let preview = &state.preview;
    match preview.showing {
        Showing::Details => Err(NOT_OPENED),
        Showing::Noise => match &preview.noise_text {
            Some(text) if !text.is_empty() => {
                let server = preview.noise.as_ref().map(|(server, _)| server.to_string());
                let name = format!("{}-output.log", server.unwrap_or_default());
                Ok(Taken { what: "the output".into(), body: Body::Words(text.clone()), name })
            }
            Some(_) | None => Err("it wrote nothing that could be taken"),
        },
        Showing::Traffic => {
            let traffic = preview.traffic.as_ref();
            let (traffic, message) = traffic
                .and_then(|t| Some((t, t.current()?)))
                .ok_or("there is no message that could be taken")?;
            let what = format!("message {}", message.number);
            let name = format!("{}-message-{}.json", traffic.server, message.number);
            Ok(Taken { what, body: Body::words(message.text.raw()), name })
        }
        Showing::Content => match preview.current().map(|opened| (&opened.key, &opened.outcome)) {
            Some((key, Outcome::Done(page))) => {
                let sent = page.sent().ok_or("there is nothing in it")?;
                content(key, sent, preview.place().part)
            }
            Some((_, Outcome::Running { .. })) => Err("it has not come yet"),
            Some((_, Outcome::Failed(_))) | None => Err("nothing came that could be taken"),
        },
    }
}

fn content(key: &ItemKey, sent: &Sent, part: usize) -> Result<Taken, &'static str> {
    match sent {
        Sent::Prompt(prompt) => Ok(rendered(key, prompt)),
        Sent::Tool(answer) => Ok(answered(key, answer, part)),
        Sent::Resource(blocks) => {
            let (block, n, count) =
                Sent::block_at(blocks, part).ok_or("the server sent no blocks")?;
            let what = match &block.body {
                _ if count > 1 => format!("block {n} of {count}"),
                Body::Bytes(_) => "the bytes".into(),
                Body::Text(_) | Body::Words(_) | Body::Prompt(_) | Body::Tool(_) => {
                    "the text".into()
                }
            };
            let uri = block.uri.as_ref().unwrap_or(&key.name);
            let name = safe_name(uri.raw(), block.mime_type.as_ref().map(UntrustedText::raw));
            Ok(Taken { what, body: block.body.clone(), name })
        }
    }
}

fn rendered(key: &ItemKey, prompt: &Arc<RenderedPrompt>) -> Taken {
    let name = format!("{}.txt", safe_name(key.name.raw(), None));
    Taken { what: "the rendered prompt".into(), body: Body::Prompt(prompt.clone()), name }
}

/// A block of bytes with which the window begins, or that is all there is; else the whole answer.
fn answered(key: &ItemKey, answer: &Arc<Answer>, part: usize) -> Taken {
    let only = (answer.result.content.len() == 1).then(|| answer.media.first()).flatten();
    let name = safe_name(key.name.raw(), None);
    match answer.media.iter().find(|block| block.part == part).or(only) {
        Some(block) => {
            let of = block.uri.as_ref().unwrap_or(&key.name);
            let name = safe_name(of.raw(), block.mime_type.as_ref().map(UntrustedText::raw));
            Taken { what: "the bytes".into(), body: block.body.clone(), name }
        }
        None => {
            // As text it would lose what is no text.
            let is_text = answer.result.structured.is_none() && answer.media.is_empty();
            let ending = if is_text { "txt" } else { "json" };
            let body = Body::Tool(answer.clone());
            Taken { what: "the answer".into(), body, name: format!("{name}.{ending}") }
        }
    }
}

/// Copies what is on screen: the text itself, or of details the address.
pub(super) fn copy(state: &mut State) -> Vec<Effect> {
    if state.preview.showing == Showing::Details {
        return copy_address(state, false);
    }
    match shown(state) {
        Ok(Taken { what, body, .. }) => match body.text_len() {
            Some(length) => send(state, &what, length, || body.text().unwrap_or_default()),
            None => no(state, "these are bytes: s saves them, and : can copy them as base64"),
        },
        Err(why) => no(state, why),
    }
}

/// Copies the address with its server; of a tool's answer, its JSON.
pub(super) fn copy_more(state: &mut State) -> Vec<Effect> {
    match sent(state) {
        Some(Sent::Tool(_)) => copy_json(state),
        Some(Sent::Resource(_) | Sent::Prompt(_)) | None => copy_address(state, true),
    }
}

/// Copies the address of the item on screen, bare or with its server.
pub(super) fn copy_address(state: &mut State, qualified: bool) -> Vec<Effect> {
    match state.preview.subject.as_ref().map(|key| address(state, key, qualified)) {
        Some(Some(address)) => {
            let text = address.into_raw();
            let what = if qualified { "its address with the server" } else { "its address" };
            send(state, what, text.len(), || text)
        }
        Some(None) | None => no(state, "nothing is selected that has an address"),
    }
}

fn address(state: &State, key: &ItemKey, qualified: bool) -> Option<UntrustedText> {
    let catalogue = &state.view.catalogue;
    let row = match key.kind {
        Kind::Server => return Some(key.server.as_str().to_owned().into()),
        Kind::Malformed(..) => return None,
        Kind::Resource => details::row(&catalogue.resources, key).map(|r| r.qualified()),
        Kind::Template => details::row(&catalogue.templates, key).map(|r| r.qualified()),
        Kind::Prompt => details::row(&catalogue.prompts, key).map(|r| r.qualified()),
        Kind::Tool => details::row(&catalogue.tools, key).map(|r| r.qualified()),
    };
    if qualified { row } else { Some(key.name.clone()) }
}

/// Copies what was opened as the protocol's JSON.
pub(super) fn copy_json(state: &mut State) -> Vec<Effect> {
    match sent(state).map(|sent| sent.json()) {
        Some(json) => send(state, "its JSON", json.len(), || json),
        None => no(state, "nothing of it has been opened that has JSON"),
    }
}

/// Copies bytes as base64.
pub(super) fn copy_base64(state: &mut State) -> Vec<Effect> {
    match shown(state) {
        Ok(Taken { body: Body::Bytes(bytes), .. }) => {
            send(state, "its base64", bytes.len().div_ceil(3) * 4, || encode(&bytes))
        }
        Ok(_) => no(state, "this is text: y copies it"),
        Err(why) => no(state, why),
    }
}

/// What was opened of the item on screen, as it was sent.
pub(super) fn sent(state: &State) -> Option<&Sent> {
    match (state.preview.showing, &state.preview.current()?.outcome) {
        (Showing::Content, Outcome::Done(page)) => page.sent(),
        (Showing::Content | Showing::Details | Showing::Noise | Showing::Traffic, _) => None,
    }
}

/// Why nothing could be copied now.
pub(super) fn why_no_copy(state: &State) -> Option<String> {
    match shown(state) {
        _ if state.preview.showing == Showing::Details => why_no_address(state),
        Ok(Taken { body: Body::Bytes(_), .. }) => Some("these are bytes".into()),
        Ok(_) => None,
        Err(why) => Some(why.into()),
    }
}

/// Why no address could be copied now.
pub(super) fn why_no_address(state: &State) -> Option<String> {
    let key = state.preview.subject.as_ref();
    let found = key.and_then(|key| address(state, key, true));
    found.is_none().then(|| "nothing is selected that has an address".into())
}

/// Why no JSON could be copied now.
pub(super) fn why_no_json(state: &State) -> Option<String> {
    sent(state).is_none().then(|| NOT_OPENED.into())
}

/// Why no base64 could be copied now.
pub(super) fn why_no_base64(state: &State) -> Option<String> {
    match shown(state) {
        Ok(Taken { body: Body::Bytes(_), .. }) => None,
        Ok(_) => Some("these are no bytes".into()),
        Err(why) => Some(why.into()),
    }
}

/// Why nothing could be saved now.
pub(super) fn why_no_file(state: &State) -> Option<String> {
    shown(state).err().map(Into::into)
}

fn send(
    state: &mut State,
    what: &str,
    length: usize,
    text: impl FnOnce() -> String,
) -> Vec<Effect> {
    if length > LONGEST {
        let (length, most) = (size(length), size(LONGEST));
        let text = format!("{what}: {length} are more than terminals take ({most}); s saves it");
        return no(state, text);
    }
    vec![Effect::Copy { what: what.to_owned(), text: text() }]
}

/// The sequence for the terminal has been written. Whether it heeds it is not known.
pub(super) fn copied(state: &mut State, what: &str, length: usize, road: Road) {
    let (size, needs) = (size(length), road.needs());
    tell(state, format!("{what}: sent to the terminal's clipboard (OSC 52), {size}{needs}"));
}

fn size(bytes: usize) -> String {
    human_size(u64::try_from(bytes).unwrap_or(u64::MAX))
}

fn no(state: &mut State, why: impl Into<String>) -> Vec<Effect> {
    state.notices.add(state.now, Role::Warn, why);
    Vec::new()
}

/// Opens the field for the name of a file.
pub(super) fn save(state: &mut State) -> Vec<Effect> {
    match shown(state) {
        Ok(Taken { what, body, name }) => {
            state.save = Some(Save::new(what, body, &name));
            Vec::new()
        }
        Err(why) => no(state, why),
    }
}
