//! Reads expectations and checks each against the rest of the scenario.

use std::ops::Range;
use std::sync::Arc;

use super::ScriptAct;
use super::findings::{Findings, KnownNames};
use super::groups::script_name;
use super::spanned::Spanned;
use crate::diag::{Diagnostic, Source};
use crate::expect::{Expectation, ExpectationSpec, ScenarioFacts, ScenarioFile, SpecPart};
use crate::tokens::ron_tree::{RonNode, RonTree};
use crate::world::GroupId;

/// Checks all expectations.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &[Spanned<ExpectationSpec>],
    facts: &ScenarioFacts<'_>,
    groups: &KnownNames,
    paths: &KnownNames,
) -> Vec<Expectation> {
    let mut all = Vec::new();
    for written in specs {
        let place = findings.place(written);
        if let Some(spec) = findings.read(written) {
            let mut one = ExpectationInFile {
                name: findings.first_word(written),
                tree: RonTree::of_part(&place.source.text, place.span.clone()),
                source: &place.source,
                findings,
                groups,
                paths,
            };
            all.push(spec.check(place.clone(), &mut one, facts));
        }
    }
    all
}

/// An expectation in its scenario file.
struct ExpectationInFile<'f, 's> {
    name: Range<usize>,
    tree: RonTree<'f>,
    source: &'f Arc<Source>,
    findings: &'f mut Findings<'s>,
    groups: &'f KnownNames,
    paths: &'f KnownNames,
}

impl ExpectationInFile<'_, '_> {
    /// Returns where the value of a field is written.
    fn field(&self, name: &str) -> Option<RonNode<'_, '_>> {
        self.tree.root()?.get(name)
    }
}

impl ScenarioFile for ExpectationInFile<'_, '_> {
    fn source(&self) -> &Arc<Source> {
        self.source
    }

    fn span(&self, part: SpecPart<'_>) -> Range<usize> {
        let field = match part {
            SpecPart::Name => None,
            SpecPart::Field(name) => self.field(name).map(RonNode::span),
        };
        field.unwrap_or_else(|| self.name.clone())
    }

    fn elements(&self, field: &str) -> Vec<Range<usize>> {
        let items = self.field(field).into_iter().flat_map(RonNode::children);
        items.map(RonNode::span).collect()
    }

    fn add(&mut self, what: Diagnostic, place: Range<usize>) {
        self.findings.add(what, place);
    }

    fn add_unless_goals_are_set(&mut self, of: GroupId, what: Diagnostic, place: Range<usize>) {
        self.findings.add_unless(ScriptAct::SetsGoals(of), what, place);
    }

    fn find_group(&mut self, name: &str, place: Range<usize>) -> Option<u16> {
        self.findings.find_at(self.groups, name, place)
    }

    fn find_path(&mut self, name: &str, place: Range<usize>) -> Option<u16> {
        self.findings.find_at(self.paths, name, place)
    }

    fn check_script_name(&mut self, name: &str, place: Range<usize>) {
        script_name(self.findings, name, place, "a script");
    }
}
