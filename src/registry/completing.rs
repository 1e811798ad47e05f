//! Completion: what could stand in one argument of a prompt or variable of a template.

use super::{
    Addressed, Registry, Row, address,
    arguments::{names_of, shown},
    prompts,
    reading::parsed,
    templates,
};
use crate::domain::{Completable, Completion, Fault, FaultKind, ServerId, Surface};

/// What is to be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// Whether the address is that of a prompt or of a template.
    pub of: Completable,
    /// Its address, bare or qualified.
    pub address: &'a str,
    /// The argument or variable, by its bare name.
    pub argument: &'a str,
    /// What is written there so far.
    pub value: &'a str,
    /// What is filled in elsewhere; the argument itself is passed over.
    pub others: &'a [(String, String)],
}

/// What a server proposed, and which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposals {
    /// Who was asked.
    pub server: ServerId,
    /// What it proposes.
    pub completion: Completion,
}

impl Registry {
    /// Asks what could stand in one argument of a prompt or variable of a template. Dropping the
    /// future cancels the request and tells the server.
    ///
    /// # Errors
    /// A [`Fault`]: nothing is sent to a server that offers no completion, or for a name that the
    /// prompt or template does not have.
    pub async fn complete(
        &self,
        query: Query<'_>,
        server: Option<&str>,
    ) -> Result<Proposals, Fault> {
        let address = query.address;
        let (meaning, known, surface, noun) = match query.of {
            Completable::Prompt => {
                let view = self.listed_for(Surface::Prompts, address, server, prompts).await;
                let rows = prompts(&view);
                let meaning = address::resolve(&view, rows, address, server, "prompt")?;
                let row = rows.iter().find(|row| is_it(row, &meaning));
                (meaning, row.map(|row| names_of(&row.item)), Surface::Prompts, "prompt")
            }
            Completable::Template => {
                let view = self.listed_for(Surface::Resources, address, server, templates).await;
                let rows = templates(&view);
                let meaning = address::resolve(&view, rows, address, server, "template")?;
                let of = |fault: Fault| fault.of(&meaning.server);
                let variables = parsed(&meaning.bare).map_err(of)?.variables().to_vec();
                (meaning, Some(variables), Surface::Resources, "template")
            }
        };
        let member = self.member_for(&meaning, surface, noun, address)?;
        let given = std::iter::once(query.argument).chain(query.others.iter().map(|(k, _)| &**k));
        if let Some(known) = known {
            check(&known, given, noun).map_err(|fault| fault.of(&meaning.server))?;
        }
        let mut others = query.others.to_vec();
        others.retain(|(name, _)| name != query.argument);
        let argument = (query.argument, query.value);
        let session = &member.session;
        let completion = session.complete(query.of, &meaning.bare, argument, &others).await?;
        Ok(Proposals { server: meaning.server, completion })
    }

    /// Whether an address means a listed prompt of some server. Waits for the lists.
    pub async fn is_prompt(&self, address: &str, server: Option<&str>) -> bool {
        let view = self.listed_for(Surface::Prompts, address, server, prompts).await;
        super::is_listed(prompts(&view), address, server)
    }
}

fn is_it<T: Addressed>(row: &Row<T>, meaning: &address::Meaning) -> bool {
    row.server == meaning.server && row.item.bare().raw() == meaning.bare
}

/// Refuses a name that the prompt or template does not have.
fn check<'a>(
    known: &[String],
    mut given: impl Iterator<Item = &'a str>,
    noun: &str,
) -> Result<(), Fault> {
    let Some(unknown) = given.find(|name| !known.iter().any(|k| k == name)) else { return Ok(()) };
    let what = format!("the {noun} has no argument `{}`", shown(unknown));
    let names: Vec<String> = known.iter().map(|name| shown(name)).collect();
    let takes = if names.is_empty() { "no arguments".to_owned() } else { names.join(", ") };
    Err(Fault::new(FaultKind::Validation, what).hint(format!("it takes: {takes}")))
}
