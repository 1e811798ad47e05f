//! Which servers a command line means.

use super::Common;
use crate::domain::{Fault, FaultKind, ServerSpec};
use std::time::Duration;

/// Applies `--era` and `--server` to what the sources gave.
///
/// # Errors
/// Those of [`only`].
pub fn apply(mut specs: Vec<ServerSpec>, common: &Common) -> Result<Vec<ServerSpec>, Fault> {
    if let Some(era) = common.era {
        for spec in &mut specs {
            spec.era = era.into();
        }
    }
    match &common.server {
        Some(name) => only(specs, name),
        None => Ok(specs),
    }
}

/// Keeps the one server named, so that no other is started. Naming a server that is switched off
/// switches it on for this run.
///
/// # Errors
/// [`FaultKind::NotFound`] when no server has that name.
pub fn only(specs: Vec<ServerSpec>, name: &str) -> Result<Vec<ServerSpec>, Fault> {
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
    let fault = Fault::new(FaultKind::NotFound, format!("no server is named {name:?}"));
    if known.is_empty() { fault } else { fault.hint(format!("there are: {}", known.join(", "))) }
}

/// The fault of a command without any server.
pub fn nothing_configured() -> Fault {
    Fault::new(FaultKind::Usage, "no server is configured")
        .hint("try --demo, --config FILE, or -- COMMAND ARGS")
}

/// The fault of opening the screen where there is none.
pub fn no_screen() -> Fault {
    Fault::new(FaultKind::Usage, "the screen needs a terminal on standard input and output")
        .hint("in scripts use a command, such as `vestibule resources --json`; see --help")
}

/// `5 s`, `0.5 s`
pub(super) fn seconds_text(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::EraArgument, domain::EraChoice};

    fn specs() -> Vec<ServerSpec> {
        let mut off = ServerSpec::stdio("off", "b", ["x"]);
        off.enabled = false;
        vec![ServerSpec::stdio("on", "a", ["x"]).era(EraChoice::Modern), off]
    }

    #[test]
    fn one_server_named_is_the_only_one_started_even_when_switched_off() {
        let kept = only(specs(), "off").expect("known");
        assert_eq!(kept.len(), 1);
        assert!(kept.iter().all(|spec| spec.id.as_str() == "off" && spec.enabled));
    }

    #[test]
    fn an_unknown_server_is_not_found_and_the_known_ones_are_named() {
        let fault = only(specs(), "ON").expect_err("unknown");
        assert_eq!(fault.kind, FaultKind::NotFound);
        assert_eq!(fault.hint.as_deref(), Some("there are: on, off"));
    }

    #[test]
    fn the_era_of_the_command_line_overrides_all_and_its_absence_none() {
        let eras = |common: &Common| -> Vec<EraChoice> {
            apply(specs(), common).expect("specs").iter().map(|spec| spec.era).collect()
        };
        assert_eq!(eras(&Common::default()), [EraChoice::Modern, EraChoice::Auto]);
        let legacy = Common { era: Some(EraArgument::Legacy), ..Common::default() };
        assert_eq!(eras(&legacy), [EraChoice::Legacy, EraChoice::Legacy]);
    }
}
