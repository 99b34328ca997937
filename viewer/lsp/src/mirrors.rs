//! Findings in scripts that a scenario may cause: they are in the script and, if the scenario was edited last, also there, where a group that
//! lacks something names its behavior, or at a param that should be a number or has nearly the name that the script reads.

use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::{Place, Remedy};
use flockwork_engine::schema::NameKind;
use serde_json::json;

use super::names::in_scenario;
use super::project::Project;

/// A finding in a script, with the places of a scenario that cause it.
pub(super) struct Mirror<'f> {
    pub(super) finding: &'f Diagnostic,
    /// The names of the behaviors of the groups, or the value or the name of a param: at least one.
    pub(super) places: Vec<Place>,
    cause: Cause,
}

/// What a scenario has done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Groups lack something.
    Lack,
    /// A param should be a number.
    WrongValue,
    /// A param has a name that is nearly the one that the script reads.
    WrongName,
}

impl<'f> Mirror<'f> {
    /// Returns the finding and what it is about in a scenario. `None` if the scenario does not cause it.
    fn new(project: &Project, finding: &'f Diagnostic, scenario: &Path) -> Option<Self> {
        let cause = finding.remedies.0.iter().find_map(|remedy| match remedy {
            // Rather a slip in the script, if the scenario has no such name.
            Remedy::Name { .. } => Some(Cause::WrongName),
            Remedy::ParamInQuotes { .. } => Some(Cause::WrongValue),
            _ => None,
        });
        if let Some(cause) = cause {
            let fixes = finding.fixes().into_iter().map(|fix| fix.place);
            let is_here = |place: &Place| {
                let is_replaced = !place.span.is_empty();
                is_replaced && project.path_of(&place.source) == scenario
            };
            let places: Vec<Place> = fixes.filter(is_here).collect();
            return (!places.is_empty()).then_some(Self { finding, places, cause });
        }
        let groups = finding.remedies.0.iter().filter_map(|remedy| match remedy {
            Remedy::Declare { group, .. } => Some(group),
            _ => None,
        });
        let groups: Vec<&String> = groups.collect();
        let script = project.path_of(&finding.place.as_ref()?.source);
        if script == scenario || groups.is_empty() {
            return None;
        }
        let names = in_scenario(&project.read(scenario).ok()?).into_iter();
        let behaviors = names.filter(|name| {
            name.kind == NameKind::Script
                && name.group.as_ref().is_some_and(|group| groups.contains(&group))
        });
        let places: Vec<Place> = behaviors.map(|name| name.place).collect();
        (!places.is_empty()).then_some(Self { finding, places, cause: Cause::Lack })
    }

    /// Returns the finding for the protocol: at the first place. The others and the place in the script belong to it.
    pub(super) fn diagnostic(&self, project: &Project) -> lsp_types::Diagnostic {
        let (first, others) = (self.places[0].clone(), &self.places[1..]);
        let use_of_it = match self.cause {
            Cause::Lack | Cause::WrongName => "the script needs it here",
            Cause::WrongValue => "the script takes it for a number here",
        };
        let cause = self.finding.place.clone().map(|place| (place, use_of_it));
        let others = others.iter().cloned().map(|place| (place, "this group lacks it, too"));
        let related = cause.into_iter().chain(others);
        let mut finding = self.finding.clone();
        finding.place = Some(first);
        finding.label.clear();
        if let Some(Remedy::Name { written, .. }) = finding.remedies.0.first() {
            finding.help = vec![format!("is this name misspelt? The script reads `{written}`")];
        }
        finding.related = related.map(|(place, what)| (place, what.to_owned())).collect();
        let shown = super::diagnostics::diagnostic(project, &finding, &[]);
        lsp_types::Diagnostic { data: Some(json!({ "mirror": true })), ..shown }
    }
}

impl Project {
    /// Returns the findings that are marked in scenarios, too, since these were edited after the scripts.
    pub(super) fn mirrors(&self) -> impl Iterator<Item = Mirror<'_>> {
        self.findings_of_checks().filter_map(|(finding, path)| {
            let script = self.path_of(&finding.place.as_ref()?.source);
            let is_last = self.last_edit(path) > self.last_edit(&script);
            Mirror::new(self, finding, path).filter(|_| is_last)
        })
    }

    /// Returns a finding with the places of a scenario that may cause it, as what belongs to it.
    pub(super) fn with_causes(&self, finding: &Diagnostic, scenario: &Path) -> Diagnostic {
        // Where a param is declared belongs to the finding already.
        let mirror =
            Mirror::new(self, finding, scenario).filter(|mirror| mirror.cause == Cause::Lack);
        let behaviors = mirror.into_iter().flat_map(|mirror| mirror.places);
        behaviors
            .fold(finding.clone(), |finding, place| finding.related(place, "this group lacks it"))
    }
}
