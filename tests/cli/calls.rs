//! Calling tools: what is printed, and what each way to fail ends with.

use crate::run::{Ended, Home, finish, quiet};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::{fs, process::Stdio};

/// A server of the older era with tools. It answers a call with `$0`, a result or an error, and
/// keeps it in the file `$1`. It never answers `hold`.
const SERVER: &str = r#"
tools='{"tools":[
{"name":"n","inputSchema":{"type":"object","required":["count"],"properties":{
"count":{"type":"integer","minimum":1},"word":{"type":"string"},"maybe":{"type":["integer","null"]}}},
"outputSchema":{"type":"object","required":["total"],"properties":{"total":{"type":"integer"}}}},
{"name":"hold","inputSchema":{"type":"object"}},
{"inputSchema":7}]}'
tools=$(printf '%s' "$tools" | tr -d '\n')
while IFS= read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case $line in
        *'"initialize"'*)
            answer='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
        *'"tools/list"'*) answer="\"result\":$tools" ;;
        *'"tools/call"'*'"hold"'*) echo called > "$1"; continue ;;
        *'"tools/call"'*) printf '%s\n' "$line" >> "$1"; answer=$0 ;;
        *'notifications/cancelled'*) echo cancelled > "$1.end"; continue ;;
        *) continue ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
done
"#;

/// A command over that server, and what of calls has come to it.
fn call(words: &[&str], answer: &Value) -> (Ended, Vec<Value>) {
    let home = Home::new();
    let log = home.path("log");
    let answer = answer.to_string();
    let inner = answer.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let answer = inner.expect("an object");
    let log_name = log.display().to_string();
    let server = ["--era", "legacy", "--", "sh", "-c", SERVER, answer, &log_name];
    let ended = home.run(&[words, &server].concat());
    let log = fs::read_to_string(log).unwrap_or_default();
    let calls = log.lines().filter_map(|line| serde_json::from_str(line).ok());
    (ended, calls.collect())
}

fn good() -> Value {
    json!({"result": {"content": [{"type": "text", "text": "done"}], "structuredContent": {"total": 3}}})
}

#[test]
fn pairs_are_sent_as_the_schema_wants_them_and_objects_as_they_are() {
    let (ended, log) = call(&["call", "n", "count=7", "word=7", "maybe=null", "new=[1]"], &good());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert_eq!(ended.text(), "done\n\nstructured:\n{\"total\":3}\n");
    let sent = json!({"count": 7, "word": "7", "maybe": null, "new": [1]});
    assert_eq!((log.len(), &log[0]["params"]["arguments"]), (1, &sent));
    let (ended, log) = call(&["call", "n", "--args", r#"{"count": 1}"#, "--json"], &good());
    assert_eq!(
        ended.json(),
        json!({"content": ["done"], "structured": {"total": 3}, "is_error": false})
    );
    assert_eq!(log[0]["params"]["arguments"], json!({"count": 1}));
}

#[test]
fn each_way_to_fail_has_its_code_and_only_a_tool_s_own_failure_prints() {
    let failed =
        json!({"result": {"content": [{"type": "text", "text": "no ink"}], "isError": true}});
    let (ended, _) = call(&["call", "n", "count=1"], &failed);
    assert_eq!((ended.code, ended.text()), (Some(6), "no ink\n"));
    assert!(ended.err.contains("says that it failed"), "{}", ended.err);
    let error = json!({"error": {"code": -32603, "message": "broken"}});
    for (words, code, what) in [
        (&["call", "n", "count=1"][..], 6, "broken"),
        (&["call", "no_such"], 5, "no tool is listed"),
        (&["call", "n", "count=x"], 7, "/count: write a whole number"),
        (&["call", "n", "count=0"], 7, "/count: must be at least 1"),
        (&["call", "n"], 7, "/count: must be there"),
        (&["call", "n", "--args", "[]"], 2, "should be a JSON object"),
        (&["call", "n", "--args", "@none.json"], 2, "`none.json` cannot be read"),
        (&["call", "n", "--args", "{}", "count=1"], 2, "cannot be used with"),
        (&["call", "hold", "--timeout", "1"], 4, "1 s"),
    ] {
        let (ended, log) = call(words, &error);
        assert_eq!((ended.code, ended.out.len()), (Some(code), 0), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(what), "{words:?}: {}", ended.err);
        assert_eq!(log.len(), usize::from(code == 6), "{words:?} sent something");
    }
    let (ended, log) = call(&["call", "n", "--unchecked"], &good());
    assert_eq!((ended.code, log.len()), (Some(0), 1), "{}", ended.err);
}

#[test]
fn what_an_output_schema_promises_is_held_to_it() {
    let odd = json!({"result": {"content": [], "structuredContent": {"total": "3"}}});
    let (lax, _) = call(&["call", "n", "count=1"], &odd);
    assert_eq!((lax.code, lax.text()), (Some(0), "{\"total\":\"3\"}\n"));
    assert!(lax.err.contains("/total: must be a whole number"), "{}", lax.err);
    let (strict, _) = call(&["call", "n", "count=1", "--strict"], &odd);
    assert_eq!((strict.code, strict.out == lax.out), (Some(7), true));
}

#[test]
fn a_list_of_tools_has_both_schemas_and_strict_counts_what_could_not_be_read() {
    let (ended, _) = call(&["tools", "--json"], &good());
    let rows = ended.json();
    assert_eq!((ended.code, rows.as_array().map(Vec::len)), (Some(0), Some(2)));
    assert_eq!(rows[0]["output_schema"]["required"], json!(["total"]));
    assert!(rows[1].get("output_schema").is_none());
    assert!(ended.err.contains("could not be read"), "{}", ended.err);
    assert_eq!(call(&["tools", "--strict"], &good()).0.code, Some(7));
}

#[test]
fn arguments_come_from_a_file_or_standard_input() {
    let home = Home::new();
    let path = home.write("arguments.json", r#"{"query": "tide"}"#);
    let words = ["call", "search_catalogue", "--demo", "--args"];
    let from_file = home.run(&[&words[..], &["@arguments.json"]].concat());
    assert_eq!((from_file.code, from_file.err.as_str()), (Some(0), ""));
    let mut command = home.command(&[&words[..], &["@-"]].concat());
    let from_input = finish(command.stdin(fs::File::open(path).expect("a file")));
    assert!(!from_file.out.is_empty() && from_file.out == from_input.out);
    assert_eq!(quiet(&["call", "search_catalogue", "query=tide", "--demo"]).out, from_file.out);
}

#[test]
fn an_interrupted_call_is_cancelled_and_the_server_is_told() {
    let home = Home::new();
    let log = home.path("log");
    assert!(std::process::Command::new("mkfifo").arg(&log).status().expect("mkfifo").success());
    let name = log.display().to_string();
    let words = ["call", "hold", "--era", "legacy", "--", "sh", "-c", SERVER, "", &name];
    let child = home.command(&words).stdout(Stdio::piped()).spawn().expect("the program starts");
    assert_eq!(fs::read_to_string(&log).expect("a call"), "called\n");
    kill_process(Pid::from_raw(child.id().cast_signed()).expect("an id"), Signal::INT)
        .expect("it runs");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
    assert_eq!(fs::read_to_string(home.path("log.end")).expect("told"), "cancelled\n");
}

#[test]
fn a_closed_pipe_is_quiet() {
    let home = Home::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = home.command(&["call", "search_catalogue", "query=tide", "--demo"]);
    let child = command.stdout(writer).spawn().expect("the program starts");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
