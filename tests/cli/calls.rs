//! Calling tools: what is printed, what it ends with, what is sent.

use crate::run::{Ended, Home, finish, keys, quiet};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
};

/// A server of either era with one tool, which answers every call as it is told; it writes each
/// message that it gets into a file, and into a pipe that it was called.
const SERVER: &str = r#"
while IFS= read -r line; do
    printf '%s\n' "$line" >> log
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case $line in
        *'"initialize"'*)
            answer='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
        *'"server/discover"'*)
            answer='"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}' ;;
        *'"tools/list"'*) answer="\"result\":{\"resultType\":\"complete\",\"tools\":[$1]}" ;;
        *'"tools/call"'*) answer=$0; if test -p pipe; then echo called > pipe; fi ;;
        *) continue ;;
    esac
    test -z "$answer" || printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
done
"#;

/// The home of a test, its tool, and how that answers.
struct Desk {
    home: Home,
    tool: String,
    answer: String,
}

impl Desk {
    /// A desk whose tool answers with a result.
    fn answering(result: &Value) -> Self {
        let tool = json!({"name": "t", "inputSchema": {"type": "object", "properties": {
            "text": {"type": "string"}, "n": {"type": "integer", "maximum": 9},
        }}});
        let answer = format!("\"result\":{result}");
        Self { home: Home::new(), tool: tool.to_string(), answer }
    }

    fn command(&self, words: &[&str]) -> Command {
        self.command_in("legacy", words)
    }

    fn command_in(&self, era: &str, words: &[&str]) -> Command {
        let words = [&["call", "--era", era], words];
        let server = ["--", "sh", "-c", SERVER, &self.answer, &self.tool];
        self.home.command(&[&words.concat()[..], &server].concat())
    }

    fn call(&self, words: &[&str]) -> Ended {
        finish(&mut self.command(words))
    }

    /// The messages of a kind that the server got.
    fn got(&self, method: &str) -> Vec<Value> {
        let log = fs::read_to_string(self.home.path("log")).unwrap_or_default();
        let messages = log.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        messages.filter(|message: &Value| message["method"] == method).collect()
    }
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

#[test]
fn a_tool_is_called_with_what_its_schema_makes_of_the_texts() {
    let desk = Desk::answering(&text("done\n"));
    let ended = desk.call(&["t", "text=7", "n=7", "a.b=[1]", "c=7x", "--arg", "-d=null"]);
    assert_eq!((ended.code, ended.text(), ended.err.as_str()), (Some(0), "done\n", ""));
    let calls = desk.got("tools/call");
    assert_eq!(calls.len(), 1);
    let sent = json!({"text": "7", "n": 7, "a.b": [1], "c": "7x", "-d": null});
    assert_eq!(calls[0]["params"]["arguments"], sent);
}

#[test]
fn whole_arguments_come_from_the_line_a_file_or_standard_input() {
    let desk = Desk::answering(&text("done"));
    let given = json!({"text": "", "n": null, "deep": {"list": [1, 2.5]}});
    desk.home.write("given.json", &given.to_string());
    let options = ["t", "--unchecked", "--args"];
    for whole in [given.to_string().as_str(), "@given.json"] {
        let ended = desk.call(&[&options[..], &[whole]].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.err);
    }
    let mut command = desk.command(&[&options[..], &["@-"]].concat());
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(given.to_string().as_bytes()).expect("written");
    drop(input);
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(0));
    let calls = desk.got("tools/call");
    assert_eq!(calls.len(), 3);
    assert!(calls.iter().all(|call| call["params"]["arguments"] == given), "{calls:?}");
}

#[test]
fn arguments_that_cannot_be_understood_end_with_2_and_name_the_place() {
    let desk = Desk::answering(&text("done"));
    desk.home.write("broken.json", "{\"a\":\n oops}");
    fs::write(desk.home.path("bytes.json"), b"{\"a\": \"\xff\"}").expect("written");
    for (words, what) in [
        (&["t", "--args", "@broken.json"][..], "broken.json: this is no JSON: "),
        (&["t", "--args", "@broken.json"], "line 2 column 2"),
        (&["t", "--args", "@bytes.json"], "bytes.json: no UTF-8 from byte 8"),
        (&["t", "--args", "@none.json"], "none.json: No such file"),
        (&["t", "--args", "[1]"], "`--args`: arguments are a JSON object"),
        (&["t", "--args", "@-"], "standard input: this is no JSON"),
        (&["t", "--args", "{}", "n=1"], "cannot be used with"),
        (&["t", "--args", "{}", "--arg", "n=1"], "cannot be used with"),
        (&["t", "n"], "KEY=VALUE"),
        (&["t", "n=1", "n=2"], "`n` is given twice"),
        (&[], "TOOL"),
    ] {
        let ended = desk.call(words);
        assert_eq!((ended.code, ended.out.len()), (Some(2), 0), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(what), "{words:?}: {}", ended.err);
    }
    assert!(desk.got("tools/call").is_empty());
}

#[test]
fn a_tool_that_failed_is_printed_and_ends_with_6() {
    let mut failed = text("no such book");
    failed["isError"] = true.into();
    let desk = Desk::answering(&failed);
    let ended = desk.call(&["t"]);
    assert_eq!((ended.code, ended.text()), (Some(6), "no such book\n"));
    assert_eq!(ended.err, "vestibule: sh: the tool says that it failed\n");
    let ended = desk.call(&["t", "--json"]);
    let shape = json!({"content": ["no such book"], "is_error": true});
    assert_eq!((ended.code, ended.json()), (Some(6), shape));
    assert_eq!(ended.messages()[0]["error"]["code"], "server_error");
}

#[test]
fn an_error_of_the_server_prints_nothing_and_ends_with_6() {
    let mut desk = Desk::answering(&Value::Null);
    desk.answer = r#""error":{"code":-32603,"message":"out of order"}"#.into();
    for options in [&["t"][..], &["t", "--json"]] {
        let ended = desk.call(options);
        assert_eq!((ended.code, ended.out.len()), (Some(6), 0), "{}", ended.err);
        assert!(ended.err.contains("out of order"), "{}", ended.err);
    }
}

#[test]
fn arguments_that_disagree_end_with_7_and_nothing_is_sent() {
    let desk = Desk::answering(&text("done"));
    for (words, what) in [
        (&["t", "n=many"][..], "  /n: write a whole number"),
        (&["t", "n=10"], "  /n: "),
        (&["t", "--args", r#"{"text": 1}"#], "  /text: "),
    ] {
        let ended = desk.call(words);
        assert_eq!((ended.code, ended.out.len()), (Some(7), 0), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(what), "{words:?}: {}", ended.err);
    }
    assert!(desk.got("tools/call").is_empty());
    assert_eq!(desk.call(&["t", "n=10", "--unchecked"]).code, Some(0));
    assert_eq!(desk.got("tools/call").len(), 1);
}

#[test]
fn a_model_call_that_was_never_offered_ends_the_tool_call_with_7() {
    let ask = json!({"method": "sampling/createMessage", "params": {"maxTokens": 5, "messages":
        [{"role": "user", "content": {"type": "text", "text": "think"}}]}});
    let answer = json!({"resultType": "input_required", "inputRequests": {"k": ask},
        "requestState": "x"});
    let desk = Desk::answering(&answer);
    let ended = finish(&mut desk.command_in("modern", &["t"]));
    assert_eq!((ended.code, ended.out.len()), (Some(7), 0), "{}", ended.err);
    assert!(ended.err.contains("sampling/createMessage"), "{}", ended.err);
    assert_eq!(desk.got("tools/call").len(), 1);
}

#[test]
fn names_that_mean_nothing_end_with_5() {
    let desk = Desk::answering(&text("done"));
    for words in [&["no-such"][..], &["sh.no-such", "n=1"], &["t", "--server", "nobody"]] {
        let ended = desk.call(words);
        assert_eq!((ended.code, ended.out.len()), (Some(5), 0), "{words:?}: {}", ended.err);
    }
    assert!(desk.got("tools/call").is_empty());
}

#[test]
fn structured_content_that_breaks_its_promise_fails_a_strict_command() {
    let mut answer = text("about three");
    answer["structuredContent"] = json!({"n": "three"});
    let mut desk = Desk::answering(&answer);
    desk.tool = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema":
        {"type": "object", "properties": {"n": {"type": "integer"}}}})
    .to_string();
    let (lax, strict) = (desk.call(&["t"]), desk.call(&["t", "--strict"]));
    assert_eq!((lax.code, strict.code), (Some(0), Some(7)));
    let out = "about three\n== structured content\n{\"n\":\"three\"}\n";
    assert_eq!((lax.text(), strict.text()), (out, out));
    assert!(lax.err.contains("does not agree") && lax.err.contains("\n  /n: "), "{}", lax.err);
}

/// A desk whose tool never answers, and that tells when it was called.
fn never() -> Desk {
    let mut desk = Desk::answering(&Value::Null);
    desk.answer = String::new();
    let pipe = desk.home.path("pipe");
    assert!(Command::new("mkfifo").arg(pipe).status().expect("mkfifo").success());
    desk
}

#[test]
fn a_call_that_takes_too_long_ends_with_4() {
    let desk = never();
    let pipe = desk.home.path("pipe");
    let called = std::thread::spawn(move || fs::read_to_string(pipe));
    let ended = desk.call(&["t", "--timeout", "1.5"]);
    assert_eq!((ended.code, ended.out.len()), (Some(4), 0), "{}", ended.err);
    assert!(ended.err.contains("1.5 s"), "{}", ended.err);
    assert_eq!(called.join().expect("joined").expect("read"), "called\n");
    assert_eq!(desk.got("notifications/cancelled").len(), 1);
}

#[test]
fn an_interrupted_call_tells_the_server() {
    let desk = never();
    let child = desk.command(&["t"]).spawn().expect("the program starts");
    assert_eq!(fs::read_to_string(desk.home.path("pipe")).expect("called"), "called\n");
    let id = Pid::from_raw(child.id().cast_signed()).expect("an id");
    kill_process(id, Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
    let (calls, ends) = (desk.got("tools/call"), desk.got("notifications/cancelled"));
    assert_eq!((calls.len(), ends.len()), (1, 1));
    assert_eq!(ends[0]["params"]["requestId"], calls[0]["id"]);
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let desk = Desk::answering(&text(&"line\n".repeat(100_000).as_str()[..100_000]));
    let mut command = desk.command(&["t"]);
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""));
}

#[test]
fn the_built_in_tools_can_be_called() {
    let words = ["call", "search_catalogue", "query=tide", "--demo"];
    let plain = quiet(&words);
    assert!(plain.text().contains("Tide") || plain.text().contains("tide"), "{}", plain.text());
    let whole =
        quiet(&["call", "library.search_catalogue", "--demo", "--args={\"query\":\"tide\"}"]);
    assert!(plain.out == whole.out);
    let json = quiet(&[&words[..], &["--json"]].concat()).json();
    assert_eq!(json["is_error"], false);
    assert!(json["content"].is_array());
    let failed = Home::new().run(&["call", "reserve_book", "id=999", "--demo"]);
    assert_eq!((failed.code, failed.out.is_empty()), (Some(6), false), "{}", failed.err);
}

#[test]
fn rows_of_tools_have_both_schemas() {
    let rows = quiet(&["tools", "--demo", "--json"]).json();
    let row = &rows[0];
    assert_eq!(keys(row)[..4], ["name", "server", "description", "input_schema"]);
    assert!(row["input_schema"].is_object() && row["annotations"].is_object());
    let desk = Desk::answering(&text(""));
    let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "x": 1}});
    let server = ["--", "sh", "-c", SERVER, "", &tool.to_string()];
    let rows =
        desk.home.run(&[&["tools", "--json", "--era", "legacy"][..], &server].concat()).json();
    assert_eq!(rows[0]["output_schema"], json!({"type": "object", "x": 1}));
}

#[test]
fn a_call_that_wants_a_yes_gets_it_with_an_option() {
    let home = Home::new();
    let entry = json!({"mcpServers": {"town": {
        "command": env!("CARGO_BIN_EXE_vestibule"), "args": ["demo", "--stdio"],
        "permissions": {"confirm": {"tools": ["*"]}},
    }}});
    home.write("town.json", &entry.to_string());
    let words = ["call", "search_catalogue", "query=tide", "--config", "town.json"];
    let ended = home.run(&words);
    assert_eq!((ended.code, ended.out.len()), (Some(7), 0), "{}", ended.err);
    assert!(ended.err.contains("`--yes` says yes"), "{}", ended.err);
    assert_eq!(home.run(&[&words[..], &["--yes"]].concat()).code, Some(0));
}

#[test]
fn items_that_cannot_be_read_fail_a_strict_list() {
    let desk = Desk::answering(&text(""));
    let tools = r#"{"name":"t","inputSchema":{"type":"object"}},{"name":7}"#;
    let list = |options: &[&str]| {
        let words = [&["tools", "--era", "legacy"], options].concat();
        desk.home.run(&[&words[..], &["--", "sh", "-c", SERVER, "", tools]].concat())
    };
    let (lax, strict) = (list(&[]), list(&["--strict"]));
    assert_eq!((lax.code, strict.code), (Some(0), Some(7)));
    assert!(!lax.out.is_empty() && lax.out == strict.out);
    assert!(lax.err.contains("1 of its tools could not be read"), "{}", lax.err);
}
