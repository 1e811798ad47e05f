//! Arguments of a tool that a modern server over HTTP wants in headers too (spec 2026-07-28,
//! basic/transports/streamable-http, "Custom Headers from Tool Parameters").

use serde_json::{Map, Value};

/// What marks such an argument in an input schema.
const MARK: &str = "x-mcp-header";

/// What stands before the name in the header.
pub(super) const PREFIX: &str = "mcp-param-";

/// Members of a schema that hold schemas by name.
const NAMED: [&str; 5] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Members of a schema that hold plain values.
const VALUES: [&str; 5] = ["default", "const", "enum", "examples", "example"];

/// Headers that go along with one request: names in lower case, and values as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mirrored(pub(super) Vec<(String, String)>);

/// One argument that is mirrored.
#[derive(Debug, PartialEq, Eq)]
struct Mark {
    header: String,
    path: Vec<String>,
}

/// What of the arguments of a call goes into headers.
pub(super) fn mirrored(schema: &Map<String, Value>, arguments: &Map<String, Value>) -> Mirrored {
    let header = |mark: Mark| {
        let (last, way) = mark.path.split_last()?;
        let inner = way.iter().try_fold(arguments, |map, key| map.get(key)?.as_object())?;
        let value = match inner.get(last)? {
            Value::String(text) => text.clone(),
            other @ (Value::Bool(_) | Value::Number(_)) => other.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        Some((mark.header, value))
    };
    Mirrored(marks(schema).unwrap_or_default().into_iter().filter_map(header).collect())
}

/// Why a tool with this input schema must not be used over HTTP, in our words.
pub(super) fn wrong_mark(schema: &Map<String, Value>) -> Option<String> {
    marks(schema).err().map(|why| format!("inputSchema: {why}"))
}

fn marks(schema: &Map<String, Value>) -> Result<Vec<Mark>, String> {
    let mut found = Vec::new();
    walk(schema, Some(&[]), &mut found)?;
    Ok(found)
}

/// Looks through a schema. `path` leads to it through `properties` alone; `None` where another
/// member lies on the way.
fn walk(
    schema: &Map<String, Value>,
    path: Option<&[String]>,
    found: &mut Vec<Mark>,
) -> Result<(), String> {
    if let Some(mark) = schema.get(MARK) {
        let mark = read(mark, schema, path)?;
        if found.iter().any(|known| known.header == mark.header) {
            return Err(format!("two arguments have the same {MARK}"));
        }
        found.push(mark);
    }
    for (key, value) in schema.iter().filter(|(key, _)| !VALUES.contains(&key.as_str())) {
        let is_named = NAMED.contains(&key.as_str());
        if let Some(named) = value.as_object().filter(|_| is_named) {
            for (name, schema) in named {
                let below = path
                    .filter(|_| key == "properties")
                    .map(|path| path.iter().cloned().chain([name.clone()]).collect::<Vec<_>>());
                if let Value::Object(schema) = schema {
                    walk(schema, below.as_deref(), found)?;
                }
            }
        } else if let Some(schema) = value.as_object() {
            walk(schema, None, found)?;
        } else if let Some(list) = value.as_array() {
            let mut schemas = list.iter().filter_map(Value::as_object);
            schemas.try_for_each(|schema| walk(schema, None, found))?;
        }
    }
    Ok(())
}

fn read(
    mark: &Value,
    schema: &Map<String, Value>,
    path: Option<&[String]>,
) -> Result<Mark, String> {
    let name = mark.as_str().ok_or_else(|| format!("{MARK} should be a string"))?;
    // 1*tchar: RFC 9110, section 5.6.2.
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(format!("{MARK} cannot be the name of a header"));
    }
    let path = path
        .filter(|path| !path.is_empty())
        .ok_or_else(|| format!("{MARK} stands where it leads to no one argument"))?;
    let is_plain =
        |kind: &Value| ["string", "integer", "boolean"].iter().any(|plain| kind == plain);
    let plain = match schema.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().any(is_plain) && kinds.iter().all(|k| is_plain(k) || k == "null")
        }
        Some(kind) => is_plain(kind),
        None => false,
    };
    if !plain {
        return Err(format!("{MARK} marks what is no string, integer or boolean"));
    }
    Ok(Mark { header: format!("{PREFIX}{}", name.to_ascii_lowercase()), path: path.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn marked_arguments_are_taken_from_where_they_stand() {
        let schema = object(json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {"type": "object", "properties": {
                "n": {"type": ["integer", "null"], "x-mcp-header": "N"},
                "yes": {"type": "boolean", "x-mcp-header": "Yes"},
            }},
            "x-mcp-header": {"type": "string"},
            "plain": {"type": "string", "default": {"x-mcp-header": 5}},
        }}));
        let take = |arguments: Value| mirrored(&schema, &object(arguments)).0;
        let pair = |name: &str, value: &str| (format!("mcp-param-{name}"), value.to_owned());
        assert_eq!(
            take(json!({"region": " ü", "deep": {"n": -7, "yes": false}, "plain": "x"})),
            [pair("region", " ü"), pair("n", "-7"), pair("yes", "false")]
        );
        assert_eq!(take(json!({"region": null, "deep": {"n": []}})), []);
        assert_eq!(take(json!({"deep": "no object"})), []);
    }

    #[test]
    fn what_the_transport_forbids_is_said() {
        let property = |schema: Value| json!({"properties": {"a": schema}});
        for (bad, part) in [
            (property(json!({"type": "string", "x-mcp-header": ""})), "name of a header"),
            (property(json!({"type": "string", "x-mcp-header": "a b"})), "name of a header"),
            (property(json!({"type": "string", "x-mcp-header": "a\r\nB: c"})), "name of a header"),
            (property(json!({"type": "string", "x-mcp-header": 7})), "a string"),
            (property(json!({"type": "number", "x-mcp-header": "A"})), "no string"),
            (property(json!({"type": "object", "x-mcp-header": "A"})), "no string"),
            (property(json!({"x-mcp-header": "A"})), "no string"),
            (property(json!({"items": {"type": "string", "x-mcp-header": "A"}})), "no one"),
            (property(json!({"anyOf": [{"type": "string", "x-mcp-header": "A"}]})), "no one"),
            (json!({"$defs": {"d": {"type": "string", "x-mcp-header": "A"}}}), "no one"),
            (json!({"type": "string", "x-mcp-header": "A"}), "no one"),
            (
                json!({"properties": {
                    "a": {"type": "string", "x-mcp-header": "Same"},
                    "b": {"type": "string", "x-mcp-header": "sAME"},
                }}),
                "the same",
            ),
        ] {
            let schema = object(bad);
            let why = wrong_mark(&schema).expect("wrong");
            assert!(why.contains(part), "{why}: {schema:?}");
            assert_eq!(
                mirrored(&schema, &object(json!({"a": "x", "b": "y"}))),
                Mirrored::default()
            );
        }
        assert_eq!(wrong_mark(&object(json!({"type": "object"}))), None);
    }
}
