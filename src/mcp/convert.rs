//! From the wire to plain data, total: what cannot be expressed is kept by name.

use super::wire::{Item, Kind, Member, Object};
use crate::domain::{
    Annotations, Prompt, PromptArgument, Resource, ResourceTemplate, Tool, ToolAnnotations,
    UntrustedText, is_absolute_uri,
};
use serde::Deserialize;
use serde_json::{Map, Value};

const fn member(name: &'static str, kind: Kind, required: bool) -> Member {
    Member { name, kind, required }
}

/// Annotations as the protocol describes them. Items with others are read again by [`lenient`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hints {
    #[serde(default)]
    audience: Option<Vec<UntrustedText>>,
    #[serde(default)]
    priority: Option<f64>,
    #[serde(default)]
    last_modified: Option<UntrustedText>,
}

impl From<Object<Hints>> for Annotations {
    fn from(Object(hints): Object<Hints>) -> Self {
        Self {
            audience: hints.audience.unwrap_or_default(),
            priority: hints.priority,
            last_modified: hints.last_modified,
        }
    }
}

/// Leaves out of an item's annotations what is not as the protocol describes it: they are hints,
/// and a wrong one is no reason to lose the item. Annotations that are no object stay as they are.
pub(super) fn lenient(item: &mut Map<String, Value>) {
    let Some(Value::Object(hints)) = item.get_mut("annotations") else { return };
    hints.retain(|name, hint| match name.as_str() {
        "audience" => hint.as_array().is_some_and(|words| words.iter().all(Value::is_string)),
        "priority" => hint.is_number(),
        "lastModified" => hint.is_string(),
        _ => true,
    });
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireResource {
    uri: UntrustedText,
    name: UntrustedText,
    #[serde(default)]
    title: Option<UntrustedText>,
    #[serde(default)]
    description: Option<UntrustedText>,
    #[serde(default)]
    mime_type: Option<UntrustedText>,
    #[serde(default)]
    size: Option<u64>,
    #[serde(default)]
    annotations: Option<Object<Hints>>,
}

impl Item for Resource {
    type Wire = WireResource;
    const KEY: &'static str = "resources";
    const LABEL: &'static str = "uri";
    const MEMBERS: &'static [Member] = &[
        member("uri", Kind::Text, true),
        member("name", Kind::Text, true),
        member("title", Kind::Text, false),
        member("description", Kind::Text, false),
        member("mimeType", Kind::Text, false),
        member("size", Kind::Size, false),
        member("annotations", Kind::Object, false),
    ];

    fn accept(wire: WireResource) -> Result<Self, String> {
        if !is_absolute_uri(wire.uri.raw()) {
            return Err("uri should begin with a scheme, as in file:///notes".into());
        }
        Ok(Self {
            uri: wire.uri,
            name: wire.name,
            title: wire.title,
            description: wire.description,
            mime_type: wire.mime_type,
            size: wire.size,
            annotations: wire.annotations.map(Into::into),
        })
    }

    fn label(&self) -> &UntrustedText {
        &self.uri
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireTemplate {
    uri_template: UntrustedText,
    name: UntrustedText,
    #[serde(default)]
    title: Option<UntrustedText>,
    #[serde(default)]
    description: Option<UntrustedText>,
    #[serde(default)]
    mime_type: Option<UntrustedText>,
    #[serde(default)]
    annotations: Option<Object<Hints>>,
}

impl Item for ResourceTemplate {
    type Wire = WireTemplate;
    const KEY: &'static str = "resourceTemplates";
    const LABEL: &'static str = "uriTemplate";
    const MEMBERS: &'static [Member] = &[
        member("uriTemplate", Kind::Text, true),
        member("name", Kind::Text, true),
        member("title", Kind::Text, false),
        member("description", Kind::Text, false),
        member("mimeType", Kind::Text, false),
        member("annotations", Kind::Object, false),
    ];

    fn accept(wire: WireTemplate) -> Result<Self, String> {
        Ok(Self {
            uri_template: wire.uri_template,
            name: wire.name,
            title: wire.title,
            description: wire.description,
            mime_type: wire.mime_type,
            annotations: wire.annotations.map(Into::into),
        })
    }

    fn label(&self) -> &UntrustedText {
        &self.uri_template
    }
}

#[derive(Deserialize)]
pub(super) struct WirePrompt {
    name: UntrustedText,
    #[serde(default)]
    title: Option<UntrustedText>,
    #[serde(default)]
    description: Option<UntrustedText>,
    #[serde(default)]
    arguments: Option<Vec<Object<WireArgument>>>,
}

#[derive(Deserialize)]
pub(super) struct WireArgument {
    name: UntrustedText,
    #[serde(default)]
    title: Option<UntrustedText>,
    #[serde(default)]
    description: Option<UntrustedText>,
    #[serde(default)]
    required: Option<bool>,
}

impl Item for Prompt {
    type Wire = WirePrompt;
    const KEY: &'static str = "prompts";
    const LABEL: &'static str = "name";
    const MEMBERS: &'static [Member] = &[
        member("name", Kind::Text, true),
        member("title", Kind::Text, false),
        member("description", Kind::Text, false),
        member("arguments", Kind::List, false),
    ];

    fn accept(wire: WirePrompt) -> Result<Self, String> {
        let argument = |Object(a): Object<WireArgument>| PromptArgument {
            name: a.name,
            title: a.title,
            description: a.description,
            required: a.required.unwrap_or(false),
        };
        Ok(Self {
            name: wire.name,
            title: wire.title,
            description: wire.description,
            arguments: wire.arguments.unwrap_or_default().into_iter().map(argument).collect(),
        })
    }

    fn label(&self) -> &UntrustedText {
        &self.name
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireTool {
    name: UntrustedText,
    #[serde(default)]
    title: Option<UntrustedText>,
    #[serde(default)]
    description: Option<UntrustedText>,
    input_schema: Map<String, Value>,
    #[serde(default)]
    output_schema: Option<Map<String, Value>>,
    #[serde(default)]
    annotations: Option<Map<String, Value>>,
    #[serde(default)]
    execution: Value,
}

impl Item for Tool {
    type Wire = WireTool;
    const KEY: &'static str = "tools";
    const LABEL: &'static str = "name";
    const MEMBERS: &'static [Member] = &[
        member("name", Kind::Text, true),
        member("title", Kind::Text, false),
        member("description", Kind::Text, false),
        member("inputSchema", Kind::Object, true),
        member("outputSchema", Kind::Object, false),
        member("annotations", Kind::Object, false),
    ];

    fn accept(wire: WireTool) -> Result<Self, String> {
        let hints = |map: Map<String, Value>| {
            let hint = |key: &str| map.get(key).and_then(Value::as_bool);
            ToolAnnotations {
                title: map.get("title").and_then(Value::as_str).map(Into::into),
                read_only: hint("readOnlyHint"),
                destructive: hint("destructiveHint"),
                idempotent: hint("idempotentHint"),
                open_world: hint("openWorldHint"),
            }
        };
        Ok(Self {
            name: wire.name,
            title: wire.title,
            description: wire.description,
            input_schema: wire.input_schema,
            output_schema: wire.output_schema,
            annotations: wire.annotations.map(hints),
            needs_task: wire.execution.get("taskSupport").is_some_and(|task| task == "required"),
        })
    }

    fn label(&self) -> &UntrustedText {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::wire::{NextPage, page};

    #[test]
    fn a_bad_item_never_hides_its_siblings_and_says_what_is_wrong() {
        let raw = r#"{"resources":[{"uri":"a://1","name":"ok","annotations":{}},
            {"uri":"a://2","name":"bad","annotations":[]},{"name":"no uri"},{"uri":"a://3"},
            {"uri":"a://4","name":"n","size":-1},{"uri":"a://5","name":"n","mimeType":5},
            ["a://6","n"],7,{"uri":"relative/path","name":"n"},
            {"uri":"a://7","name":"n","size":9223372036854775808,"annotations":{"audience":["nobody"]}}]}"#;
        let read = page::<Resource>(raw).expect("a page");
        let uris: Vec<_> = read.items.iter().map(|r| r.uri.raw()).collect();
        assert_eq!(uris, ["a://1", "a://7"]);
        let whys: Vec<_> = read.malformed.iter().map(|m| m.why.as_str()).collect();
        assert_eq!(
            whys,
            [
                "annotations should be an object",
                "uri is missing",
                "name is missing",
                "size should be a whole number of bytes",
                "mimeType should be a string",
                "the item should be an object",
                "the item should be an object",
                "uri should begin with a scheme, as in file:///notes",
            ]
        );
        assert_eq!(
            read.malformed.first().map(|m| m.raw.raw()),
            Some(r#"{"uri":"a://2","name":"bad","annotations":[]}"#)
        );
    }

    #[test]
    fn cursors_of_every_shape_are_told_apart() {
        for (cursor, next) in [
            ("\"eyJ9/+=\"", NextPage::Cursor("eyJ9/+=".into())),
            ("\"\"", NextPage::None),
            ("null", NextPage::None),
            ("5", NextPage::Malformed),
        ] {
            let raw = format!(r#"{{"prompts":[],"nextCursor":{cursor}}}"#);
            assert_eq!(page::<Prompt>(&raw).expect("a page").next, next);
        }
    }

    #[test]
    fn an_answer_that_is_no_list_is_a_fault_and_never_an_empty_list() {
        for (raw, why) in [
            ("null", "the answer should be an object with a list of tools"),
            ("[]", "the answer should be an object with a list of tools"),
            ("{}", "the answer has no tools"),
            (r#"{"tools":{}}"#, "the answer should be an object with a list of tools"),
            (
                r#"{"resultType":"input_required"}"#,
                "the server asked for input on a list, which the protocol forbids",
            ),
        ] {
            assert_eq!(page::<Tool>(raw).err().as_deref(), Some(why));
        }
    }

    #[test]
    fn a_key_written_twice_loses_nothing() {
        let raw = r#"{"prompts":[{"name":"a"}],"prompts":[{"name":"b","arguments":null}],"x":1}"#;
        assert_eq!(page::<Prompt>(raw).expect("a page").items.len(), 2);
    }
}
