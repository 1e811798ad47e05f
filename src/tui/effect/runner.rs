//! Does effects.

use super::{After, Effect, calls};
use crate::content::export::{self, Refusal};
use crate::content::plain_line;
use crate::domain::{CallId, Fault, FaultKind, ServerId, Tool, UntrustedText};
use crate::registry::{Query, Registry, Track};
use crate::schema::Checker;
use crate::tui::made_up_panic;
use crate::tui::msg::{Msg, Saved};
use crate::tui::state::Page;
use crate::tui::state::search::Job;
use crate::tui::state::sent::Body;
use crate::tui::state::traffic::Message;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

/// Does effects. Owns every task it starts.
pub(in crate::tui) struct Runner {
    registry: Registry,
    answers: mpsc::Sender<Msg>,
    tasks: JoinSet<()>,
    calls: HashMap<CallId, AbortHandle>,
    /// The search whose results are still wanted.
    latest_search: Arc<AtomicU64>,
}

impl Runner {
    /// A runner, and the channel on which answers come.
    pub(in crate::tui) fn new(registry: Registry) -> (Self, mpsc::Receiver<Msg>) {
        let (answers, receiver) = mpsc::channel(64);
        let (tasks, calls) = (JoinSet::new(), HashMap::new());
        (Self { registry, answers, tasks, calls, latest_search: Arc::default() }, receiver)
    }

    /// Takes up an effect; never waits.
    pub(in crate::tui) fn start(&mut self, effect: Effect) -> After {
        self.reap();
        match effect {
            Effect::Read { call, server, uri } => {
                self.open(call, move |registry| calls::read(registry, server, uri));
            }
            Effect::Render { call, server, name, arguments } => {
                self.open(call, move |registry| calls::render(registry, server, name, arguments));
            }
            Effect::Fill { call, server, template, values } => {
                self.open(call, move |registry| calls::fill(registry, server, template, values));
            }
            Effect::Call { call, server, name, arguments, unchecked } => {
                self.open(call, move |registry| {
                    calls::call(registry, server, name, arguments, unchecked)
                });
            }
            Effect::Confirmed(effect) => {
                let confirmed = self.registry.confirmed();
                let before = std::mem::replace(&mut self.registry, confirmed);
                let after = self.start(*effect);
                self.registry = before;
                return after;
            }
            Effect::Watch { call, server, uri, on } => self.watch(call, server, uri, on),
            Effect::Complete { call, server, of, name, argument, value, others } => {
                let (registry, answers) = (self.registry.clone(), self.answers.clone());
                let task = self.tasks.spawn(async move {
                    let query = Query {
                        of,
                        address: name.raw(),
                        argument: &argument,
                        value: &value,
                        others: &others,
                    };
                    let proposed = registry.complete(query, Some(server.as_str())).await;
                    let result = proposed.map(|proposals| proposals.completion);
                    let _ = answers.send(Msg::Completed { call, result }).await;
                });
                self.calls.insert(call, task);
            }
            Effect::Cancel(call) => {
                // Dropping the call's future is what cancels it and tells the server.
                if let Some(task) = self.calls.remove(&call) {
                    task.abort();
                }
            }
            Effect::Connect(server) => self.registry.connect(&server),
            Effect::Disconnect(server) => self.registry.disconnect(&server),
            Effect::Restart(server) => self.registry.restart(&server),
            Effect::Refresh(server) => self.registry.refresh(&server),
            Effect::Noise(server) => {
                let stderr = self.registry.stderr(&server);
                let stray = self.registry.stray(&server);
                return After::Answer(Msg::Noise { server, stderr, stray });
            }
            Effect::Traffic { server, after } => self.traffic(server, after),
            Effect::Check { tool, arguments } => self.check(tool, arguments),
            Effect::Search(job) => self.search(job),
            Effect::Copy { what, text } => return After::Copy(what, text),
            Effect::Save { call, path, body, replace } => self.save(call, path, body, replace),
            Effect::WakeAt(moment) => return After::WakeAt(moment),
            Effect::Mouse(on) => return After::Mouse(on),
            Effect::Stop => return After::Stop,
            Effect::Quit => return After::Quit,
        }
        After::Nothing
    }

    /// Starts what gives a page, and tells how it goes.
    fn open<F>(&mut self, call: CallId, make: impl FnOnce(Registry) -> F)
    where
        F: Future<Output = Result<Page, Fault>> + Send + 'static,
    {
        let track = Track::default();
        let page = make(self.registry.tracked(track.clone()));
        let answers = self.answers.clone();
        let task = self.tasks.spawn(async move {
            made_up_panic::at("task");
            let result = calls::told(call, &track, &answers, page).await;
            // Nobody listens any more only when the screen has ended.
            let _ = answers.send(Msg::Opened { call, result }).await;
        });
        self.calls.insert(call, task);
    }

    fn watch(&mut self, call: CallId, server: ServerId, uri: UntrustedText, on: bool) {
        let (registry, answers) = (self.registry.clone(), self.answers.clone());
        let task = self.tasks.spawn(async move {
            let (uri, server) = (uri.raw(), Some(server.as_str()));
            let result = match on {
                true => registry.subscribe(uri, server).await,
                false => registry.unsubscribe(uri, server).await,
            };
            let _ = answers.send(Msg::Watched { call, result }).await;
        });
        self.calls.insert(call, task);
    }

    /// Messages are read, and looked into, away from the screen's thread.
    fn traffic(&mut self, server: ServerId, after: u64) {
        let (registry, answers) = (self.registry.clone(), self.answers.clone());
        self.tasks.spawn(async move {
            let whose = server.clone();
            let read = move || {
                let entries = registry.traffic_after(&whose, after);
                let messages = entries.into_iter().map(|entry| Arc::new(Message::new(entry)));
                (messages.collect(), registry.oldest_message(&whose))
            };
            let (messages, oldest) = tokio::task::spawn_blocking(read).await.unwrap_or_default();
            let _ = answers.send(Msg::Traffic { server, after, oldest, messages }).await;
        });
    }

    /// Away from the screen, and from the tasks that an end waits for: it can take long.
    fn check(&mut self, tool: Arc<Tool>, arguments: Map<String, Value>) {
        let answers = self.answers.clone();
        self.tasks.spawn(async move {
            let (of, value) = (tool.clone(), Value::Object(arguments.clone()));
            let check = move || Checker::new(&of.input_schema)?.check(&value);
            let found = tokio::task::spawn_blocking(check).await;
            let found = found.unwrap_or_else(|_| Err("the check failed".into()));
            let _ = answers.send(Msg::Checked { tool, arguments, found }).await;
        });
    }

    fn search(&mut self, job: Job) {
        let (latest, answers) = (self.latest_search.clone(), self.answers.clone());
        latest.store(job.id, Ordering::Relaxed);
        self.tasks.spawn_blocking(move || {
            let wanted = || latest.load(Ordering::Relaxed) == job.id && !answers.is_closed();
            job.run(wanted, |found| {
                // Nobody listens any more only when the screen has ended.
                let _ = answers.blocking_send(Msg::Found(found));
            });
        });
    }

    fn save(&mut self, call: CallId, path: String, body: Body, replace: bool) {
        let answers = self.answers.clone();
        self.tasks.spawn(async move {
            let write = move || write_file(&path, &body, replace);
            let result = tokio::task::spawn_blocking(write).await.unwrap_or_else(|_| {
                let fault = Fault::new(FaultKind::Unexpected, "the file could not be written");
                Err(Refusal { exists: false, fault })
            });
            let _ = answers.send(Msg::Saved { call, result }).await;
        });
    }

    /// Forgets what has ended.
    fn reap(&mut self) {
        while self.tasks.try_join_next().is_some() {}
        self.calls.retain(|_, task| !task.is_finished());
    }

    /// Stops every call and waits until all are gone.
    pub(in crate::tui) async fn close(mut self) {
        self.latest_search.store(u64::MAX, Ordering::Relaxed);
        self.tasks.shutdown().await;
    }
}

/// Writes what is saved below the folder that the program was started in, or where a whole path
/// says.
fn write_file(typed: &str, body: &Body, replace: bool) -> Result<Saved, Refusal> {
    let folder = std::env::current_dir().map_err(|error| {
        let fault = Fault::new(FaultKind::Unexpected, "the folder of this program has gone");
        Refusal { exists: false, fault: fault.because(error.to_string()) }
    })?;
    let path = export::within(&folder, typed)?;
    let bytes = body.file(typed);
    export::write(&path, &bytes, replace)?;
    let path = plain_line(&typed.to_owned().into());
    Ok(Saved { path, bytes: bytes.len() })
}
