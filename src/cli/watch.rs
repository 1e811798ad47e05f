//! `vestibule watch URI`: one resource, and once more whenever its server says that it changed.

use super::{Common, Given, Options, Read, Reporter, outcome::Stop, read};
use crate::{
    domain::{Fault, Link, Subscription, SubscriptionState},
    registry::{Reading, Registry, RegistryView},
};
use clap::Args;
use std::{io::Write, num::NonZeroU64};

pub(super) const WATCH_EXAMPLES: &str = "\
Examples:
  vestibule watch library://notices/today --demo            until Ctrl-C
  vestibule watch observatory://conditions/now.json --count 3 --json --demo";

/// `watch URI`
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Watch {
    /// Its URI, or SERVER:URI
    #[arg(value_name = "URI")]
    pub uri: String,
    /// End after this many readings, the first one included
    #[arg(long, value_name = "N")]
    pub count: Option<NonZeroU64>,
    /// Say yes where your permissions want one
    #[arg(long)]
    pub yes: bool,
    /// Options after the command's name.
    #[command(flatten)]
    pub common: Common,
}

/// Prints what was read first, and each later reading, until there were enough. A loss of the
/// server is waited out for as long as it is going to be connected again.
pub(super) async fn follow(
    registry: &Registry,
    watch: &Watch,
    first: Reading,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<(), Stop> {
    let plain = Read {
        uri: watch.uri.clone(),
        given: Given::default(),
        raw: false,
        output: None,
        force: false,
        yes: watch.yes,
        common: Common::default(),
    };
    let mut views = registry.watch();
    let (mut reading, mut shown) = (first, 0);
    let mut printed = 0;
    loop {
        if printed > 0 && !options.json {
            out.write_all(b"\n")?;
        }
        read::present(&plain, &reading, options, out, reporter)?;
        out.flush()?;
        printed += 1;
        if watch.count.is_some_and(|count| printed >= count.get()) {
            return Ok(());
        }
        let waited = views.wait_for(|view| news(view, &reading, shown).is_some()).await;
        // The registry is open for as long as this handle is.
        let change = waited.ok().and_then(|view| news(&view, &reading, shown));
        let Some(change) = change else { return Ok(()) };
        shown = change?;
        reading = registry.read_resource(&watch.uri, options.server.as_deref()).await?;
    }
}

/// The subscription of what was read, as long as there is one.
fn subscription<'a>(view: &'a RegistryView, reading: &Reading) -> Option<&'a Subscription> {
    let server = view.server(&reading.server)?;
    server.subscriptions.iter().find(|subscription| subscription.uri == reading.uri)
}

/// Whether there is something to do: to read again, for which the generation is given, or to end,
/// because nothing more will be told.
fn news(view: &RegistryView, reading: &Reading, shown: u64) -> Option<Result<u64, Fault>> {
    let subscription = subscription(view, reading)?;
    let server = view.server(&reading.server)?;
    let waits = server.again.is_some() || !matches!(server.link, Link::Down { .. } | Link::Idle);
    match &subscription.state {
        SubscriptionState::Refused(why) => Some(Err(why.clone())),
        SubscriptionState::Dropped(why) if !waits => Some(Err(why.clone())),
        SubscriptionState::Dropped(_) | SubscriptionState::Asking => None,
        SubscriptionState::Active => {
            (subscription.generation > shown).then_some(Ok(subscription.generation))
        }
    }
}
