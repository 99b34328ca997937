//! Checks an expectation against the rest of its scenario.

use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;

use crate::diag::{Diagnostic, Place, Source};
use crate::number::Natural;
use crate::schema::{Described, NameKind, Shape};
use crate::sim::{Action, Event, Spawn, State};
use crate::world::{Group, GroupId, PathId};

/// The facts that an expectation is checked against: what the rest of the scenario says.
pub struct ScenarioFacts<'a> {
    /// The tick at which a run begins.
    pub from: u64,
    /// The tick at which the run ends.
    pub ticks: u64,
    /// Seconds per tick.
    pub dt: f32,
    /// All groups.
    pub groups: &'a [Group],
    /// Where the agents of each group start, in the order of the groups.
    pub spawns: &'a [Spawn],
    /// The state that the run begins in, if the scenario has a `start`.
    pub start: Option<&'a State>,
    /// All events.
    pub events: &'a [Event],
    /// Number of obstacles.
    pub obstacles: usize,
    /// Whether everything else could be read. If not, the scenario may contain things that are missing here.
    pub is_complete: bool,
}

/// A part of an expectation in its scenario file.
#[derive(Clone, Copy, Debug)]
pub enum SpecPart<'p> {
    /// Its name.
    Name,
    /// The value of a field.
    Field(&'p str),
}

/// The scenario file in which an expectation is written: it knows positions and names, and takes errors.
pub trait ScenarioFile {
    /// Returns the file.
    fn source(&self) -> &Arc<Source>;

    /// Returns where a part of the expectation is written.
    fn span(&self, part: SpecPart<'_>) -> Range<usize>;

    /// Returns where the elements of the list in a field are written.
    fn elements(&self, field: &str) -> Vec<Range<usize>>;

    /// Reports an error or a warning at a span.
    fn add(&mut self, what: Diagnostic, span: Range<usize>);

    /// Reports an error at a span that holds unless a script sets goals of agents of a group.
    fn add_unless_goals_are_set(&mut self, of: GroupId, what: Diagnostic, span: Range<usize>);

    /// Returns the index of the group with this name. If there is none, reports an error at the span.
    fn find_group(&mut self, name: &str, span: Range<usize>) -> Option<u16>;

    /// Returns the index of the path with this name. If there is none, reports an error at the span.
    fn find_path(&mut self, name: &str, span: Range<usize>) -> Option<u16>;

    /// Checks that a name can be the name of a script. If not, reports an error at the span.
    fn check_script_name(&mut self, name: &str, span: Range<usize>);
}

/// The name of a group or path, and its id once the scenario has been checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String", bound = "")]
pub(super) struct NameRef<I> {
    name: String,
    id: Option<I>,
}

impl Described for NameRef<GroupId> {
    fn shape() -> Shape {
        Shape::Name(NameKind::Group)
    }
}

impl Described for NameRef<PathId> {
    fn shape() -> Shape {
        Shape::Name(NameKind::Path)
    }
}

/// One group, or all agents if it is `None`.
pub(super) type GroupFilter = Option<NameRef<GroupId>>;

impl<I> From<String> for NameRef<I> {
    fn from(name: String) -> Self {
        Self { name, id: None }
    }
}

impl<I: Copy> NameRef<I> {
    /// Makes one that has already been looked up.
    #[cfg(test)]
    pub(super) fn known(id: I) -> Self {
        Self { name: String::new(), id: Some(id) }
    }

    /// Returns the id.
    ///
    /// # Panics
    ///
    /// If the scenario has not been checked, or has no group or path with that name.
    pub(super) fn id(&self) -> I {
        self.id.unwrap_or_else(|| panic!("`{}` has been looked up", self.name))
    }
}

/// Returns the group of a filter; `None` for all agents.
pub(super) fn group_of(filter: &GroupFilter) -> Option<GroupId> {
    filter.as_ref().map(NameRef::id)
}

/// The check of one expectation.
pub(super) struct Check<'c> {
    pub(super) facts: &'c ScenarioFacts<'c>,
    /// The first tick that is checked, if it is written.
    pub(super) from: Option<u64>,
    pub(super) written: &'c mut dyn ScenarioFile,
}

impl Check<'_> {
    pub(super) fn add(&mut self, part: SpecPart<'_>, what: Diagnostic) {
        let span = self.written.span(part);
        self.written.add(what, span);
    }

    pub(super) fn error(&mut self, part: SpecPart<'_>, message: &str) {
        self.add(part, Diagnostic::error(message));
    }

    /// Warns that the expectation is never checked.
    pub(super) fn never_judged(&mut self, part: SpecPart<'_>, why: String) {
        let span = self.written.span(part);
        self.never_judged_at(span, why);
    }

    fn never_judged_at(&mut self, span: Range<usize>, why: String) {
        let never = Diagnostic::warning("this expectation is never checked").label(why);
        self.written.add(never, span);
    }

    /// Warns that the expectation holds whatever happens.
    pub(super) fn cannot_fail(&mut self, part: SpecPart<'_>, why: &str) {
        self.add(part, Diagnostic::warning("this expectation cannot fail").label(why));
    }

    pub(super) fn after_the_end(&self, tick: u64) -> String {
        format!("the run ends at tick {}, before tick {tick}", self.facts.ticks)
    }

    /// Returns the position of a part, to keep.
    pub(super) fn position(&self, part: SpecPart<'_>) -> Place {
        Place { source: Arc::clone(self.written.source()), span: self.written.span(part) }
    }

    pub(super) fn script_name(&mut self, field: &str, name: &str) {
        let span = self.written.span(SpecPart::Field(field));
        self.written.check_script_name(name, span);
    }

    /// Looks up the group in the field `group` and checks that it can have agents. `None` if there is no such
    /// group.
    pub(super) fn group(&mut self, named: &mut NameRef<GroupId>) -> Option<GroupId> {
        let span = self.written.span(SpecPart::Field("group"));
        self.group_at(span, named)
    }

    /// Does the same for a group that may be left out. `Some(None)` means all agents.
    pub(super) fn group_filter(&mut self, filter: &mut GroupFilter) -> Option<Option<GroupId>> {
        match filter {
            Some(named) => self.group(named).map(Some),
            None => Some(None),
        }
    }

    /// Does the same for a group that is written at a span.
    pub(super) fn group_at(
        &mut self,
        span: Range<usize>,
        named: &mut NameRef<GroupId>,
    ) -> Option<GroupId> {
        named.id = self.written.find_group(&named.name, span.clone()).map(GroupId);
        if let Some(id) = named.id {
            self.has_agents(span, id);
        }
        named.id
    }

    /// Looks up the path in a field.
    pub(super) fn path(&mut self, field: &str, named: &mut NameRef<PathId>) {
        let span = self.written.span(SpecPart::Field(field));
        named.id = self.written.find_path(&named.name, span).map(PathId);
    }

    fn has_agents(&mut self, span: Range<usize>, id: GroupId) {
        let facts = self.facts;
        let spawns =
            |event: &Event| matches!(event.action, Action::Spawn { group, .. } if group == id);
        let index = usize::from(id.0);
        let starts_empty = || match facts.start {
            Some(start) => !start.agents.group.contains(&id),
            None => facts.spawns[index].count == 0,
        };
        if facts.is_complete && !facts.events.iter().any(spawns) && starts_empty() {
            let name = &facts.groups[index].name;
            let why = format!("group `{name}` starts empty, and no event spawns agents in it");
            self.never_judged_at(span, why);
        }
    }

    /// Checks the field `by`: the last tick that is checked.
    pub(super) fn by(&mut self, by: Option<Natural>) {
        let Some(by) = by.map(Natural::get) else { return };
        if by > self.facts.ticks {
            let late = Diagnostic::warning("this is checked at the end of the run, before `by`")
                .label(self.after_the_end(by));
            self.add(SpecPart::Field("by"), late);
        }
        let from = self.facts.from;
        if by < from {
            let early = Diagnostic::error("this expectation ends before the run begins")
                .label(format!("the run begins at tick {from}, after tick {by}"))
                .help("remove the expectation, or give it a later tick");
            self.add(SpecPart::Field("by"), early);
        }
    }
}
