//! URI templates (RFC 6570, all four levels): which variables one has, and the URI that values
//! make of it.
//!
//! A value is one text. Where a template *explodes* a variable (`{list*}`, `{?list*}`), commas in
//! its value separate the items of a list; everywhere else a comma is a character like any other.

use iri_string::{
    spec::UriSpec,
    template::{
        UriTemplateStr,
        simple_context::{SimpleContext, Value},
    },
};
use std::{
    collections::HashSet,
    fmt::{self, Write},
};

/// The longest template that is taken apart, in bytes.
pub const MAX_TEMPLATE: usize = 64 * 1024;
/// The longest URI that is made of one, in bytes.
pub const MAX_EXPANDED: usize = 1024 * 1024;

/// A template that can be filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriTemplate {
    /// The template with what is not ASCII percent-encoded in its literal parts.
    ascii: String,
    /// By bare name, in order, once each.
    variables: Vec<String>,
    /// Those of them whose values are lists.
    exploded: HashSet<String>,
}

/// Why a template cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// It is no URI template.
    #[error("{why}, at byte {place}")]
    Syntax {
        /// What is wrong, in words that hold nothing of the template.
        why: String,
        /// Where, counted in bytes from 1.
        place: usize,
    },
    /// It, or the URI that comes of it, is too long.
    #[error("it is longer than {0} bytes")]
    TooLong(usize),
    /// A list was given for a variable that is also cut to a prefix (`{a:3}`).
    #[error("a list cannot be cut to a prefix: leave out the commas")]
    ListWithPrefix,
}

/// Finds what the parser would not survive: in an expression a prefix length longer than RFC 6570
/// allows (section 2.4.1), or a character that is not ASCII. Gives what is wrong, and where,
/// counted in bytes from 1.
fn unfit(template: &str) -> Option<(&'static str, usize)> {
    const DIGITS: usize = 4;
    let mut inside = false;
    let mut run: Option<usize> = None;
    for (at, byte) in template.bytes().enumerate() {
        match byte {
            b'{' => inside = true,
            b'}' => inside = false,
            _ => {}
        }
        if inside && !byte.is_ascii() {
            return Some(("not a variable's name", at + 1));
        }
        run = match (byte, run) {
            (b':', _) if inside => Some(0),
            (b'0'..=b'9', Some(DIGITS)) => {
                return Some(("the length of a prefix has more than four digits", at + 1));
            }
            (b'0'..=b'9', Some(digits)) => Some(digits + 1),
            _ => None,
        };
    }
    None
}

impl UriTemplate {
    /// Takes a template apart.
    ///
    /// # Errors
    /// A [`TemplateError`] with the place of the mistake.
    pub fn parse(template: &str) -> Result<Self, TemplateError> {
        if template.len() > MAX_TEMPLATE {
            return Err(TemplateError::TooLong(MAX_TEMPLATE));
        }
        if let Some((why, place)) = unfit(template) {
            return Err(TemplateError::Syntax { why: why.to_owned(), place });
        }
        let ascii = encode_literals(template);
        // What is left of other characters may stand nowhere, and the parser cuts through them.
        if let Some(place) = ascii.chars().find(|c| !c.is_ascii()).and_then(|c| template.find(c)) {
            let why = "a character that no URI may hold".to_owned();
            return Err(TemplateError::Syntax { why, place: place + 1 });
        }
        let parsed = UriTemplateStr::new(&ascii).map_err(|error| syntax(template, &error))?;
        let mut variables: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for variable in parsed.variables() {
            if seen.insert(variable.as_str()) {
                variables.push(variable.as_str().to_owned());
            }
        }
        let exploded = exploded(&ascii);
        Ok(Self { ascii, variables, exploded })
    }

    /// The variables by their bare names (`topic` of `{?topic}`, `id` of `{id:3}`), in the order
    /// in which they stand, once each.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Whether commas in the value of a variable separate the items of a list.
    pub fn takes_list(&self, variable: &str) -> bool {
        self.exploded.contains(variable)
    }

    /// The URI that values make of it. A variable without a value drops out, with everything that
    /// stands there only for it; an empty value is a value. Values of names that it does not have
    /// are passed over.
    ///
    /// # Errors
    /// A [`TemplateError`] when the URI would be too long, or a list is to be cut.
    pub fn expand(&self, values: &[(String, String)]) -> Result<String, TemplateError> {
        let mut context = SimpleContext::new();
        for (name, value) in values {
            context.insert(name.as_str(), self.value(name, value));
        }
        let mut uri = Bounded { text: String::new(), full: false };
        let template = UriTemplateStr::new(&self.ascii);
        let template = template.map_err(|error| syntax(&self.ascii, &error))?;
        let expanded =
            template.expand::<UriSpec, _>(&context).map_err(|_| TemplateError::ListWithPrefix)?;
        match write!(uri, "{expanded}") {
            Ok(()) => Ok(uri.text),
            Err(_) if uri.full => Err(TemplateError::TooLong(MAX_EXPANDED)),
            Err(_) => Err(TemplateError::ListWithPrefix),
        }
    }

    fn value(&self, name: &str, value: &str) -> Value {
        if self.takes_list(name) && value.contains(',') {
            Value::List(value.split(',').map(str::to_owned).collect())
        } else {
            Value::String(value.to_owned())
        }
    }
}

/// Text that stops growing at a bound.
struct Bounded {
    text: String,
    full: bool,
}

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.text.len() + more.len() > MAX_EXPANDED {
            self.full = true;
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// The pieces of a template outside (`false`) and inside (`true`) of its braces.
fn pieces(template: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut inside = false;
    template.split_inclusive(['{', '}']).map(move |piece| {
        let was_inside = inside;
        inside = piece.ends_with('{') || (inside && !piece.ends_with('}'));
        (was_inside, piece)
    })
}

/// RFC 6570, section 3.1: characters of literals that no URI may hold are percent-encoded.
fn encode_literals(template: &str) -> String {
    let mut ascii = String::with_capacity(template.len());
    for (inside, piece) in pieces(template) {
        for character in piece.chars() {
            if inside || !is_encoded(character) {
                ascii.push(character);
            } else {
                let mut bytes = [0; 4];
                for byte in character.encode_utf8(&mut bytes).bytes() {
                    ascii.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    ascii
}

/// Whether a character may stand in a literal, but not in a URI: `ucschar` and `iprivate` of
/// RFC 3987. Controls are none of them.
fn is_encoded(character: char) -> bool {
    let code = u32::from(character);
    let is_noncharacter = (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe;
    code >= 0xa0 && !(0xfff0..=0xffff).contains(&code) && !is_noncharacter
}

/// The variables behind which a `*` stands.
fn exploded(template: &str) -> HashSet<String> {
    let expressions = pieces(template).filter(|(inside, _)| *inside);
    expressions
        .flat_map(|(_, piece)| piece.trim_end_matches('}').split(','))
        .filter_map(|variable| variable.strip_suffix('*'))
        .map(|name| name.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']).to_owned())
        .collect()
}

/// Our words for an error of the parser, which tells its place in its text alone.
fn syntax(template: &str, error: &iri_string::template::Error) -> TemplateError {
    let text = error.to_string();
    let text = text.strip_prefix("invalid URI template: ").unwrap_or(&text);
    let (kind, place) = text.split_once(" (at ").unwrap_or((text, ""));
    let digits = place.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let why = match kind {
        "expression not closed" => "a `{` is never closed",
        "invalid character" => "a character that no URI may hold",
        "invalid expression" => "not a variable's name",
        "invalid percent-encoded triplets" => "a `%` without two hexadecimal digits",
        "unsupported operator" => "an operator that is not in use",
        other => other,
    };
    let place = original_place(template, digits.parse().unwrap_or(0));
    TemplateError::Syntax { why: why.to_owned(), place: place + 1 }
}

/// Where in a template stands what is at this place once its literals are percent-encoded.
fn original_place(template: &str, place: usize) -> usize {
    let (mut encoded, mut original) = (0, 0);
    for (inside, piece) in pieces(template) {
        for character in piece.chars() {
            let width = character.len_utf8();
            encoded += if inside || !is_encoded(character) { width } else { width * 3 };
            if encoded > place {
                return original;
            }
            original += width;
        }
    }
    template.len()
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
