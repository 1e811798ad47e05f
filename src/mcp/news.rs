//! What a server tells of watched resources: gathered, bounded, until its session looks.

use serde::Deserialize;
use serde_json::Value;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tokio::sync::Notify;

/// How many resources may have changed before the session looks.
const MAX_URIS: usize = 256;
/// The longest URI of an update, in bytes.
const MAX_URI: usize = 8 * 1024;
/// How many streams that are over are remembered, to tell what is late from what is foreign.
const MAX_PAST: usize = 64;
/// Where a notification says to which stream it belongs (spec 2026-07-28).
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// What was told since the session last looked.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Told {
    /// Which resources changed, and how often.
    pub(super) updates: HashMap<String, u64>,
    /// The URIs that the open stream was granted, if it was just acknowledged.
    pub(super) granted: Option<Vec<String>>,
}

/// What is told of resources on one connection.
#[derive(Debug, Default)]
pub(super) struct News {
    inner: Mutex<Inner>,
    /// Told when there is something.
    pub(super) heard: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    /// The request whose stream is open.
    open: Option<i64>,
    past: VecDeque<i64>,
    told: Told,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    uri: Value,
    #[serde(default, rename = "_meta")]
    meta: Value,
    #[serde(default)]
    notifications: Value,
}

impl Params {
    fn read(raw: Option<&str>) -> Option<Self> {
        serde_json::from_str(raw?).ok()
    }

    /// Servers also write the number as text.
    fn stream(&self) -> Option<i64> {
        let id = self.meta.get(SUBSCRIPTION_ID)?;
        id.as_i64().or_else(|| id.as_str()?.parse().ok())
    }
}

impl Inner {
    /// Whether a notification belongs to the open stream; `Ok(false)` is a late one. An error says
    /// what is wrong, in our words.
    fn is_current(&self, stream: Option<i64>) -> Result<bool, &'static str> {
        match stream {
            None => Err("without the id of its subscription"),
            Some(id) if self.open == Some(id) => Ok(true),
            Some(id) if self.past.contains(&id) => Ok(false),
            Some(_) => Err("under the id of a subscription that nobody has"),
        }
    }

    fn close(&mut self) {
        let Some(id) = self.open.take() else { return };
        if self.past.len() >= MAX_PAST {
            self.past.pop_front();
        }
        self.past.push_back(id);
    }
}

impl News {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A stream is about to be asked for, under this request. The transport says so before it
    /// writes, so that nothing can come before it.
    pub(super) fn opened(&self, request: i64) {
        let mut inner = self.inner();
        inner.close();
        inner.open = Some(request);
    }

    /// The stream of this request is over.
    pub(super) fn closed(&self, request: i64) {
        let mut inner = self.inner();
        if inner.open == Some(request) {
            inner.close();
        }
    }

    /// Another stream will be asked for: what still comes on this one is late.
    pub(super) fn reopening(&self) {
        let mut inner = self.inner();
        inner.close();
        inner.told.granted = None;
    }

    /// Notes that a resource changed. `streamed` says whether it has to belong to a stream. The
    /// error says what was wrong, in our words.
    pub(super) fn updated(&self, raw: Option<&str>, streamed: bool) -> Result<(), String> {
        let params = Params::read(raw);
        let Some((params, uri)) = params.as_ref().and_then(|p| Some((p, p.uri.as_str()?))) else {
            return Err("an update that names no resource".into());
        };
        let mut inner = self.inner();
        if streamed {
            let current = inner.is_current(params.stream());
            if !current.map_err(|why| format!("an update {why}: {uri}"))? {
                return Ok(());
            }
        }
        let updates = &mut inner.told.updates;
        if uri.len() > MAX_URI || (updates.len() >= MAX_URIS && !updates.contains_key(uri)) {
            return Err("more updates than are taken at once; one is not counted".into());
        }
        *updates.entry(uri.to_owned()).or_default() += 1;
        self.heard.notify_one();
        Ok(())
    }

    /// Notes what an open stream was granted.
    pub(super) fn acknowledged(&self, raw: Option<&str>) -> Result<(), String> {
        let Some(params) = Params::read(raw) else {
            return Err("an acknowledgement that says nothing".into());
        };
        let mut inner = self.inner();
        let current = inner.is_current(params.stream());
        if !current.map_err(|why| format!("an acknowledgement {why}"))? {
            return Ok(());
        }
        let uris = params.notifications.get("resourceSubscriptions").and_then(Value::as_array);
        let texts = uris.into_iter().flatten().filter_map(Value::as_str);
        inner.told.granted = Some(texts.map(str::to_owned).collect());
        self.heard.notify_one();
        Ok(())
    }

    /// What was told since this was last asked.
    pub(super) fn take(&self) -> Told {
        std::mem::take(&mut self.inner().told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn update(uri: &Value, stream: &Value) -> String {
        json!({"uri": uri, "_meta": {SUBSCRIPTION_ID: stream}}).to_string()
    }

    #[test]
    fn what_comes_together_is_counted_and_what_names_nothing_is_a_breach() {
        let news = News::default();
        for _ in 0..50 {
            assert_eq!(news.updated(Some(r#"{"uri":"a://1"}"#), false), Ok(()));
        }
        for bad in [None, Some("{}"), Some("[]"), Some(r#"{"uri":7}"#)] {
            assert!(news.updated(bad, false).is_err_and(|why| why.contains("names no resource")));
        }
        assert_eq!(news.take().updates, HashMap::from([("a://1".to_owned(), 50)]));
        assert_eq!(news.take(), Told::default());
    }

    #[test]
    fn a_stream_takes_its_own_only_and_what_is_late_is_no_breach() {
        let news = News::default();
        let uri = json!("a://1");
        let tell = |stream: Value| news.updated(Some(&update(&uri, &stream)), true);
        assert!(tell(json!(3)).is_err(), "nothing is open");
        news.opened(3);
        assert_eq!((tell(json!(3)), tell(json!("3"))), (Ok(()), Ok(())));
        assert!(tell(json!(4)).is_err() && tell(Value::Null).is_err());
        news.reopening();
        assert_eq!(tell(json!(3)), Ok(()), "late");
        news.opened(5);
        news.closed(3);
        assert_eq!(tell(json!(5)), Ok(()));
        assert_eq!(news.take().updates, HashMap::from([("a://1".to_owned(), 3)]));
    }

    #[test]
    fn an_acknowledgement_holds_for_the_open_stream() {
        let news = News::default();
        let grant = |stream: u64, filter: Value| {
            let raw = json!({"notifications": filter, "_meta": {SUBSCRIPTION_ID: stream}});
            news.acknowledged(Some(&raw.to_string()))
        };
        news.opened(3);
        assert_eq!(grant(3, json!({"resourceSubscriptions": ["a://1", 7]})), Ok(()));
        assert_eq!(news.take().granted, Some(vec!["a://1".to_owned()]));
        assert_eq!(grant(3, json!({"toolsListChanged": true})), Ok(()));
        assert_eq!(news.take().granted, Some(Vec::new()));
        news.opened(5);
        assert_eq!(grant(3, json!({})), Ok(()));
        assert_eq!(news.take().granted, None, "late");
        assert!(grant(9, json!({})).is_err() && news.acknowledged(None).is_err());
    }

    #[test]
    fn what_waits_is_bounded() {
        let news = News::default();
        let tell =
            |n: usize| news.updated(Some(&json!({"uri": format!("a://{n}")}).to_string()), false);
        assert!((0..MAX_URIS).all(|n| tell(n).is_ok()));
        assert!(tell(MAX_URIS).is_err() && tell(0).is_ok());
        let long = json!({"uri": "a".repeat(MAX_URI + 1)}).to_string();
        news.take();
        assert!(news.updated(Some(&long), false).is_err());
    }
}
