//! One entry of a file of servers.

use super::address;
use super::error::escaped;
use super::fields::{Fields, Notes, kind, plain, read_map, string};
use super::paths::home_folder;
use super::roots::read_roots;
use super::variables::{Variables, of_environment};
use crate::domain::{Confirm, EraChoice, HttpKind, Permissions, ServerId, ServerSpec, Transport};
use jsonc_parser::ast::Value;
use secrecy::SecretString;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The longest time that an entry may ask for its start, in seconds: a day.
const MAX_CONNECT_SECONDS: f64 = 86_400.0;

/// The keys under which an address is found.
const URL_KEYS: [&str; 4] = ["url", "serverUrl", "httpUrl", "uri"];

/// Where relative folders and `~` begin, and what variables stand for.
pub(super) struct Surroundings<'a> {
    /// The folder of the file that is read.
    pub(super) file: PathBuf,
    /// The user's home.
    pub(super) home: Option<PathBuf>,
    /// `${NAME}`
    pub(super) variables: Variables<'a>,
}

impl Surroundings<'_> {
    /// Those of something that stands in no file.
    pub(super) fn plain(folder: &Path) -> Self {
        let variables = Variables::new(&of_environment);
        Self { file: folder.to_owned(), home: home_folder(), variables }
    }
}

/// Reads an entry. The error is the reason why it is skipped; it holds no values, which may be
/// secrets. The source is left to the caller.
pub(super) fn read_entry(
    id: ServerId,
    value: &Value<'_>,
    around: &Surroundings<'_>,
    notes: &mut Notes,
) -> Result<ServerSpec, String> {
    // Those of an entry before, which may have been held back.
    drop(around.variables.take_used());
    let object = value
        .as_object()
        .ok_or_else(|| format!("an entry should be an object, this is {}", kind(value)))?;
    let mut fields = Fields::of(object, "", notes);
    let transport = read_transport(&mut fields, around, notes)?;
    let enabled = read_enabled(&mut fields, notes)?;
    let era = read_era(&mut fields)?;
    let connect_timeout = read_connect_timeout(&mut fields)?;
    let permissions = read_permissions(&mut fields, notes)?;
    let roots = read_roots(fields.take("roots"), around, notes);
    let label = transport.label();
    for (key, _) in fields.0 {
        if ["args", "env", "cwd", "headers"].contains(&key) {
            notes.add(&format!("`{key}` has no meaning for an {label} server and is not used"));
        } else {
            notes.add(&format!("unknown key `{}`", escaped(key)));
        }
    }
    let mut spec = ServerSpec::new(id, transport).era(era).permissions(permissions).roots(roots);
    spec.variables = around.variables.take_used();
    spec.enabled = enabled;
    spec.connect_timeout = connect_timeout;
    Ok(spec)
}

fn read_transport(
    fields: &mut Fields<'_>,
    around: &Surroundings<'_>,
    notes: &mut Notes,
) -> Result<Transport, String> {
    let wanted = read_kind(fields)?;
    let command = fields.take("command");
    let mut urls: Vec<(&str, &Value<'_>)> =
        URL_KEYS.iter().filter_map(|&key| Some((key, fields.take(key)?))).collect();
    match (command, urls.pop(), urls.is_empty()) {
        (Some(_), Some((key, _)), _) => Err(format!("there are both `command` and `{key}`")),
        (None, None, _) => Err("there is neither `command` nor `url`".into()),
        (None, Some(_), false) => Err("there are several addresses; keep one".into()),
        (Some(command), None, _) => {
            if matches!(wanted, Some(Kind::Http(_))) {
                return Err("its type says HTTP, yet there is a `command`".into());
            }
            read_stdio(command, fields, around, notes)
        }
        (None, Some((key, url)), true) => {
            let kind = match wanted {
                Some(Kind::Stdio) => {
                    return Err(format!("its type says stdio, yet there is a `{key}`"));
                }
                Some(Kind::Http(kind)) => kind,
                None => HttpKind::default(),
            };
            read_http(key, url, kind, fields, around, notes)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stdio,
    Http(HttpKind),
}

/// What `type` or `transport` says.
fn read_kind(fields: &mut Fields<'_>) -> Result<Option<Kind>, String> {
    let mut wanted = None;
    for key in ["type", "transport"] {
        let Some(value) = fields.take(key) else { continue };
        // Clients write `streamable-http`, `streamableHttp` and `streamable_http`.
        let word = string(key, value)?.to_ascii_lowercase().replace(['-', '_'], "");
        let kind = match word.as_str() {
            "stdio" => Kind::Stdio,
            "http" | "streamablehttp" => Kind::Http(HttpKind::Streamable),
            "sse" => Kind::Http(HttpKind::Sse),
            _ => return Err(format!("`{key}` should be stdio, http, streamable-http or sse")),
        };
        if wanted.is_some_and(|before| before != kind) {
            return Err("`type` and `transport` contradict each other".into());
        }
        wanted = Some(kind);
    }
    Ok(wanted)
}

fn read_stdio(
    command: &Value<'_>,
    fields: &mut Fields<'_>,
    around: &Surroundings<'_>,
    notes: &mut Notes,
) -> Result<Transport, String> {
    let command = plain("command", command, &around.variables)?;
    if command.trim().is_empty() {
        return Err("`command` is empty".into());
    }
    let mut args = Vec::new();
    if let Some(value) = fields.take("args") {
        let list = value
            .as_array()
            .ok_or_else(|| format!("`args` should be a list of strings, it is {}", kind(value)))?;
        for (i, element) in list.elements.iter().enumerate() {
            let place = format!("args[{i}]");
            if let Some(number) = element.as_number_lit() {
                notes.add(&format!("`{place}` is a number and is taken as text"));
                args.push(number.value.to_owned());
            } else {
                args.push(plain(&place, element, &around.variables)?);
            }
        }
    }
    let env = read_map("env", fields, notes, &around.variables)?;
    for (name, _) in &env {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(format!("`{}` cannot be the name of a variable", escaped(name)));
        }
    }
    let cwd = match fields.take("cwd") {
        Some(value) => read_cwd(&plain("cwd", value, &around.variables)?, around, notes)?,
        None => None,
    };
    Ok(Transport::Stdio { command, args, env: secret(env), cwd })
}

fn read_cwd(
    text: &str,
    around: &Surroundings<'_>,
    notes: &mut Notes,
) -> Result<Option<PathBuf>, String> {
    if text.is_empty() {
        notes.add("`cwd` is empty and counts as absent");
        return Ok(None);
    }
    whole_path(text, around).map(Some).map_err(|why| format!("`cwd`: {why}"))
}

/// A path from the folder of the file, or from the home folder.
pub(super) fn whole_path(text: &str, around: &Surroundings<'_>) -> Result<PathBuf, String> {
    let Some(below_home) = text.strip_prefix('~') else { return Ok(around.file.join(text)) };
    let home = around.home.as_ref().ok_or("it begins with ~, and there is no home folder")?;
    if below_home.is_empty() {
        return Ok(home.clone());
    }
    match below_home.strip_prefix(std::path::is_separator) {
        // Further separators would make it absolute and leave the home folder.
        Some(rest) => Ok(home.join(rest.trim_start_matches(std::path::is_separator))),
        None => Err("it begins with ~NAME; only ~ and ~/… are known".into()),
    }
}

fn read_http(
    key: &str,
    url: &Value<'_>,
    kind: HttpKind,
    fields: &mut Fields<'_>,
    around: &Surroundings<'_>,
    notes: &mut Notes,
) -> Result<Transport, String> {
    let url = plain(key, url, &around.variables)?;
    address::check(&url).map_err(|why| format!("`{key}`: {why}"))?;
    let headers = read_map("headers", fields, notes, &around.variables)?;
    for (name, value) in &headers {
        if !address::is_header_name(name) {
            return Err(format!("`{}` cannot be the name of a header", escaped(name)));
        }
        if !address::is_header_value(value) {
            return Err(format!("the value of the header `{name}` holds a control character"));
        }
    }
    Ok(Transport::Http { url, headers: secret(headers), kind })
}

fn read_enabled(fields: &mut Fields<'_>, notes: &mut Notes) -> Result<bool, String> {
    let mut read = |key: &str| match fields.take(key) {
        None => Ok(None),
        Some(value) => value
            .as_boolean_lit()
            .map(|b| Some(b.value))
            .ok_or_else(|| format!("`{key}` should be true or false, it is {}", kind(value))),
    };
    let (disabled, enabled) = (read("disabled")?, read("enabled")?);
    if disabled.is_some() && disabled == enabled {
        notes.add("`disabled` and `enabled` contradict each other; the server stays off");
        return Ok(false);
    }
    Ok(enabled.unwrap_or(true) && !disabled.unwrap_or(false))
}

fn read_era(fields: &mut Fields<'_>) -> Result<EraChoice, String> {
    let Some(value) = fields.take("protocolEra") else { return Ok(EraChoice::Auto) };
    match string("protocolEra", value)? {
        "auto" => Ok(EraChoice::Auto),
        "legacy" => Ok(EraChoice::Legacy),
        "modern" => Ok(EraChoice::Modern),
        _ => Err("`protocolEra` should be auto, legacy or modern".into()),
    }
}

fn read_connect_timeout(fields: &mut Fields<'_>) -> Result<Option<Duration>, String> {
    let Some(value) = fields.take("connectTimeoutSeconds") else { return Ok(None) };
    let seconds = value.as_number_lit().and_then(|number| number.value.parse::<f64>().ok());
    seconds
        .filter(|seconds| *seconds > 0.0 && *seconds <= MAX_CONNECT_SECONDS)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .map(Some)
        .ok_or_else(|| {
            format!(
                "`connectTimeoutSeconds` should be a number above 0, up to {MAX_CONNECT_SECONDS}"
            )
        })
}

/// A misspelt key here would open what was to be closed, so that it is an error.
fn read_permissions(fields: &mut Fields<'_>, notes: &mut Notes) -> Result<Permissions, String> {
    let Some(value) = fields.take("permissions") else { return Ok(Permissions::default()) };
    let object = value
        .as_object()
        .ok_or_else(|| format!("`permissions` should be an object, it is {}", kind(value)))?;
    let mut inner = Fields::of(object, "permissions.", notes);
    let confirm = inner.take("confirm");
    let permissions = Permissions {
        resources: read_patterns("permissions.resources", inner.take("resources"))?,
        prompts: read_patterns("permissions.prompts", inner.take("prompts"))?,
        tools: read_patterns("permissions.tools", inner.take("tools"))?,
        confirm: Confirm::default(),
    };
    if let Some((key, _)) = inner.0.first() {
        let known = "resources, prompts, tools and confirm";
        return Err(format!("`permissions` knows {known}, not `{}`", escaped(key)));
    }
    Ok(Permissions { confirm: read_confirm(confirm, notes)?, ..permissions })
}

/// A misspelt key here would let pass what was to be asked about.
fn read_confirm(value: Option<&Value<'_>>, notes: &mut Notes) -> Result<Confirm, String> {
    let Some(value) = value else { return Ok(Confirm::default()) };
    let object = value.as_object().ok_or_else(|| {
        format!("`permissions.confirm` should be an object, it is {}", kind(value))
    })?;
    let mut inner = Fields::of(object, "permissions.confirm.", notes);
    let confirm = Confirm {
        resources: read_patterns("permissions.confirm.resources", inner.take("resources"))?,
        prompts: read_patterns("permissions.confirm.prompts", inner.take("prompts"))?,
        tools: read_patterns("permissions.confirm.tools", inner.take("tools"))?,
    };
    match inner.0.first() {
        None => Ok(confirm),
        Some((key, _)) => Err(format!(
            "`permissions.confirm` knows resources, prompts and tools, not `{}`",
            escaped(key)
        )),
    }
}

fn read_patterns(place: &str, value: Option<&Value<'_>>) -> Result<Option<Vec<String>>, String> {
    let Some(value) = value else { return Ok(None) };
    let list = value
        .as_array()
        .ok_or_else(|| format!("`{place}` should be a list of patterns, it is {}", kind(value)))?;
    let patterns = list.elements.iter().map(|element| string(place, element).map(str::to_owned));
    patterns.collect::<Result<_, _>>().map(Some)
}

fn secret(map: Vec<(String, String)>) -> Vec<(String, SecretString)> {
    map.into_iter().map(|(name, value)| (name, SecretString::from(value))).collect()
}
