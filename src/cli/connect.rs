//! Which servers a command line means.

use super::{Arguments, Common};
use crate::{
    config::{
        ConfigError, ServersFile, Skipped, from_command, from_url, load_servers, merge,
        parse_header, root_from,
    },
    content::reveal_line,
    domain::{Fault, FaultKind, ServerSpec},
};
use std::time::Duration;

/// The servers of a session, and what there is to say about where they came from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The servers, in the order of configuration.
    pub servers: Vec<ServerSpec>,
    /// Entries that were skipped or read differently from how they are written.
    pub notices: Vec<Fault>,
    /// Whether the embedded servers are there because nothing was configured.
    pub is_demo: bool,
}

/// Brings together what the command line names, else the user's own file, else, for the screen
/// only, the demo.
///
/// `own` reads the user's own file and is called only when it is needed; nothing is ever read
/// from the current folder unless it is named. `demo` are the embedded servers.
///
/// # Errors
/// [`FaultKind::Usage`] when a file cannot be read, or a command has no server at all;
/// [`FaultKind::NotFound`] when `--server` names none.
pub fn sources(
    arguments: &Arguments,
    own: impl FnOnce() -> Result<ServersFile, ConfigError>,
    demo: Vec<ServerSpec>,
) -> Result<Sources, Fault> {
    let common = &arguments.common;
    if common.url.is_empty() && !common.headers.is_empty() {
        let what = "`--header` needs a `--url` that it is for";
        return Err(Fault::new(FaultKind::Usage, what)
            .hint("headers of servers in a file stand in their entries, under `headers`"));
    }
    let mut found = Sources::default();
    let mut demo = Some(demo);
    let mut files = Vec::new();
    if arguments.names_servers() {
        for path in &common.config {
            files.push(load_servers(path).map_err(|error| error.fault())?);
        }
        if common.demo {
            files.extend(demo.take().into_iter().flatten().map(ServersFile::from));
        }
        files.extend(addressed(common)?.into_iter().map(ServersFile::from));
        if let Some(words) = &arguments.server_command {
            files.push(from_command(words).map_err(|error| error.fault())?.into());
        }
    } else {
        match own() {
            Ok(file) => files.push(file),
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(error.fault()),
        }
        let nothing = files.iter().all(|f| f.servers.is_empty() && f.skipped.is_empty());
        if nothing && arguments.command.is_none() {
            found.is_demo = true;
            files.extend(demo.take().into_iter().flatten().map(ServersFile::from));
        }
    }
    let all = merge(files);
    if let Some(name) = &common.server
        && let Some(entry) = all.skipped.iter().find(|entry| entry.name == name.trim())
        && !all.servers.iter().any(|spec| spec.id.as_str() == name.trim())
    {
        return Err(Fault::new(FaultKind::Usage, skipped(entry)));
    }
    found.notices = notices(&all);
    found.servers = apply(all.servers, common)?;
    Ok(found)
}

/// The servers of `--url`, each with all of `--header`.
fn addressed(common: &Common) -> Result<Vec<ServerSpec>, Fault> {
    let headers = common.headers.iter().map(|header| parse_header(header));
    let headers = headers.collect::<Result<Vec<_>, _>>().map_err(|error| error.fault())?;
    let server = |url: &String| from_url(url, headers.clone()).map_err(|error| error.fault());
    common.url.iter().map(server).collect()
}

fn skipped(entry: &Skipped) -> String {
    format!("{}: the entry `{}` is skipped: {}", entry.source, entry.name, entry.why)
}

fn notices(file: &ServersFile) -> Vec<Fault> {
    file.skipped
        .iter()
        .map(skipped)
        .chain(file.notes.iter().cloned())
        .map(|what| Fault::new(FaultKind::Usage, what))
        .collect()
}

/// Applies `--era`, `--root` and `--server`.
fn apply(mut specs: Vec<ServerSpec>, common: &Common) -> Result<Vec<ServerSpec>, Fault> {
    if let Some(era) = common.era {
        for spec in &mut specs {
            spec.era = era.into();
        }
    }
    let roots = common.roots.iter().map(|root| root_from(root).map_err(|error| error.fault()));
    let roots = roots.collect::<Result<Vec<_>, _>>()?;
    for spec in &mut specs {
        for root in &roots {
            if !spec.roots.iter().any(|known| known.uri == root.uri) {
                spec.roots.push(root.clone());
            }
        }
    }
    match &common.server {
        Some(name) if !specs.is_empty() => only(specs, name),
        Some(_) | None => Ok(specs),
    }
}

/// Keeps the one server named, so that no other is started. Naming a server that is switched off
/// switches it on for this run.
fn only(specs: Vec<ServerSpec>, name: &str) -> Result<Vec<ServerSpec>, Fault> {
    let names: Vec<String> = specs.iter().map(|spec| spec.id.to_string()).collect();
    match specs.into_iter().find(|spec| spec.id.as_str() == name.trim()) {
        Some(mut spec) => {
            spec.enabled = true;
            Ok(vec![spec])
        }
        None => Err(unknown_server(name, &names)),
    }
}

/// The fault of a server's name that nobody has.
pub(super) fn unknown_server(name: &str, known: &[String]) -> Fault {
    let fault = Fault::new(
        FaultKind::NotFound,
        format!("no server is named `{}`", reveal_line(name).plain()),
    );
    if known.is_empty() { fault } else { fault.hint(format!("there are: {}", known.join(", "))) }
}

/// The fault of a command without any server.
pub fn nothing_configured() -> Fault {
    Fault::new(FaultKind::Usage, "no server is configured")
        .hint("try `--demo`, `--config FILE`, or `-- COMMAND ARGS`")
}

/// The fault of opening the screen where there is none.
pub fn no_screen() -> Fault {
    Fault::new(FaultKind::Usage, "the screen needs a terminal, and standard output is none")
        .hint("in scripts use a command, such as `vestibule resources --json`; see `--help`")
}

/// `5 s`, `0.5 s`
pub(super) fn seconds_text(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::read_servers, domain::EraChoice};
    use std::path::Path;

    const OWN: &str = r#"{"mcpServers": {
        "on": {"command": "a", "protocolEra": "modern"},
        "off": {"command": "b", "disabled": true},
        "bad": {"command": 7}}}"#;

    fn own(text: &str) -> Result<ServersFile, ConfigError> {
        read_servers(text, Path::new("/x/servers.json"))
    }

    fn missing() -> Result<ServersFile, ConfigError> {
        load_servers(Path::new("/there/is/no/such/file"))
    }

    fn demo() -> Vec<ServerSpec> {
        ["library", "observatory"].map(|name| ServerSpec::stdio(name, "x", ["y"])).to_vec()
    }

    fn line(words: &[&str]) -> Arguments {
        Arguments::read(["vestibule"].iter().chain(words).map(Into::into)).expect("a command line")
    }

    fn names(sources: &Sources) -> Vec<&str> {
        sources.servers.iter().map(|spec| spec.id.as_str()).collect()
    }

    #[test]
    fn what_the_command_line_names_adds_up_and_the_own_file_stays_closed() {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("s.json");
        std::fs::write(&file, r#"{"mcpServers": {"one": {"command": "a"}}}"#).expect("written");
        let file = file.to_str().expect("UTF-8");
        let words = ["tools", "--demo", "--config", file, "--", "npx", "two"];
        let found = sources(&line(&words), || panic!("opened"), demo()).expect("sources");
        assert_eq!(names(&found), ["one", "library", "observatory", "two"]);
        assert!(!found.is_demo);
    }

    #[test]
    fn the_own_file_is_used_when_nothing_is_named_and_skipped_entries_are_told() {
        let found = sources(&line(&["tools"]), || own(OWN), demo()).expect("sources");
        assert_eq!(names(&found), ["on", "off"]);
        assert_eq!(found.notices.len(), 1);
        assert!(found.notices[0].what.contains("`bad` is skipped"), "{:?}", found.notices);
    }

    #[test]
    fn without_any_server_the_screen_shows_the_demo_and_a_command_gets_none() {
        for empty in [missing as fn() -> _, || own(r#"{"mcpServers": {}}"#)] {
            let screen = sources(&line(&[]), empty, demo()).expect("sources");
            assert!(screen.is_demo);
            assert_eq!(names(&screen), ["library", "observatory"]);
            assert!(sources(&line(&["tools"]), empty, demo()).expect("ok").servers.is_empty());
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_a_usage_fault_not_the_demo() {
        let broken = sources(&line(&[]), || own("{"), demo()).expect_err("broken");
        let named = sources(&line(&["--config", "/no/such"]), missing, demo()).expect_err("none");
        assert_eq!((broken.kind, named.kind), (FaultKind::Usage, FaultKind::Usage));
    }

    #[test]
    fn one_server_named_is_the_only_one_started_even_when_switched_off() {
        let words = ["tools", "--server", "off"];
        let found = sources(&line(&words), || own(OWN), demo()).expect("sources");
        assert_eq!(names(&found), ["off"]);
        assert!(found.servers.iter().all(|spec| spec.enabled));
    }

    #[test]
    fn an_unknown_server_is_not_found_and_the_known_ones_are_named() {
        let words = ["tools", "--server", "ON"];
        let fault = sources(&line(&words), || own(OWN), demo()).expect_err("unknown");
        assert_eq!(fault.kind, FaultKind::NotFound);
        assert_eq!(fault.hint.as_deref(), Some("there are: on, off"));
    }

    #[test]
    fn the_era_of_the_command_line_overrides_all_and_its_absence_none() {
        let eras = |words: &[&str]| -> Vec<EraChoice> {
            let found = sources(&line(words), || own(OWN), demo()).expect("sources");
            found.servers.iter().map(|spec| spec.era).collect()
        };
        assert_eq!(eras(&["tools"]), [EraChoice::Modern, EraChoice::Auto]);
        let legacy = ["tools", "--era", "legacy"];
        assert_eq!(eras(&legacy), [EraChoice::Legacy, EraChoice::Legacy]);
    }
}
