//! What `update` wants done, and the only place that asks the registry to do it.

use super::made_up_panic;
use super::msg::{Moment, Msg, Saved};
use super::state::opened;
use super::state::search::Job;
use super::state::sent::Body;
use super::state::traffic::Message;
use crate::content::export::{self, Refusal};
use crate::content::plain_line;
use crate::domain::{CallId, Completable, Fault, FaultKind, ServerId, UntrustedText};
use crate::registry::{Query, Registry, ToolCall};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

/// Something to do outside of the screen's own state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read a resource.
    Read {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// For what, byte for byte as listed.
        uri: UntrustedText,
    },
    /// Render a prompt.
    Render {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which prompt, under the server's own name.
        name: UntrustedText,
        /// What to send.
        arguments: Vec<(String, String)>,
    },
    /// Fill in a template, and read what comes of it.
    Fill {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which template, byte for byte as listed.
        template: UntrustedText,
        /// The variables that have a value.
        values: Vec<(String, String)>,
    },
    /// Call a tool.
    Call {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which tool, under the server's own name.
        name: UntrustedText,
        /// What to send.
        arguments: Map<String, Value>,
        /// Whether to send it although it does not agree with the tool's schema.
        unchecked: bool,
    },
    /// Do this, to which a person said yes.
    Confirmed(Box<Self>),
    /// Watch a resource, or let it go.
    Watch {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which resource, byte for byte as listed.
        uri: UntrustedText,
        /// Whether it is to be watched.
        on: bool,
    },
    /// Ask what could stand in a field.
    Complete {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Whether a prompt or a template is filled in.
        of: Completable,
        /// Which, under the server's own name.
        name: UntrustedText,
        /// Which argument or variable.
        argument: String,
        /// What stands there.
        value: String,
        /// What stands in the others.
        others: Vec<(String, String)>,
    },
    /// Stop a call, and tell the server.
    Cancel(CallId),
    /// Connect a server.
    Connect(ServerId),
    /// Disconnect a server.
    Disconnect(ServerId),
    /// End a server and start it anew.
    Restart(ServerId),
    /// List everything of a server again.
    Refresh(ServerId),
    /// Fetch what a server said beside the protocol.
    Noise(ServerId),
    /// Fetch the messages to and from a server that came after a number.
    Traffic {
        /// Whose.
        server: ServerId,
        /// The number.
        after: u64,
    },
    /// Search through more than one frame has time for; replaces an earlier search.
    Search(Job),
    /// Write a text for the clipboard to the terminal.
    Copy {
        /// What it is, in our words.
        what: String,
        /// The text.
        text: String,
    },
    /// Write a file.
    Save {
        /// Our name for the call.
        call: CallId,
        /// Where, as it was typed.
        path: String,
        /// What.
        body: Body,
        /// Whether a file that is there is to be replaced.
        replace: bool,
    },
    /// Send `Msg::Wake` at this moment; replaces an earlier wish.
    WakeAt(Moment),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Give the terminal back to the shell, and stop until it brings the program back.
    Stop,
    /// End the program.
    Quit,
}

/// What the loop itself has to see to after an effect was taken up.
#[derive(Debug)]
pub(super) enum After {
    /// Nothing.
    Nothing,
    /// An answer that was there at once.
    Answer(Msg),
    /// A text for the clipboard, and what it is.
    Copy(String, String),
    /// A wish to be woken.
    WakeAt(Moment),
    /// The mouse taken, or left to the terminal.
    Mouse(bool),
    /// A stop.
    Stop,
    /// The end.
    Quit,
}

/// Does effects. Owns every task it starts.
pub(super) struct Runner {
    registry: Registry,
    answers: mpsc::Sender<Msg>,
    tasks: JoinSet<()>,
    calls: HashMap<CallId, AbortHandle>,
    /// The search whose results are still wanted.
    latest_search: Arc<AtomicU64>,
}

impl Runner {
    /// A runner, and the channel on which answers come.
    pub(super) fn new(registry: Registry) -> (Self, mpsc::Receiver<Msg>) {
        let (answers, receiver) = mpsc::channel(64);
        let (tasks, calls) = (JoinSet::new(), HashMap::new());
        (Self { registry, answers, tasks, calls, latest_search: Arc::default() }, receiver)
    }

    /// Takes up an effect; never waits.
    pub(super) fn start(&mut self, effect: Effect) -> After {
        self.reap();
        match effect {
            Effect::Read { call, server, uri } => self.read(call, server, uri),
            Effect::Render { call, server, name, arguments } => {
                self.render(call, server, name, arguments);
            }
            Effect::Fill { call, server, template, values } => {
                self.fill(call, server, template, values);
            }
            Effect::Call { call, server, name, arguments, unchecked } => {
                self.call(call, server, name, arguments, unchecked);
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

    fn read(&mut self, call: CallId, server: ServerId, uri: UntrustedText) {
        let (registry, answers) = (self.registry.clone(), self.answers.clone());
        let task = self.tasks.spawn(async move {
            made_up_panic::at("task");
            let result = match registry.read_resource(uri.raw(), Some(server.as_str())).await {
                Ok(reading) => lay_out(move || opened::reading(reading)).await,
                Err(fault) => Err(fault),
            };
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

    fn fill(
        &mut self,
        call: CallId,
        server: ServerId,
        template: UntrustedText,
        values: Vec<(String, String)>,
    ) {
        let (registry, answers) = (self.registry.clone(), self.answers.clone());
        let task = self.tasks.spawn(async move {
            let read = registry.read_template(template.raw(), &values, Some(server.as_str())).await;
            let result = match read {
                Ok(reading) => lay_out(move || opened::reading(reading)).await,
                Err(fault) => Err(fault),
            };
            let _ = answers.send(Msg::Opened { call, result }).await;
        });
        self.calls.insert(call, task);
    }

    fn call(
        &mut self,
        call: CallId,
        server: ServerId,
        name: UntrustedText,
        arguments: Map<String, Value>,
        unchecked: bool,
    ) {
        let (registry, answers) = (self.registry.clone(), self.answers.clone());
        let task = self.tasks.spawn(async move {
            let asked = ToolCall { name: name.raw(), arguments: &arguments, unchecked };
            let result = match registry.call_tool(asked, Some(server.as_str())).await {
                Ok(called) => lay_out(move || opened::called(&called)).await,
                Err(fault) => Err(fault),
            };
            let _ = answers.send(Msg::Opened { call, result }).await;
        });
        self.calls.insert(call, task);
    }

    fn render(
        &mut self,
        call: CallId,
        server: ServerId,
        name: UntrustedText,
        arguments: Vec<(String, String)>,
    ) {
        let (registry, answers) = (self.registry.clone(), self.answers.clone());
        let task = self.tasks.spawn(async move {
            let rendered = registry.get_prompt(name.raw(), &arguments, Some(server.as_str())).await;
            let result = match rendered {
                Ok(rendering) => lay_out(move || opened::rendering(rendering)).await,
                Err(fault) => Err(fault),
            };
            let _ = answers.send(Msg::Opened { call, result }).await;
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
    pub(super) async fn close(mut self) {
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

/// Makes a page away from the screen's thread: a large text takes a while to be looked through.
async fn lay_out<T: Send + 'static>(make: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    tokio::task::spawn_blocking(make)
        .await
        .map_err(|_| Fault::new(FaultKind::Unexpected, "the answer could not be laid out"))
}
