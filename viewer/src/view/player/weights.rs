//! Switches of weights: with 0, what a param is the weight of is not there.

use flockwork_engine::live::WeightChanges;

use super::Player;

impl Player {
    /// Switches a weight off, or on again.
    pub(super) fn switch_weight(&mut self, group: &str, param: &str) {
        match self.weight_switches.switch(&self.session, group, param) {
            Ok(changes) => self.set_weights(group, changes),
            Err(words) => self.notice(words, true),
        }
    }

    /// Switches all weights of a group off but one. If they are off, switches all on again.
    pub(super) fn only_weight(&mut self, group: &str, only: &str) {
        let (changes, words) = self.weight_switches.only(&self.session, group, only);
        self.set_weights(group, changes);
        self.notice(words, false);
    }

    fn set_weights(&mut self, group: &str, changes: WeightChanges) {
        self.asked_to_write_off = false;
        self.params_aside.clear();
        let changes = changes.into_iter().map(|(param, value)| ((group.to_owned(), param), value));
        self.change_params(changes.collect());
    }
}
