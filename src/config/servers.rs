//! Files of servers, in the form `{"mcpServers": {NAME: ENTRY, …}}`.

use super::entry::{Surroundings, read_entry};
use super::error::{escaped, shown_path};
use super::fields::Notes;
use super::openness;
use super::paths::home_folder;
use super::variables::{Variables, of_environment};
use super::{ConfigError, Place};
use crate::domain::{ServerId, ServerSpec};
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

/// The largest file of settings or servers that is read, in bytes: 1 MiB.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// What one or more files of servers say. All texts in it are escaped and safe to print.
#[derive(Debug, Clone, Default)]
pub struct ServersFile {
    /// The good entries, in the order of the file.
    pub servers: Vec<ServerSpec>,
    /// The others, each with its reason.
    pub skipped: Vec<Skipped>,
    /// What was read differently from how it is written: unknown keys, numbers taken as text.
    pub notes: Vec<String>,
}

/// An entry that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its name as written, escaped.
    pub name: String,
    /// Why, in our words.
    pub why: String,
    /// Which file.
    pub source: String,
}

impl From<ServerSpec> for ServersFile {
    /// One server that comes from no file, to be merged with others.
    fn from(spec: ServerSpec) -> Self {
        Self { servers: vec![spec], ..Self::default() }
    }
}

/// Reads a file of servers of at most [`MAX_FILE_BYTES`]. See [`read_servers`].
///
/// # Errors
/// [`ConfigError`] when the file cannot be read ([`ConfigError::is_missing`] when it is not
/// there), is too large, is not UTF-8, or is not a file of servers at all.
pub fn load_servers(path: &Path) -> Result<ServersFile, ConfigError> {
    let mut file = read_servers(&read_bounded(path)?, path)?;
    file.notes.extend(openness::note(path, &file.servers));
    Ok(file)
}

/// Reads servers from text: JSON with comments, trailing commas and a byte order mark allowed.
///
/// The servers stand under `mcpServers` or `servers`. An entry with `command` is a child process,
/// one with `url` (`serverUrl`, `httpUrl`, `uri`) an HTTP server; see the README for all keys. An
/// entry that cannot be used is skipped with its reason and the others load. `source` is named in
/// notes and errors, and its folder is where a relative `cwd` begins. `${NAME}` stands for a variable
/// of the environment; an entry that counts on one that is not set is held back.
///
/// # Errors
/// [`ConfigError::Syntax`] with the line at fault, [`ConfigError::Shape`] when there are no
/// servers where they should be.
pub fn read_servers(text: &str, source: &Path) -> Result<ServersFile, ConfigError> {
    read_with(text, source, home_folder())
}

fn read_with(text: &str, source: &Path, home: Option<PathBuf>) -> Result<ServersFile, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = parse_to_ast(text, &CollectOptions::default(), &JSONC).map_err(|error| {
        ConfigError::Syntax {
            place: Place::at(source, text, error.range().start),
            message: escaped(&error.kind().to_string()),
        }
    })?;
    let shape =
        |message: &str| ConfigError::Shape { path: source.to_owned(), message: message.to_owned() };
    // A file with nothing in it configures nothing.
    let Some(root) = parsed.value else { return Ok(ServersFile::default()) };
    let Some(root) = root.as_object() else {
        return Err(shape("this should be an object: {\"mcpServers\": {…}}"));
    };
    let file = std::path::absolute(source).unwrap_or_else(|_| source.to_owned());
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut reader = Reader {
        source: shown_path(source),
        around: Surroundings { file: folder, home, variables: Variables::new(&of_environment) },
        names: HashSet::new(),
        read: ServersFile::default(),
    };
    let mut found = root.properties.is_empty();
    for property in &root.properties {
        match property.name.as_str() {
            "mcpServers" | "servers" => {
                let Some(servers) = property.value.as_object() else {
                    return Err(shape("the servers should be an object: {\"NAME\": {…}, …}"));
                };
                found = true;
                reader.servers(servers);
            }
            "$schema" => {}
            other => {
                let note = format!("{}: unknown key `{}`", reader.source, escaped(other));
                reader.read.notes.push(note);
            }
        }
    }
    if !found {
        return Err(shape("there is no `mcpServers` in it; servers stand below that key"));
    }
    Ok(reader.read)
}

/// JSON with comments and trailing commas, and nothing else of JSON5.
const JSONC: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

struct Reader {
    source: String,
    around: Surroundings<'static>,
    names: HashSet<ServerId>,
    read: ServersFile,
}

impl Reader {
    fn servers(&mut self, servers: &ast::Object<'_>) {
        // By JSON's usual rule the last of several equal keys counts.
        let last: HashMap<&str, usize> =
            servers.properties.iter().enumerate().map(|(i, p)| (p.name.as_str(), i)).collect();
        for (i, property) in servers.properties.iter().enumerate() {
            let name = property.name.as_str();
            if last.get(name).is_some_and(|&last| last > i) {
                let shown = escaped(name);
                self.read.notes.push(format!(
                    "{}: `{shown}` is there twice; the later entry is used",
                    self.source
                ));
            } else if let Err(why) = self.server(name, &property.value) {
                let name = escaped(&name.chars().take(ServerId::MAX_CHARS).collect::<String>());
                self.read.skipped.push(Skipped { name, why, source: self.source.clone() });
            }
        }
    }

    fn server(&mut self, name: &str, value: &ast::Value<'_>) -> Result<(), String> {
        let id = ServerId::new(name).map_err(|error| error.to_string())?;
        if self.names.contains(&id) {
            return Err("another entry of this file has the same name".into());
        }
        let prefix = format!("{}: {id}: ", self.source);
        let mut notes = Notes { prefix, list: Vec::new() };
        let mut spec = read_entry(id, value, &self.around, &mut notes)?;
        spec.source.clone_from(&self.source);
        self.names.insert(spec.id.clone());
        self.read.servers.push(spec);
        self.read.notes.append(&mut notes.list);
        Ok(())
    }
}

/// Puts several files together, in order. Of two servers with one name both stay: the later one
/// is renamed (`name-2`) and a note names both files. Neither takes anything from the other.
pub fn merge(files: Vec<ServersFile>) -> ServersFile {
    let mut all = ServersFile::default();
    // A name of its own goes before one that is made here.
    let mut taken: HashMap<ServerId, String> = HashMap::new();
    let own: HashSet<ServerId> =
        files.iter().flat_map(|file| &file.servers).map(|spec| spec.id.clone()).collect();
    for file in files {
        all.notes.extend(file.notes);
        all.skipped.extend(file.skipped);
        for mut spec in file.servers {
            if let Some(first) = taken.get(&spec.id) {
                let renamed = free_name(&spec.id, |id| taken.contains_key(id) || own.contains(id));
                all.notes.push(format!(
                    "`{}` is in {first} and in {}; the second is `{renamed}` here",
                    spec.id, spec.source
                ));
                spec.id = renamed;
            }
            taken.insert(spec.id.clone(), spec.source.clone());
            all.servers.push(spec);
        }
    }
    all
}

/// The first of `name-2`, `name-3`, … that is free, the name cut where it would be too long.
fn free_name(id: &ServerId, is_taken: impl Fn(&ServerId) -> bool) -> ServerId {
    let mut number = 2_u64;
    loop {
        let suffix = format!("-{number}");
        let room = ServerId::MAX_CHARS.saturating_sub(suffix.len());
        let stem: String = id.as_str().chars().take(room).collect();
        let candidate = ServerId::sanitized(&(stem + &suffix));
        if !is_taken(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// Reads a text file of at most [`MAX_FILE_BYTES`].
pub(super) fn read_bounded(path: &Path) -> Result<String, ConfigError> {
    let failed = |cause| ConfigError::Read { path: path.to_owned(), cause };
    let mut bytes = Vec::new();
    let limit = MAX_FILE_BYTES as u64 + 1;
    File::open(path).and_then(|f| f.take(limit).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ConfigError::TooLarge { path: path.to_owned(), limit: MAX_FILE_BYTES });
    }
    String::from_utf8(bytes).map_err(|error| ConfigError::NotUtf8 {
        path: path.to_owned(),
        offset: error.utf8_error().valid_up_to(),
    })
}

#[cfg(test)]
#[path = "servers_tests.rs"]
mod tests;
