//! The answer to `roots/list`, in both eras.

use crate::domain::Root;
use serde_json::{Map, Value};

/// What a server asks for.
pub(super) const METHOD: &str = "roots/list";

/// The user's roots for a server, as the protocol writes them.
pub(super) fn answer(roots: &[Root]) -> Value {
    let one = |root: &Root| {
        let mut map = Map::from_iter([("uri".to_owned(), Value::from(root.uri.as_str()))]);
        if let Some(name) = &root.name {
            map.insert("name".into(), name.as_str().into());
        }
        Value::Object(map)
    };
    let roots = Value::Array(roots.iter().map(one).collect());
    Value::Object(Map::from_iter([("roots".to_owned(), roots)]))
}
