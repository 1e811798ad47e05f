//! What is asked of servers and gives a page: reads, prompts, calls of tools.

use crate::domain::{CallId, Fault, FaultKind, ServerId, UntrustedText};
use crate::registry::{Registry, ToolCall, Track};
use crate::tui::msg::Msg;
use crate::tui::state::{Page, called, opened};
use serde_json::{Map, Value};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::mpsc;

/// The shortest time between two words of how a call goes; what comes between them is replaced by
/// what comes after.
const BETWEEN: Duration = Duration::from_millis(50);

/// Reads a resource.
pub(super) async fn read(
    registry: Registry,
    server: ServerId,
    uri: UntrustedText,
) -> Result<Page, Fault> {
    let reading = registry.read_resource(uri.raw(), Some(server.as_str())).await?;
    lay_out(move || opened::reading(reading)).await
}

/// Fills in a template, and reads what comes of it.
pub(super) async fn fill(
    registry: Registry,
    server: ServerId,
    template: UntrustedText,
    values: Vec<(String, String)>,
) -> Result<Page, Fault> {
    let reading = registry.read_template(template.raw(), &values, Some(server.as_str())).await?;
    lay_out(move || opened::reading(reading)).await
}

/// Renders a prompt.
pub(super) async fn render(
    registry: Registry,
    server: ServerId,
    name: UntrustedText,
    arguments: Vec<(String, String)>,
) -> Result<Page, Fault> {
    let rendering = registry.get_prompt(name.raw(), &arguments, Some(server.as_str())).await?;
    lay_out(move || opened::rendering(rendering)).await
}

/// Calls a tool.
pub(super) async fn call(
    registry: Registry,
    server: ServerId,
    name: UntrustedText,
    arguments: Map<String, Value>,
    unchecked: bool,
) -> Result<Page, Fault> {
    let asked = ToolCall { name: name.raw(), arguments: &arguments, unchecked };
    let called = registry.call_tool(asked, Some(server.as_str())).await?;
    lay_out(move || called::page(called)).await
}

/// Runs a call, and tells meanwhile how it goes: only when there is something new.
pub(super) async fn told<T>(
    call: CallId,
    track: &Track,
    answers: &mpsc::Sender<Msg>,
    run: impl Future<Output = T>,
) -> T {
    let mut news = track.subscribe();
    let tell = async {
        while news.changed().await.is_ok() {
            let state = news.borrow_and_update().clone();
            // Nobody listens any more only when the screen has ended.
            let _ = answers.send(Msg::Progress { call, state }).await;
            tokio::time::sleep(BETWEEN).await;
        }
        std::future::pending::<Infallible>().await
    };
    tokio::select! {
        biased;
        result = run => result,
        never = tell => match never {},
    }
}

/// Makes a page away from the screen's thread: a large text takes a while to be looked through.
async fn lay_out<T: Send + 'static>(make: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    tokio::task::spawn_blocking(make)
        .await
        .map_err(|_| Fault::new(FaultKind::Unexpected, "the answer could not be laid out"))
}
