//! One sampling request each way: the legacy road (a server's request) and the modern one (a round
//! inside a read), through the whole stack over a real pipe, with the server written by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod legacy;
mod modern;
mod person;
mod server;
#[path = "../support/wire.rs"]
mod wire;

use person::Person;
use server::{Era, Server};
use std::{sync::Arc, time::Duration};
use vestibule::{
    config::Limits,
    domain::{Message, Model, ModelPreferences, ServerId},
    provider::ClosureProvider,
    registry::Registry,
    sampling::{SamplingPolicy, SamplingService},
};

/// Everything a test needs: the registry, the server's side of the pipe, and the person.
struct Scene {
    registry: Registry,
    server: Server,
    person: Person,
}

/// What the model of these tests answers.
const MODEL_SAYS: &str = "an answer with é, \u{202e} and \"quotes\"";

/// Connects a scripted server, with a sampling service attached or not.
async fn scene(era: Era, attached: bool) -> Scene {
    let (server, opener) = Server::scripted();
    let person = Person::default();
    let provider = ClosureProvider::new(async |_: Vec<Message>, _: Option<ModelPreferences>| {
        Ok(MODEL_SAYS.to_owned())
    });
    let model = Model { name: "canned".into(), endpoint: "closure".into() };
    let service = SamplingService::new(
        Arc::new(person.approver()),
        Arc::new(provider),
        model,
        SamplingPolicy::default(),
    );
    let limits = Limits { request: Duration::from_secs(5), ..Limits::default() };
    let name = ServerId::sanitized("scripted");
    let mut builder = Registry::builder().limits(limits).in_process("scripted", opener);
    if attached {
        builder = builder.with_sampling(&name, Arc::new(service));
    }
    let registry = builder.open().expect("a registry");
    let mut scene = Scene { registry, server, person };
    scene.server.shake_hands(era).await;
    scene
}

impl Scene {
    /// Begins a read in the background.
    fn read(&self) -> tokio::task::JoinHandle<Result<String, vestibule::domain::Fault>> {
        let registry = self.registry.clone();
        tokio::spawn(async move {
            let reading = registry.read_resource("a://x", Some("scripted")).await?;
            Ok(format!("{:?}", reading.contents))
        })
    }
    /// Closes, and holds all that was sent against the schema.
    async fn close(self) {
        self.registry.close().await;
        let traffic = self.registry.traffic(&ServerId::sanitized("scripted"));
        let checked = wire::Wire::new().check_traffic(&traffic).expect("the schema");
        assert!(checked > 2, "an opening and lists at least");
    }
}

#[test]
fn the_check_of_what_is_sent_can_fail() {
    wire::the_check_can_fail(&wire::Wire::new()).expect("it can");
}
