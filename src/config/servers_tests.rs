use super::*;
use crate::domain::{EraChoice, Transport};
use secrecy::ExposeSecret as _;
use std::{fs, time::Duration};

fn read(text: &str) -> ServersFile {
    read_with(text, Path::new("/etc/v/servers.json"), Some("/home/me".into())).unwrap()
}

fn one(entry: &str) -> Result<ServerSpec, String> {
    let mut file = read(&format!("{{\"mcpServers\": {{\"s\": {entry}}}}}"));
    match file.skipped.pop() {
        Some(skipped) => Err(skipped.why),
        None => Ok(file.servers.pop().expect("a server")),
    }
}

fn names(file: &ServersFile) -> Vec<&str> {
    file.servers.iter().map(|s| s.id.as_str()).collect()
}

fn env_of(spec: &ServerSpec) -> Vec<(&str, &str)> {
    let Transport::Stdio { env, .. } = &spec.transport else { panic!("not stdio") };
    env.iter().map(|(n, v)| (n.as_str(), v.expose_secret())).collect()
}

#[test]
fn comments_trailing_commas_a_mark_and_carriage_returns_are_fine() {
    let file = read(
        "\u{feff}// servers\r\n{\r\n  /* mine */ \"mcpServers\": {\r\n    \
         \"web\": {\"url\": \"http://127.0.0.1:9/mcp\"}, // local\r\n    \
         // \"off\": {\"command\": \"x\"},\r\n    \
         \"git\": {\"command\": \"git /* no comment\", \"args\": [\"a // b\",],},\r\n  },\r\n}\r\n",
    );
    assert_eq!(names(&file), ["web", "git"]);
    assert!(file.skipped.is_empty() && file.notes.is_empty(), "{file:?}");
    let Transport::Http { url, .. } = &file.servers[0].transport else { panic!() };
    assert_eq!(url, "http://127.0.0.1:9/mcp");
    let Transport::Stdio { command, args, .. } = &file.servers[1].transport else { panic!() };
    assert_eq!(command, "git /* no comment");
    assert_eq!(args, &["a // b"]);
}

#[test]
fn a_syntax_error_shows_its_line() {
    for (text, line, column) in [
        ("{\r\n  \"mcpServers\": {\r\n    \"a\" {}\r\n  }\r\n}", 3, 9),
        ("{\"mcpServers\": {\"ü\": nope}}", 1, 22),
        ("{\"mcpServers\": {", 1, 16),
        ("{\"mcpServers\": {}} x", 1, 20),
        ("{'mcpServers': {}}", 1, 2),
        ("{mcpServers: {}}", 1, 2),
    ] {
        let error = read_servers(text, Path::new("f.json")).unwrap_err();
        let ConfigError::Syntax { place, .. } = &error else { panic!("{error}") };
        assert_eq!((place.line, place.column), (line, column), "{text}");
        let shown = error.to_string();
        assert!(shown.starts_with(&format!("f.json, line {line}, column {column}: ")), "{shown}");
        assert!(shown.contains(text.lines().nth(line - 1).unwrap().trim()), "{shown}");
    }
}

#[test]
fn a_syntax_error_does_not_show_a_token_or_a_control_character() {
    let text = "{\"mcpServers\": {\"a\": {\"env\": {\"TOKEN\": \"CANARY\"} \x1b[2J oops}}}";
    let shown = read_servers(text, Path::new("f\x07.json")).unwrap_err().to_string();
    assert!(!shown.contains("CANARY"), "{shown}");
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
}

#[test]
fn a_file_of_another_shape_is_an_error_and_an_empty_one_is_not() {
    for text in ["[]", "7", "{\"name\": \"x\"}", "{\"mcpServers\": []}", "{\"servers\": null}"] {
        let error = read_servers(text, Path::new("f.json")).unwrap_err();
        assert!(matches!(error, ConfigError::Shape { .. }), "{text}: {error}");
    }
    for text in ["", " // nothing\n", "{}", "{\"mcpServers\": {}}"] {
        assert!(read(text).servers.is_empty(), "{text}");
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(read_servers(&deep, Path::new("f")), Err(ConfigError::Syntax { .. })));
}

#[test]
fn bad_entries_are_skipped_with_a_reason_and_good_ones_load() {
    let file = read(
        r#"{"mcpServers": {
            "good": {"command": "x"},
            "empty": {}, "null": null, "text": "x",
            "number": {"command": 5},
            "args": {"command": "x", "args": "-y"},
            "url": {"url": "not a url"},
            "ftp": {"url": "ftp://h/"},
            "env": {"env": {"N": 1}},
            "both": {"command": "x", "url": "http://h/"},
            "two": {"url": "http://h/", "uri": "http://h/"},
            "blank": {"command": " "},
            "zero": {"command": "a\u0000b"},
            "arg": {"command": "x", "args": ["a", null]},
            "envlist": {"command": "x", "env": ["A=1"]},
            "envvalue": {"command": "x", "env": {"A": {}}},
            "envname": {"command": "x", "env": {"A=B": "1"}},
            "header": {"url": "http://h/", "headers": {"A B": "1"}},
            "value": {"url": "http://h/", "headers": {"A": "1\r\nB: 2"}},
            "off": {"command": "x", "disabled": "yes"},
            "era": {"command": "x", "protocolEra": "new"},
            "time": {"command": "x", "connectTimeoutSeconds": 0},
            "open": {"command": "x", "permissions": {"resource": []}},
            "open2": {"command": "x", "permissions": {"tools": "*"}},
            "a:b": {"command": "x"}, "": {"command": "x"}, "\u001b[2J": {"command": "x"},
            "last": {"serverUrl": "https://h/mcp"}
        }}"#,
    );
    assert_eq!(names(&file), ["good", "last"]);
    assert_eq!(file.skipped.len(), 26);
    for (name, part) in [
        ("empty", "neither"),
        ("null", "null"),
        ("text", "a string"),
        ("number", "`command` should be a string, it is a number"),
        ("args", "`args` should be a list"),
        ("url", "white space"),
        ("env", "neither"),
        ("both", "both"),
        ("header", "A B"),
        ("open", "`resource`"),
        ("a:b", "U+003A"),
        ("\\u{1b}[2J", "U+001B"),
    ] {
        let skipped = file.skipped.iter().find(|s| s.name == name).expect(name);
        assert!(skipped.why.contains(part), "{skipped:?}");
        assert_eq!(skipped.source, "/etc/v/servers.json");
    }
    let shown = format!("{:?}", file.skipped);
    assert!(!shown.contains("B: 2"), "no value of a header is shown");
}

#[test]
fn the_kind_must_agree_with_the_rest() {
    for (entry, good) in [
        (r#"{"command": "x", "type": "stdio"}"#, true),
        (r#"{"command": "x", "type": "http"}"#, false),
        (r#"{"command": "x", "transport": "sse"}"#, false),
        (r#"{"url": "http://h/", "type": "http"}"#, true),
        (r#"{"url": "http://h/", "type": "streamable-http"}"#, true),
        (r#"{"httpUrl": "http://h/", "type": "streamableHttp"}"#, true),
        (r#"{"uri": "http://h/", "transport": "sse"}"#, true),
        (r#"{"url": "http://h/", "type": "stdio"}"#, false),
        (r#"{"url": "http://h/", "type": "carrier-pigeon"}"#, false),
        (r#"{"url": "http://h/", "type": "http", "transport": "stdio"}"#, false),
        (r#"{"url": "http://h/", "type": 1}"#, false),
    ] {
        assert_eq!(one(entry).is_ok(), good, "{entry}");
    }
}

#[test]
fn values_that_are_not_text_are_taken_as_text_with_a_note() {
    let file = read(
        r#"{"mcpServers": {"s": {"command": "x", "args": ["-p", 8080, 1.50],
            "env": {"Z": 1.0, "B": true, "E": "", "A": "a"}, "cwd": null}}}"#,
    );
    assert_eq!(
        env_of(&file.servers[0]),
        [("Z", "1.0"), ("B", "true"), ("E", ""), ("A", "a")],
        "as written and in order"
    );
    let Transport::Stdio { args, cwd, .. } = &file.servers[0].transport else { panic!() };
    assert_eq!(args, &["-p", "8080", "1.50"]);
    assert_eq!(cwd, &None);
    assert_eq!(file.notes.len(), 5, "{:?}", file.notes);
    assert!(file.notes.iter().all(|n| n.starts_with("/etc/v/servers.json: s: `")));
}

#[test]
fn a_folder_is_taken_from_the_file_or_from_home() {
    for (written, expected) in [
        ("sub/x", Some("/etc/v/sub/x")),
        ("..", Some("/etc/v/..")),
        ("/abs", Some("/abs")),
        ("~", Some("/home/me")),
        ("~/x", Some("/home/me/x")),
        ("~//x", Some("/home/me/x")),
        ("", None),
    ] {
        let spec = one(&format!(r#"{{"command": "x", "cwd": "{written}"}}"#)).unwrap();
        let Transport::Stdio { cwd, .. } = spec.transport else { panic!() };
        assert_eq!(cwd.as_deref(), expected.map(Path::new), "{written}");
    }
    assert!(one(r#"{"command": "x", "cwd": "~root/x"}"#).unwrap_err().contains("~NAME"));
}

#[test]
fn switched_off_in_either_spelling() {
    for (keys, enabled) in [
        ("", true),
        (r#", "disabled": true"#, false),
        (r#", "disabled": false"#, true),
        (r#", "enabled": false"#, false),
        (r#", "enabled": true"#, true),
        (r#", "enabled": true, "disabled": true"#, false),
        (r#", "enabled": false, "disabled": false"#, false),
        (r#", "enabled": false, "disabled": true"#, false),
    ] {
        let spec = one(&format!(r#"{{"command": "x"{keys}}}"#)).unwrap();
        assert_eq!(spec.enabled, enabled, "{keys}");
    }
}

#[test]
fn era_time_and_permissions_are_read() {
    let spec = one(r#"{"url": "http://h/", "protocolEra": "legacy", "connectTimeoutSeconds": 1.5,
            "permissions": {"tools": [], "resources": ["note://*", "!note://x"],
                            "confirm": {"prompts": ["send_*"]}}}"#)
    .unwrap();
    assert_eq!(spec.era, EraChoice::Legacy);
    assert_eq!(spec.connect_timeout, Some(Duration::from_millis(1500)));
    assert_eq!(spec.permissions.tools, Some(vec![]));
    assert_eq!(spec.permissions.prompts, None);
    assert_eq!(spec.permissions.resources.unwrap(), ["note://*", "!note://x"]);
    assert_eq!(spec.permissions.confirm.prompts.unwrap(), ["send_*"]);
    assert_eq!(spec.permissions.confirm.tools, None);
    for bad in [r#"["a"]"#, r#"{"prompt": []}"#, r#"{"tools": "a"}"#] {
        let entry = format!(r#"{{"command": "x", "permissions": {{"confirm": {bad}}}}}"#);
        assert!(one(&entry).is_err_and(|why| why.contains("permissions.confirm")), "{bad}");
    }
    assert!(one(r#"{"command": "x", "connectTimeoutSeconds": 86401}"#).is_err());
    assert!(one(r#"{"command": "x", "connectTimeoutSeconds": 1e999}"#).is_err());
}

#[test]
fn a_variable_that_is_not_set_holds_the_entry_back() {
    for entry in [
        r#"{"command": "${BIN}/x"}"#,
        r#"{"command": "x", "args": ["${BIN}"]}"#,
        r#"{"command": "x", "env": {"A": "a${BIN}b"}}"#,
        r#"{"command": "x", "cwd": "${BIN}"}"#,
        r#"{"url": "http://h/${BIN}"}"#,
        r#"{"url": "http://h/", "headers": {"A": "Bearer ${BIN}"}}"#,
    ] {
        let why = one(entry).unwrap_err();
        assert!(why.contains("variable BIN is not set (used in "), "{why}");
    }
    assert!(one(r#"{"command": "x", "args": ["$BIN", "$", "$1.00"]}"#).is_ok());
}

#[test]
fn unknown_and_repeated_keys_are_noted() {
    let file = read(
        r#"{"$schema": "x", "inputs": [], "mcpServers": {
            "a": {"command": "old"}, "b": {"command": "x", "timeout": 5, "headers": {}},
            "a": {"command": "new", "command": "newer"}, " b": {"command": "y"}}}"#,
    );
    assert_eq!(names(&file), ["b", "a"]);
    let Transport::Stdio { command, .. } = &file.servers[1].transport else { panic!() };
    assert_eq!(command, "newer");
    for part in [
        "`inputs`",
        "`timeout`",
        "`headers` has no meaning",
        "`a` is there twice",
        "a: `command` is there twice",
    ] {
        assert!(file.notes.iter().any(|n| n.contains(part)), "{part}: {:?}", file.notes);
    }
    assert_eq!(file.notes.len(), 5);
    assert_eq!(file.skipped[0].name, " b");
}

#[test]
fn both_spellings_of_the_top_key_are_read() {
    assert_eq!(names(&read(r#"{"servers": {"a": {"type": "stdio", "command": "x"}}}"#)), ["a"]);
    let both = read(
        r#"{"servers": {"b": {"command": "x"}}, "mcpServers": {"a": {"command": "x"}, "b": {}}}"#,
    );
    assert_eq!(names(&both), ["b", "a"]);
    assert_eq!(both.skipped.len(), 1);
}

#[test]
fn two_files_with_one_name_keep_both_apart() {
    let from = |path: &str, text: &str| read_servers(text, Path::new(path)).unwrap();
    let long = "n".repeat(64);
    let all = merge(vec![
        from(
            "/one.json",
            &format!(
                r#"{{"mcpServers": {{"git": {{"command": "a", "env": {{"T": "1"}}}}, "{long}": {{"command": "a"}}}}}}"#
            ),
        ),
        from(
            "/two.json",
            &format!(
                r#"{{"mcpServers": {{"git": {{"command": "b"}}, "{long}": {{"command": "b"}}, "bad": 1}}}}"#
            ),
        ),
        from(
            "/three.json",
            r#"{"mcpServers": {"git": {"command": "c"}, "git-2": {"command": "d"}}}"#,
        ),
    ]);
    let cut = format!("{}-2", "n".repeat(62));
    assert_eq!(names(&all), ["git", &long, "git-3", &cut, "git-4", "git-2"]);
    assert!(env_of(&all.servers[2]).is_empty(), "nothing is inherited");
    assert_eq!(all.skipped.len(), 1);
    assert_eq!(all.notes.len(), 3);
    assert!(all.notes[0].contains("/one.json") && all.notes[0].contains("/two.json"));
}

#[test]
fn a_file_is_read_within_its_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("servers.json");
    assert!(load_servers(&path).unwrap_err().is_missing());
    let text = r#"{"mcpServers": {"a": {"command": "x", "cwd": "here"}}}"#;
    fs::write(&path, text).unwrap();
    let file = load_servers(&path).unwrap();
    let Transport::Stdio { cwd, .. } = &file.servers[0].transport else { panic!() };
    assert_eq!(cwd.as_deref(), Some(folder.path().join("here").as_path()));
    let filled = text.to_owned() + &" ".repeat(MAX_FILE_BYTES - text.len());
    fs::write(&path, &filled).unwrap();
    assert_eq!(load_servers(&path).unwrap().servers.len(), 1);
    fs::write(&path, filled + " ").unwrap();
    assert!(matches!(load_servers(&path), Err(ConfigError::TooLarge { .. })));
    fs::write(&path, b"{\"\xff").unwrap();
    assert!(matches!(load_servers(&path), Err(ConfigError::NotUtf8 { offset: 2, .. })));
}
