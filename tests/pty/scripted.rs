//! A server that answers from a table, in nothing but a shell.

use serde_json::{Value, json};
use std::path::Path;

/// Answers every request with the file of its method: `resources/list` with `resources_list`. A
/// method without one, or a URI that says so, gets the error in `error`.
const SCRIPT: &str = r#"
cd "$1" || exit 1
cat stderr >&2
while IFS= read -r line; do
    case $line in *'"id":'*) ;; *) continue ;; esac
    id=${line##*'"id":'} id=${id%%[,\}]*}
    method=${line##*'"method":"'} method=${method%%'"'*}
    file=$(printf '%s' "$method" | tr / _)
    kind=result
    case $line in
    *'"method":"resources/read"'*never-answered*) continue ;;
    *'"method":"resources/read"'*refused*) file= ;;
    esac
    [ -f "$file" ] || kind=error file=error
    printf '{"jsonrpc":"2.0","id":%s,"%s":%s}\n' "$id" "$kind" "$(cat "$file")"
done
"#;

/// What comes after the script in a server that does not want to end: not at the end of its input,
/// and not when it is asked to.
const STUBBORN: &str = r#"while :; do sleep "$2"; done"#;

/// The entry of a server with these answers, kept as files in this folder, as the script is: in
/// an entry, its variables would be taken for ours.
pub fn server(folder: &Path, answers: &[(&str, Value)], stderr: &str) -> Value {
    write(folder, SCRIPT, answers, stderr);
    json!({ "command": "sh", "args": [folder.join("script"), folder] })
}

/// The same, of one that has to be killed, and sleeps for this long again and again until then.
pub fn stubborn(folder: &Path, answers: &[(&str, Value)], length: &str) -> Value {
    write(folder, &format!("trap '' TERM HUP INT\n{SCRIPT}\n{STUBBORN}"), answers, "");
    json!({ "command": "sh", "args": [folder.join("script"), folder, length] })
}

fn write(folder: &Path, script: &str, answers: &[(&str, Value)], stderr: &str) {
    for (method, answer) in answers {
        std::fs::write(folder.join(method.replace('/', "_")), answer.to_string()).unwrap();
    }
    std::fs::write(folder.join("stderr"), stderr).unwrap();
    std::fs::write(folder.join("script"), script).unwrap();
}
