//! What was typed into forms, in case they are opened again.

use super::ItemKey;
use super::form::Form;
use std::collections::VecDeque;

/// The most forms that are kept.
const KEPT: usize = 64;

/// Forms that were closed, the last one last; one for each item.
#[derive(Debug, Clone, Default)]
pub struct Parked(VecDeque<Form>);

impl Parked {
    /// Keeps a form, in place of an older one of the same item. Beyond the bound the oldest goes.
    pub fn keep(&mut self, mut form: Form) {
        form.rest();
        self.0.retain(|kept| kept.key != form.key);
        self.0.push_back(form);
        if self.0.len() > KEPT {
            self.0.pop_front();
        }
    }

    /// Lets the form of an item be opened again where its arguments are shown as JSON.
    pub fn reopen_json(&mut self, key: &ItemKey) {
        self.0.iter_mut().filter(|kept| kept.key == *key).for_each(Form::reopen_json);
    }

    /// Takes out the form that asks for the same things of the same item.
    pub fn take(&mut self, fresh: &Form) -> Option<Form> {
        let at = self.0.iter().position(|kept| kept.is_like(fresh))?;
        self.0.remove(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Prompt;
    use crate::tui::state::Kind;

    fn form(name: &str) -> Form {
        let key = ItemKey {
            server: crate::domain::ServerId::sanitized("s"),
            kind: Kind::Prompt,
            name: name.into(),
        };
        let prompt =
            Prompt { name: name.into(), title: None, description: None, arguments: vec![] };
        Form::of_prompt(key, &prompt)
    }

    #[test]
    fn each_item_has_its_own_and_the_oldest_go() {
        let mut parked = Parked::default();
        for n in 0..KEPT + 2 {
            parked.keep(form(&n.to_string()));
        }
        parked.keep(form("2"));
        assert!(parked.take(&form("1")).is_none(), "one of the oldest");
        assert!(parked.take(&form("2")).is_some());
        assert!(parked.take(&form("2")).is_none(), "kept once");
        assert!(parked.take(&form("3")).is_some());
    }
}
