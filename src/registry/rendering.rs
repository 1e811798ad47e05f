//! Rendering a prompt by its name.

use super::{Addressed, Registry, RegistryView, Row, address, arguments, prompts};
use crate::domain::{Fault, ListingState, RenderedPrompt, ServerId, Surface, UntrustedText};
use std::time::{Duration, Instant};

/// What a prompt rendered to.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendering {
    /// Who was asked.
    pub server: ServerId,
    /// For which prompt, under the server's own name.
    pub name: UntrustedText,
    /// The messages.
    pub prompt: RenderedPrompt,
    /// How long the server took.
    pub took: Duration,
}

impl Registry {
    /// Renders a prompt by its name, bare or qualified, or, with a server named, by that server's
    /// own name. Arguments are checked against what the prompt says it takes before anything is
    /// sent; they are then sent as they are.
    ///
    /// # Errors
    /// A [`Fault`] that says what went wrong, where and what to try.
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: &[(String, String)],
        server: Option<&str>,
    ) -> Result<Rendering, Fault> {
        let view = self.listed_for(Surface::Prompts, name, server, prompts).await;
        let (noun, rows) = ("prompt", prompts(&view));
        let meaning = address::resolve(&view, rows, name, server, noun)?;
        let member = self.member_for(&meaning, Surface::Prompts, noun, name)?;
        let listed = |row: &&Row<_>| {
            row.server == meaning.server && Addressed::bare(&*row.item).raw() == meaning.bare
        };
        match rows.iter().find(listed) {
            Some(row) => {
                arguments::check(&row.item, arguments)
                    .map_err(|fault| fault.of(&meaning.server))?;
            }
            // Never listed, by a server whose list is whole: its arguments cannot be checked, so
            // the server has to be named.
            None if server.is_none() && lists_all_prompts(&view, &meaning.server) => {
                return Err(address::not_found(noun, name));
            }
            None => {}
        }
        self.ask_yes(&meaning, Surface::Prompts, noun)?;
        let began = Instant::now();
        let prompt = member.session.get_prompt(&meaning.bare, arguments, &self.track).await?;
        let name = meaning.bare.into();
        Ok(Rendering { server: meaning.server, name, prompt, took: began.elapsed() })
    }
}

fn lists_all_prompts(view: &RegistryView, server: &ServerId) -> bool {
    view.server(server).is_some_and(|s| s.lists.prompts.state == ListingState::Fresh)
}
