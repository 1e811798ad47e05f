//! A place of a schema in words.
//!
//! Names, values and patterns of a server come into words only when they are short and of plain
//! ASCII: then there is nothing in them that could act or hide.

use super::shape::Shape;
use serde_json::Value;

/// The longest word of a server that is repeated, in bytes.
const MAX_WORD: usize = 60;

/// How many names or values are named.
const MAX_NAMES: usize = 5;

/// How deep words go: a list of lists of lists.
const MAX_DEPTH: usize = 3;

/// A server's word that can be repeated as it is.
pub(super) fn plain(word: &str) -> Option<&str> {
    let fits = !word.is_empty() && word.len() <= MAX_WORD;
    let shown = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    Some(word).filter(|word| fits && word.bytes().all(shown))
}

/// What can stand there: `text`, `whole number`, `list of text`, `object`.
pub(super) fn kind(shape: &Shape<'_>) -> String {
    let words = bare_kind(shape, 0);
    if shape.nullable() { format!("{words} or null") } else { words }
}

/// The same with an article and, of an object, its names: `a list of text`, `an object with name`.
pub(super) fn kind_with_article(shape: &Shape<'_>) -> String {
    let words = bare_kind(shape, 0);
    let words = match words.split(' ').next() {
        Some("object") => format!("an {words}{}", names(shape)),
        Some("list" | "whole" | "number" | "value") => format!("a {words}"),
        _ => words,
    };
    if shape.nullable() { format!("{words} or null") } else { words }
}

fn names(shape: &Shape<'_>) -> String {
    let properties = shape.properties();
    if properties.is_empty() {
        return String::new();
    }
    let count = properties.len();
    let names: Option<Vec<&str>> = properties.iter().map(|(name, _)| plain(name)).collect();
    match names {
        Some(names) if count <= MAX_NAMES => format!(" with {}", names.join(", ")),
        Some(_) | None if count == 1 => " with 1 property".into(),
        Some(_) | None => format!(" with {count} properties"),
    }
}

fn bare_kind(shape: &Shape<'_>, depth: usize) -> String {
    if shape.never {
        return "nothing".into();
    }
    if let Some(values) = values(shape) {
        return choice(&values);
    }
    let types = shape.types();
    let forms = shape.branches();
    if forms.len() > 1 && (types.is_empty() || types == ["object"]) {
        let parts: Vec<Shape<'_>> = forms.iter().map(|form| shape.part(form)).collect();
        let is_short = parts.iter().all(|part| is_simple(part)) && parts.len() <= MAX_NAMES;
        if !is_short || depth >= MAX_DEPTH {
            return format!("one of {} forms", forms.len());
        }
        let mut words: Vec<String> = parts.iter().map(|part| bare_kind(part, depth + 1)).collect();
        words.dedup();
        return words.join(" or ");
    }
    if types.is_empty() {
        let guessed = if shape.has("properties") {
            "object"
        } else if shape.has("items") || shape.has("prefixItems") {
            "array"
        } else if shape.get("type").is_some_and(|only| only == "null") {
            "null"
        } else {
            return "any value".into();
        };
        return of_type(shape, guessed, depth);
    }
    let words: Vec<String> = types.iter().map(|name| of_type(shape, name, depth)).collect();
    words.join(" or ")
}

/// Whether it has nothing below it.
pub(super) fn is_simple(shape: &Shape<'_>) -> bool {
    let types = shape.types();
    let below = ["properties", "items", "prefixItems", "additionalProperties"];
    !types.iter().any(|name| matches!(*name, "object" | "array"))
        && shape.branches().len() < 2
        && !below.iter().any(|key| shape.has(key))
}

fn of_type(shape: &Shape<'_>, name: &str, depth: usize) -> String {
    match name {
        "string" => "text".into(),
        "integer" => "whole number".into(),
        "number" => "number".into(),
        "boolean" => "true or false".into(),
        "object" => "object".into(),
        "null" => "null".into(),
        "array" => match shape.get("items") {
            Some(items @ Value::Object(_)) if depth < MAX_DEPTH => {
                format!("list of {}", bare_kind(&shape.part(items), depth + 1))
            }
            _ => "list".into(),
        },
        _ => "value".into(),
    }
}

fn choice(values: &[&Value]) -> String {
    let written = |value: &&Value| match value.as_str() {
        Some(text) => plain(text).map(str::to_owned),
        None => plain(&value.to_string()).map(str::to_owned),
    };
    let words = values.iter().take(MAX_NAMES).map(written).collect::<Option<Vec<_>>>();
    match (words, values.len()) {
        (Some(words), 1) => format!("always {}", words.join("")),
        (Some(words), 2..=MAX_NAMES) => format!("one of: {}", words.join(", ")),
        (_, count) => format!("one of {count} values"),
    }
}

/// The values of which it is one, without the null of a place that can be null.
pub(super) fn values<'a>(shape: &Shape<'a>) -> Option<Vec<&'a Value>> {
    let nullable = shape.nullable();
    let beside = |value: &&Value| !(nullable && value.is_null());
    if let Some(Value::Array(values)) = shape.get("enum") {
        return Some(values.iter().filter(beside).collect());
    }
    if let Some(value) = shape.get("const") {
        return Some(vec![value]);
    }
    let forms = shape.branches();
    let values: Option<Vec<_>> = forms.iter().map(|form| form.get("const")).collect();
    values.filter(|values| !values.is_empty())
}

/// What else must hold: `at least 1`, `at most 40 characters`, `a date, such as 2026-01-31`.
pub(super) fn limits(shape: &Shape<'_>) -> Vec<String> {
    let mut limits = Vec::new();
    if let Some(Value::String(format)) = shape.get("format") {
        limits.extend(of_format(format));
    }
    let number = |key: &str| shape.get(key).filter(|limit| limit.is_number());
    let mut say = |key: &str, words: &str| {
        if let Some(limit) = number(key) {
            limits.push(format!("{words} {limit}"));
        }
    };
    say("minimum", "at least");
    say("exclusiveMinimum", "more than");
    say("maximum", "at most");
    say("exclusiveMaximum", "less than");
    say("multipleOf", "a multiple of");
    for (least, most, one, many) in [
        ("minLength", "maxLength", "character", "characters"),
        ("minItems", "maxItems", "item", "items"),
        ("minProperties", "maxProperties", "property", "properties"),
    ] {
        let count = |key: &str| number(key).and_then(Value::as_u64);
        let noun = |n: u64| if n == 1 { one } else { many };
        match (count(least), count(most)) {
            (Some(least), Some(most)) if least == most => {
                limits.push(format!("{most} {}", noun(most)));
            }
            (Some(least), Some(most)) if least > 0 => {
                limits.push(format!("{least} to {most} {}", noun(most)));
            }
            (_, Some(most)) => limits.push(format!("at most {most} {}", noun(most))),
            (Some(least), None) if least > 0 => {
                limits.push(format!("at least {least} {}", noun(least)));
            }
            (Some(_), None) | (None, None) => {}
        }
    }
    if shape.is_marked("uniqueItems") {
        limits.push("no item twice".into());
    }
    if let Some(Value::String(pattern)) = shape.get("pattern") {
        limits.push(match plain(pattern) {
            Some(pattern) => format!("matches {pattern}"),
            None => "matches a pattern".into(),
        });
    }
    limits
}

/// A format in words.
pub(super) fn of_format(format: &str) -> Option<String> {
    let words = match format {
        "date" => "a date, such as 2026-01-31",
        "date-time" => "date and time, such as 2026-01-31T12:00:00Z",
        "time" => "a time, such as 12:00:00Z",
        "duration" => "a duration, such as PT90S",
        "email" | "idn-email" => "an email address",
        "hostname" | "idn-hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" | "iri" | "url" => "a URI",
        "uri-reference" | "iri-reference" => "a URI or a part of one",
        "uri-template" => "a URI template",
        "uuid" => "a UUID",
        "json-pointer" => "a JSON Pointer",
        "regex" => "a regular expression",
        other => return plain(other).map(|name| format!("format {name}")),
    };
    Some(words.into())
}
