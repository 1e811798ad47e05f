//! Proposals for the field that has the keys: asked for after a pause, one request at a time, and
//! shown for the very text they were asked for.

use crate::domain::{CallId, Completable, Completion, Fault};
use crate::tui::effect::Effect;
use crate::tui::msg::Moment;
use crate::tui::state::form::{Filled, Form};
use crate::tui::state::offers::{Offers, PAUSE};
use crate::tui::state::{State, TextField};

/// Brings the proposals in line with what stands in the form, after every message.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let mut effects = Vec::new();
    let form = state.form.as_ref();
    if !state.offers.fit(form) {
        effects.extend(state.offers.asked.map(Effect::Cancel));
        let asks = form.is_some_and(|form| form.tool().is_none() && state.completes(form));
        let due = asks.then(|| Moment(state.now.0 + PAUSE));
        state.offers = Offers::begin(form, due);
        state.offers.answer = form.and_then(choices);
    }
    if state.offers.due.is_some_and(|due| due <= state.now) {
        state.offers.due = None;
        effects.extend(ask(state));
    }
    effects
}

/// What the schema of a tool lets choose among is proposed like the values of a server.
fn choices(form: &Form) -> Option<Result<Completion, Fault>> {
    let values: Vec<_> = form.field()?.choices().into_iter().map(|(value, _)| value).collect();
    let completion = Completion { values, total: None, has_more: false, left_out: 0 };
    (!completion.values.is_empty()).then_some(Ok(completion))
}

fn ask(state: &mut State) -> Option<Effect> {
    let call = state.mint();
    let form = state.form.as_ref()?;
    let field = form.field()?;
    let effect = Effect::Complete {
        call,
        server: form.key.server.clone(),
        of: match form.of {
            Filled::Prompt => Completable::Prompt,
            Filled::Template(_) => Completable::Template,
            // A tool's arguments are not completed by its server.
            Filled::Tool(_) => return None,
        },
        name: form.key.name.clone(),
        argument: field.name.raw().to_owned(),
        value: field.input.text().to_owned(),
        others: form.others(),
    };
    state.offers.asked = Some(call);
    Some(effect)
}

/// An answer: taken for the text it was asked for, or not at all.
pub(super) fn answered(state: &mut State, call: CallId, result: Result<Completion, Fault>) {
    if state.offers.asked == Some(call) {
        state.offers.asked = None;
        state.offers.answer = Some(result);
    }
}

/// Puts the chosen proposal into the field. Gives whether there was one. It is not asked about:
/// what was chosen is whole.
pub(super) fn take(state: &mut State) -> bool {
    let Some(value) = state.offers.value().map(str::to_owned) else { return false };
    let Some(form) = &mut state.form else { return false };
    form.touched();
    let Some(field) = form.field_mut() else { return false };
    field.input = TextField::new(value);
    field.problem = None;
    state.offers = Offers::begin(state.form.as_ref(), None);
    true
}
