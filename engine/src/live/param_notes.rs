//! What the files of a session say of params: the comments beside them, and what scripts do with them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diag::Source;
use crate::runner::Run;
use crate::scenario::text_parts::{comment, walk};
use crate::script::Mentions;
use crate::tokens::ron_tree::RonTree;
use crate::world::Group;

/// What the files say of a param of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParamNote {
    /// The comment beside it in the scenario.
    pub comment: Option<String>,
    /// Whether the script of the group only multiplies forces by it: with 0, nothing is left of these.
    pub is_weight: bool,
    /// Whether the group only has it because all groups share it: scripts of other groups read it, and its own does not.
    pub is_for_others: bool,
}

/// What the files say of params, by the names of groups and params.
pub type ParamNotes = BTreeMap<String, BTreeMap<String, ParamNote>>;

/// Returns what a scenario and its scripts say of the params of each group.
pub(super) fn param_notes(scenario: &Source, run: &Run) -> ParamNotes {
    let tree = RonTree::new(&scenario.text);
    let all_mentions = run.mentions();
    let note = |group: &Group, mentions: &Mentions, param: &str| {
        let own = ["groups", &group.name, "params", param];
        let comment = comment(&tree, &own).or_else(|| comment(&tree, &["params", param]));
        let is_for_others = walk(&tree, &own).is_err()
            && !mentions.reads_param(param)
            && all_mentions.iter().any(|others| others.reads_param(param));
        ParamNote { comment, is_weight: mentions.is_weight(param), is_for_others }
    };
    let of_group = |(group, mentions): (&Group, &Rc<Mentions>)| {
        let params = group.params.iter().map(|(param, _)| param.to_owned());
        let notes = params.map(|param| (param.clone(), note(group, mentions, &param)));
        (group.name.to_string(), notes.collect())
    };
    run.simulation().world().groups.iter().zip(&all_mentions).map(of_group).collect()
}
