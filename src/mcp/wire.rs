//! Tolerant readings of what servers list: one bad item never hides its siblings.

use super::convert::lenient;
use crate::{
    content::reveal_line,
    domain::{Malformed, UntrustedText},
};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, IgnoredAny, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::{Map, Value, value::RawValue};
use std::{fmt, marker::PhantomData, sync::Arc};

/// A value that must be written as a JSON object. Derived readers also take arrays, in the order
/// of their fields, which no server means.
#[derive(Debug)]
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Map<T> {
            type Value = Object<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_map(Map(PhantomData))
    }
}

/// Where a list goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NextPage {
    /// This was the last page.
    None,
    /// Ask again with this, byte for byte.
    Cursor(String),
    /// Something stood there that is no cursor.
    Malformed,
}

/// One page of a list.
#[derive(Debug)]
pub(super) struct Page<T> {
    /// `None` when the key is missing: not the answer that was asked for.
    pub(super) items: Option<Vec<T>>,
    pub(super) next: NextPage,
    /// Whether the server asked for input instead, which lists may not do.
    pub(super) wants_input: bool,
}

struct PageReader<T> {
    key: &'static str,
    item: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for PageReader<T> {
    type Value = Page<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Page<T>, A::Error> {
        let mut page = Page { items: None, next: NextPage::None, wants_input: false };
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            if key == self.key {
                // A key that is written twice gives the items of both.
                let mut more = map.next_value::<Vec<T>>()?;
                page.items.get_or_insert_default().append(&mut more);
            } else if key == "nextCursor" {
                page.next = match map.next_value::<Value>()? {
                    Value::Null => NextPage::None,
                    Value::String(cursor) if cursor.is_empty() => NextPage::None,
                    Value::String(cursor) => NextPage::Cursor(cursor),
                    Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                        NextPage::Malformed
                    }
                };
            } else if key == "resultType" {
                page.wants_input = map.next_value::<Value>()? == "input_required";
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(page)
    }
}

fn read_page<'de, T: Deserialize<'de>>(
    raw: &'de str,
    key: &'static str,
) -> Result<Page<T>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(raw);
    let page = deserializer.deserialize_map(PageReader { key, item: PhantomData })?;
    deserializer.end()?;
    Ok(page)
}

/// A kind of item that servers list.
pub(super) trait Item: Sized + Send + Sync + 'static {
    /// How it is written.
    type Wire: for<'de> Deserialize<'de>;
    /// The member of the result that holds the items.
    const KEY: &'static str;
    /// The member that names an item.
    const LABEL: &'static str;
    /// What its members must be, to say what is wrong with one that cannot be read.
    const MEMBERS: &'static [Member];
    /// Takes it over, or says what is wrong with it.
    fn accept(wire: Self::Wire) -> Result<Self, String>;
    /// What it is called in addresses.
    fn label(&self) -> &UntrustedText;
}

/// What a member of an item must be.
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) required: bool,
}

/// Kinds of members.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Object,
    List,
    Size,
}

/// Items and malformed ones of a page, and where it goes on.
pub(super) struct ReadPage<T> {
    pub(super) items: Vec<Arc<T>>,
    pub(super) malformed: Vec<Malformed>,
    pub(super) next: NextPage,
}

/// Reads a page: all at once when it is in order, else item by item.
pub(super) fn page<T: Item>(raw: &str) -> Result<ReadPage<T>, String> {
    if let Ok(page) = read_page::<Accepted<T>>(raw, T::KEY)
        && let Some(items) = page.items
    {
        let items = items.into_iter().map(|accepted| accepted.0).collect();
        return Ok(ReadPage { items, malformed: Vec::new(), next: page.next });
    }
    item_by_item(raw)
}

/// An item that is taken over while it is read, so that a list of many is not moved about.
struct Accepted<T>(Arc<T>);

impl<'de, T: Item> Deserialize<'de> for Accepted<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Object(wire) = Object::<T::Wire>::deserialize(deserializer)?;
        T::accept(wire).map(|item| Self(Arc::new(item))).map_err(D::Error::custom)
    }
}

fn item_by_item<T: Item>(raw: &str) -> Result<ReadPage<T>, String> {
    let page = read_page::<&RawValue>(raw, T::KEY)
        .map_err(|_| format!("the answer should be an object with a list of {}", T::KEY))?;
    let Some(items) = page.items else {
        return Err(if page.wants_input {
            "the server asked for input on a list, which the protocol forbids".to_owned()
        } else {
            format!("the answer has no {}", T::KEY)
        });
    };
    let mut read = ReadPage { items: Vec::new(), malformed: Vec::new(), next: page.next };
    for item in items {
        let taken = serde_json::from_str::<Object<T::Wire>>(item.get())
            .or_else(|error| leniently::<T>(item.get()).ok_or(error))
            .map_err(|error| diagnose::<T>(item.get(), &error))
            .and_then(|Object(wire)| T::accept(wire));
        match taken {
            Ok(item) => read.items.push(Arc::new(item)),
            Err(why) => read.malformed.push(malformed::<T>(why, item.get())),
        }
    }
    Ok(read)
}

/// Reads an item without those of its hints that are wrong.
fn leniently<T: Item>(raw: &str) -> Option<Object<T::Wire>> {
    let mut map: Map<String, Value> = serde_json::from_str(raw).ok()?;
    lenient(&mut map);
    serde_json::from_value(Value::Object(map)).ok()
}

fn malformed<T: Item>(why: String, raw: &str) -> Malformed {
    let value = serde_json::from_str::<Value>(raw).unwrap_or_default();
    let label = [T::LABEL, "name", "title"].iter().find_map(|key| value.get(key)?.as_str());
    Malformed { why, label: label.map(Into::into), raw: raw.into() }
}

/// Says which member is wrong and what it should be.
fn diagnose<T: Item>(raw: &str, error: &serde_json::Error) -> String {
    let map = match serde_json::from_str::<Map<String, Value>>(raw) {
        Ok(map) => map,
        // An object all the same: nested too deeply, or with an escape that is no character.
        Err(error) if raw.starts_with('{') => {
            return reveal_line(&format!("the item cannot be read: {error}")).plain();
        }
        Err(_) => return "the item should be an object".to_owned(),
    };
    for member in T::MEMBERS {
        let name = member.name;
        let should_be = match (map.get(name), member.kind) {
            (None | Some(Value::Null), _) if member.required => {
                return format!("{name} is missing");
            }
            (None | Some(Value::Null), _) => continue,
            (Some(Value::String(_)), Kind::Text)
            | (Some(Value::Object(_)), Kind::Object)
            | (Some(Value::Array(_)), Kind::List) => continue,
            (Some(value), Kind::Size) if value.is_u64() => continue,
            (Some(_), Kind::Text) => "a string",
            (Some(_), Kind::Object) => "an object",
            (Some(_), Kind::List) => "a list",
            (Some(_), Kind::Size) => "a whole number of bytes",
        };
        return format!("{name} should be {should_be}");
    }
    reveal_line(&format!("a member inside it is wrong: {error}")).plain()
}
