//! Findings in scripts that a scenario causes are marked in the scenario, too: where a group that lacks something names its behavior.

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::{Place, Remedy};
use flockwork_engine::schema::NameKind;
use serde_json::json;

use super::names::in_scenario;
use super::project::Project;

/// A finding in a script, with the places of a scenario that cause it.
pub(super) struct Mirror<'f> {
    pub(super) finding: &'f Diagnostic,
    /// The names of the behaviors of the groups, at least one.
    pub(super) behaviors: Vec<Place>,
}

impl Mirror<'_> {
    /// Returns the finding for the protocol: at the first behavior. The others and the place in the script belong to it.
    pub(super) fn diagnostic(&self, project: &Project) -> lsp_types::Diagnostic {
        let (first, others) = (self.behaviors[0].clone(), &self.behaviors[1..]);
        let cause = self.finding.place.clone().map(|place| (place, "the script needs it here"));
        let others = others.iter().cloned().map(|place| (place, "this group lacks it, too"));
        let related = cause.into_iter().chain(others);
        let mut finding = self.finding.clone();
        finding.place = Some(first);
        finding.label.clear();
        finding.related = related.map(|(place, what)| (place, what.to_owned())).collect();
        let shown = super::diagnostics::diagnostic(project, &finding, &[]);
        lsp_types::Diagnostic { data: Some(json!({ "mirror": true })), ..shown }
    }
}

impl Project {
    /// Returns the findings that are marked in scenarios, too.
    pub(super) fn mirrors(&self) -> Vec<Mirror<'_>> {
        let mut all = Vec::new();
        for (finding, path) in self.findings_of_checks() {
            // A slip in the script: the groups lack nothing.
            if finding.remedies.0.iter().any(|remedy| matches!(remedy, Remedy::Name { .. })) {
                continue;
            }
            let groups = finding.remedies.0.iter().filter_map(|remedy| match remedy {
                Remedy::Declare { group, .. } => Some(group),
                _ => None,
            });
            let groups: Vec<&String> = groups.collect();
            let is_elsewhere =
                finding.place.as_ref().is_some_and(|place| self.path_of(&place.source) != path);
            let scenario = self.read(path).ok().filter(|_| is_elsewhere && !groups.is_empty());
            let names = scenario.map(|source| in_scenario(&source)).unwrap_or_default();
            let behaviors = names.into_iter().filter(|name| {
                name.kind == NameKind::Script
                    && name.group.as_ref().is_some_and(|group| groups.contains(&group))
            });
            let behaviors: Vec<Place> = behaviors.map(|name| name.place).collect();
            if !behaviors.is_empty() {
                all.push(Mirror { finding, behaviors });
            }
        }
        all
    }
}
