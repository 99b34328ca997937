//! Shrinks a scenario that fails: fewer agents and parts, a later start, an earlier end, and rounder numbers, as long as it
//! fails in the same way.

mod later;
mod room;
mod rounding;

use super::against::OtherVersion;
use super::explicit;
use super::hunt_options::HuntOptions;
use super::probe::{
    Counted, Deciding, FailedRun, FailureKind, FoundStart, ProbeOptions, Probed, Probes,
};
use super::variation::Variation;
use crate::diag::{Place, Source};
use crate::scenario::text_parts::{PartPath, part, part_names, with_part, without_parts};
use crate::scenario::{Scenario, Varied, string_text};
use crate::threads::NoThreads;

/// A scenario that was made smaller.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// Its text.
    pub text: String,
    /// How it fails.
    pub failure: FailedRun,
    /// Its size before.
    pub before: Size,
    /// Its size now.
    pub after: Size,
    /// Number of runs that this took.
    pub runs: u64,
    /// Whether nothing more can be removed. Otherwise it was stopped, or all runs were used.
    pub is_smallest: bool,
}

/// The size of a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of agents at the first tick.
    pub agents: usize,
    /// Number of groups.
    pub groups: usize,
    /// Number of obstacles.
    pub obstacles: usize,
    /// Number of paths.
    pub paths: usize,
    /// Number of events.
    pub events: usize,
    /// Number of ticks.
    pub ticks: u64,
}

/// Number of sources that are tried together. The first that fails in the same way is taken.
const BATCH: usize = 8;

/// The number of ticks that a later start leaves before the failure: a second, but at least this many, so that there is time to
/// react. Nothing begins later if less would be left.
const LEAST_LEAD: u64 = 30;

/// Number of agents that are enough for most failures. With more, other ways to fewer agents are tried.
const FEW_AGENTS: usize = 5;

/// The shares of the ticks that are tried if only the end of the run shows a failure, in eighths.
const SHORTER_EIGHTHS: [u64; 4] = [1, 2, 4, 6];

/// Maximum number of numbers that are rounded or removed one by one.
const MAX_SINGLE_NUMBERS: usize = 60;

/// How much a smaller scenario must have in common with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    /// It fails in the same way.
    Failure,
    /// Its run is the same up to the failure, to the bit.
    Run,
}

/// A shrinking so far.
pub(super) struct Shrinker<'s> {
    probes: &'s Probes,
    /// The other version, with which it must hold.
    against: Option<&'s OtherVersion>,
    /// Whether agents that nothing moves do not fail like this, so that a smaller scenario is only as good if this stays so.
    needs_scripts: bool,
    /// The scenario so far.
    text: String,
    failure: FailedRun,
    /// The failure to keep.
    original: FailedRun,
    before: Size,
    /// The text with which it began.
    found: String,
    /// The values that the hunt has varied.
    vary: &'s [(String, Place, Variation)],
    /// Whether agents stay where they are.
    keeps_places: bool,
    only: Option<usize>,
    /// Number of ticks from the start to the failure, at least.
    lead: u64,
    /// Whether it may begin later: what fails does not depend on the time before.
    may_begin_later: bool,
    needs_agents: bool,
    /// Whether obstacles and paths stay, also those that no agent has felt.
    needs_surroundings: bool,
    runs: u64,
    max_runs: u64,
    is_stopped: bool,
    stop: &'s (dyn Fn() -> bool + Sync),
    progress: &'s mut (dyn FnMut(u64) + Send),
}

/// Returns the number of ticks that a start should leave before a failure.
pub(super) fn lead(probes: &Probes) -> u64 {
    ((1.0 / probes.scenario().setup.dt) as u64).max(LEAST_LEAD)
}

/// Returns the number of ticks that a later start must leave before a failure. Another version that holds proves that there is time to
/// react, so that half of the usual time is enough.
fn least_lead(probes: &Probes, has_other: bool) -> u64 {
    if has_other { lead(probes) / 2 } else { lead(probes) }
}

/// Returns a path from its parts.
fn path(names: &[&str]) -> PartPath {
    names.iter().map(|&name| name.to_owned()).collect()
}

impl<'s> Shrinker<'s> {
    pub(super) fn new(
        (probes, against): (&'s Probes, Option<&'s OtherVersion>),
        options: &'s HuntOptions,
        start: &FoundStart,
        max_runs: u64,
        stop: &'s (dyn Fn() -> bool + Sync),
        progress: &'s mut (dyn FnMut(u64) + Send),
    ) -> Self {
        let failure = start.failure.clone();
        Self {
            before: size(probes, &start.text).unwrap_or_default(),
            only: start.expectation(),
            lead: least_lead(probes, against.is_some()).min(failure.tick - failure.first_tick),
            may_begin_later: false,
            needs_agents: false,
            needs_surroundings: false,
            against,
            needs_scripts: false,
            text: start.text.clone(),
            found: start.text.clone(),
            vary: &options.vary,
            keeps_places: options.keep.contains(&Varied::Places),
            original: failure.clone(),
            failure,
            probes,
            runs: 0,
            max_runs,
            is_stopped: false,
            stop,
            progress,
        }
    }

    pub(super) fn shrink(mut self) -> Result<Shrunk, NoThreads> {
        self.find_need_of_scripts()?;
        self.keep_one_expectation()?;
        self.try_all(vec![without_parts(&self.text, &[path(&["golden"])])])?;
        let whole = (self.text.clone(), self.failure.clone());
        self.remove_all()?;
        let later = self.size_now();
        if later.agents > FEW_AGENTS && !self.needs_agents && !self.is_over() {
            // Shortly before the failure, no agent can be spared in a crowd. In a longer run, others may come to fail.
            let first = (self.text.clone(), self.failure.clone());
            (self.text, self.failure) = whole;
            self.list_agents()?;
            self.remove_agents()?;
            self.remove_all()?;
            if agent_ticks(&self.size_now()) >= agent_ticks(&later) {
                (self.text, self.failure) = first;
            }
        }
        self.remove_motion()?;
        self.round()?;
        self.round_values()?;
        self.round_events()?;
        // With round numbers, some agents no longer matter.
        self.remove_agents()?;
        self.remove_groups()?;
        self.find_margin()?;
        let after = self.size_now();
        Ok(Shrunk {
            is_smallest: !self.is_over(),
            text: self.text,
            failure: self.failure,
            before: self.before,
            after,
            runs: self.runs,
        })
    }

    /// Removes as much as possible, and begins as late as possible.
    fn remove_all(&mut self) -> Result<(), NoThreads> {
        loop {
            let before = self.text.clone();
            self.end_earlier()?;
            self.begin_later()?;
            self.list_agents()?;
            self.remove_agents()?;
            self.remove_groups()?;
            self.remove_parts()?;
            if self.text == before || self.is_over() {
                return Ok(());
            }
        }
    }

    fn size_now(&self) -> Size {
        size(self.probes, &self.text).unwrap_or_default()
    }

    /// Finds the margin of the failure, which other runs do not compute.
    fn find_margin(&mut self) -> Result<(), NoThreads> {
        let options = ProbeOptions { with_margins: true, ..self.probe_options() };
        let results = self.probes.results(std::slice::from_ref(&self.text), options)?;
        if let Some(Probed::Failed(failure)) = results.into_iter().next() {
            self.failure.margin = failure.margin;
        }
        Ok(())
    }

    /// Returns the options of a run that looks for the failure.
    fn probe_options(&self) -> ProbeOptions<'s> {
        ProbeOptions {
            counted: Counted::only(self.only),
            deciding: Deciding::Scripts,
            with_margins: false,
            with_history: false,
            with_features: false,
            stop: self.stop,
        }
    }

    /// Finds out whether the failure needs scripts: agents that keep their velocity do not fail in the same way.
    fn find_need_of_scripts(&mut self) -> Result<(), NoThreads> {
        if self.only.is_some() && !self.is_over() {
            let text = self.text.clone();
            self.needs_scripts = true;
            self.needs_scripts = self.fail_for_a_reason(&[&text])? == [true];
        }
        Ok(())
    }

    /// Returns for each of some sources that fail whether they do so because of the scripts: the other version holds, and
    /// agents that keep their velocity do not fail in the same way, if the failure needs scripts.
    fn fail_for_a_reason(&mut self, sources: &[&str]) -> Result<Vec<bool>, NoThreads> {
        let mut reasons = vec![true; sources.len()];
        if let Some(against) = self.against {
            let kind = Some(&self.original.kind);
            let failed: Vec<_> = sources.iter().map(|&text| (text, kind)).collect();
            let results = against.results(&failed, false, self.stop)?;
            self.runs += sources.len() as u64;
            self.is_stopped |= results.contains(&Probed::Stopped);
            for (has_reason, probed) in reasons.iter_mut().zip(&results) {
                *has_reason = matches!(probed, Probed::Held(_));
            }
        }
        if self.needs_scripts {
            let options = ProbeOptions { deciding: Deciding::Nothing, ..self.probe_options() };
            let results = self.probes.results(sources, options)?;
            self.runs += sources.len() as u64;
            self.is_stopped |= results.contains(&Probed::Stopped);
            for (has_reason, probed) in reasons.iter_mut().zip(&results) {
                *has_reason &= match probed {
                    Probed::Failed(failure) => !failure.is_like(&self.original),
                    other => matches!(other, Probed::Held(_)),
                };
            }
        }
        Ok(reasons)
    }

    fn is_over(&self) -> bool {
        self.is_stopped || self.runs >= self.max_runs
    }

    /// Returns whether a run fails in the same way, and not before its agents could react.
    fn is_same(&self, failure: &FailedRun, likeness: Likeness) -> bool {
        failure.is_like(&self.original)
            && failure.tick - failure.first_tick >= self.lead
            && (likeness == Likeness::Failure || failure.equals(&self.failure))
    }

    /// Runs sources and takes the first that fails in the same way. Returns its index.
    fn try_all(&mut self, sources: Vec<String>) -> Result<Option<usize>, NoThreads> {
        self.try_alike(sources, Likeness::Failure)
    }

    /// Runs sources and takes the first with this likeness to the scenario so far. Returns its index.
    fn try_alike(
        &mut self,
        sources: Vec<String>,
        likeness: Likeness,
    ) -> Result<Option<usize>, NoThreads> {
        for (batch, sources) in sources.chunks(BATCH).enumerate() {
            if self.is_over() {
                return Ok(None);
            }
            let results = self.probes.results(sources, self.probe_options())?;
            self.runs += sources.len() as u64;
            self.is_stopped |= results.contains(&Probed::Stopped);
            let alike =
                results.into_iter().enumerate().filter_map(|(index, probed)| match probed {
                    Probed::Failed(failure) if self.is_same(&failure, likeness) => {
                        Some((index, failure))
                    }
                    _ => None,
                });
            let alike: Vec<_> = alike.collect();
            let smaller: Vec<&str> =
                alike.iter().map(|(index, _)| sources[*index].as_str()).collect();
            let reasons = self.fail_for_a_reason(&smaller)?;
            (self.progress)(self.runs);
            let mut accepted = alike.into_iter().zip(reasons).filter(|(_, has_reason)| *has_reason);
            if let Some(((index, failure), _)) = accepted.next() {
                self.text.clone_from(&sources[index]);
                self.failure = *failure;
                return Ok(Some(batch * BATCH + index));
            }
        }
        Ok(None)
    }

    /// Removes all expectations except the one that fails.
    fn keep_one_expectation(&mut self) -> Result<(), NoThreads> {
        let FailureKind::Expectation(index) = self.original.kind else {
            self.may_begin_later = true;
            return Ok(());
        };
        let others = part_names(&self.text, &path(&["expect"])).into_iter();
        let kept = index.to_string();
        let others = others.filter(|name| *name != kept);
        let others: Vec<PartPath> = others.map(|name| path(&["expect", &name])).collect();
        self.original.kind = FailureKind::Expectation(0);
        self.only = Some(0);
        let text = without_parts(&self.text, &others);
        if self.try_all(vec![text])?.is_none() {
            self.original.kind = FailureKind::Expectation(index);
            self.only = Some(index);
        }
        // With another version, what cannot hold in a smaller scenario shows: that one does not hold either.
        let has_other = self.against.is_some();
        let scenario = &self.probes.scenario().expectations[index];
        self.needs_agents = scenario.counts_agents() && !has_other;
        self.needs_surroundings = scenario.needs_surroundings() && !has_other;
        let has_deadline = part(&self.text, &self.of_expectation("by")).is_some();
        self.may_begin_later = has_other || !has_deadline && !self.original.is_at_end;
        Ok(())
    }

    /// Returns the path of a field of the expectation that fails.
    fn of_expectation(&self, field: &str) -> PartPath {
        path(&["expect", &self.only.unwrap_or_default().to_string(), field])
    }

    /// Ends the run with the tick of the failure. If only the end of the run shows it, an earlier end is a shorter deadline, which the other
    /// version must meet.
    fn end_earlier(&mut self) -> Result<(), NoThreads> {
        if self.failure.is_at_end {
            let first = self.failure.first_tick;
            let length = self.failure.tick - first;
            let sooner = SHORTER_EIGHTHS.map(|eighths| first + length * eighths / 8);
            let sources = sooner
                .iter()
                .filter_map(|tick| with_part(&self.text, &path(&["ticks"]), &tick.to_string()));
            let sources = if self.against.is_some() { sources.collect() } else { Vec::new() };
            self.try_all(sources)?;
            return Ok(());
        }
        let tick = (self.failure.tick + u64::from(self.only.is_none())).to_string();
        if part(&self.text, &path(&["ticks"])) == Some(&tick) {
            return Ok(());
        }
        let text = with_part(&self.text, &path(&["ticks"]), &tick);
        self.try_all(text.into_iter().collect())?;
        Ok(())
    }

    /// Writes the places of all agents.
    fn list_agents(&mut self) -> Result<(), NoThreads> {
        if self.is_over() || part(&self.text, &path(&["start"])).is_some() {
            return Ok(());
        }
        let Ok(run) = self.probes.start(&self.text) else {
            return Ok(());
        };
        if explicit::are_listed(&self.text, run.simulation()) {
            return Ok(());
        }
        let scenario = Scenario::parse(&Source::new("", self.text.as_str()));
        let text = scenario
            .ok()
            .and_then(|scenario| explicit::with_agents(&self.text, &scenario, run.simulation()));
        self.try_all(text.into_iter().collect())?;
        Ok(())
    }

    /// Returns the path of the list of agents of each group, if they are listed, in the order of the groups.
    fn agent_lists(text: &str) -> Vec<PartPath> {
        let groups = part_names(text, &path(&["groups"]));
        let has_start = part(text, &path(&["start"])).is_some();
        let list = |group: &String| {
            if has_start {
                return path(&["start", "groups", group, "agents"]);
            }
            let spawn = part(text, &path(&["groups", group, "spawn"])).unwrap_or_default();
            let is_list = spawn.starts_with("Points") || spawn.starts_with("Agents");
            let is_cut = part(text, &path(&["groups", group, "count"])).is_some();
            if is_list && !is_cut { path(&["groups", group, "spawn"]) } else { PartPath::new() }
        };
        groups.iter().map(list).collect()
    }

    /// Returns the paths of all listed agents, by group.
    fn listed_agents(&self) -> Vec<Vec<PartPath>> {
        Self::listed_agents_in(&self.text)
    }

    /// Returns the paths of all agents that are listed in a text, by group.
    fn listed_agents_in(text: &str) -> Vec<Vec<PartPath>> {
        let names = |list: &PartPath| match list.is_empty() {
            true => Vec::new(),
            false => part_names(text, list),
        };
        let paths = |list: PartPath| {
            let names = names(&list).into_iter();
            names.map(|name| list.iter().cloned().chain([name]).collect()).collect()
        };
        Self::agent_lists(text).into_iter().map(paths).collect()
    }

    fn remove_agents(&mut self) -> Result<(), NoThreads> {
        if self.needs_agents {
            return Ok(());
        }
        // First only those nearest to the failure.
        let all = self.listed_agents();
        let nearest = self.failure.nearest.iter().filter_map(|&(group, place)| {
            let agent = all.get(group)?.get(place)?;
            Some(agent.clone())
        });
        let nearest: Vec<PartPath> = nearest.collect();
        let mut sources = Vec::new();
        let mut count = 1;
        while count < nearest.len() {
            sources.push(without_parts(&self.text, &nearest[count..]));
            count = if count < 6 { count + 1 } else { count * 3 / 2 };
        }
        self.try_all(sources)?;
        let mut agents: Vec<PartPath> = self.listed_agents().into_iter().flatten().collect();
        agents.reverse();
        self.remove_most(agents, Likeness::Failure)
    }

    /// Removes as many of some parts as possible: larger and then smaller shares of them (delta debugging, Zeller and
    /// Hildebrandt 2002).
    fn remove_most(
        &mut self,
        mut parts: Vec<PartPath>,
        likeness: Likeness,
    ) -> Result<(), NoThreads> {
        let base = self.text.clone();
        let mut removed: Vec<PartPath> = Vec::new();
        let mut size = parts.len();
        while !parts.is_empty() && !self.is_over() {
            size = size.clamp(1, parts.len());
            let without = |share: &[PartPath]| {
                let all: Vec<PartPath> = removed.iter().chain(share).cloned().collect();
                without_parts(&base, &all)
            };
            let sources = parts.chunks(size).map(without).collect();
            match self.try_alike(sources, likeness)? {
                Some(index) => {
                    let (start, end) = (index * size, ((index + 1) * size).min(parts.len()));
                    removed.extend(parts.drain(start..end));
                    // Go on behind it.
                    let start = start.min(parts.len());
                    parts.rotate_left(start);
                }
                None if size == 1 => break,
                None => size = size.div_ceil(2),
            }
        }
        Ok(())
    }

    /// Removes groups, with the events and lists that name them, or else all their agents.
    fn remove_groups(&mut self) -> Result<(), NoThreads> {
        for group in part_names(&self.text, &path(&["groups"])) {
            let mut parts = vec![path(&["groups", &group]), path(&["start", "groups", &group])];
            let name = string_text(&group);
            for event in part_names(&self.text, &path(&["events"])) {
                let event = path(&["events", &event]);
                if part(&self.text, &event).is_some_and(|text| text.contains(&name)) {
                    parts.push(event);
                }
            }
            let mut lists = vec![self.of_expectation("groups")];
            for other in part_names(&self.text, &path(&["groups"])) {
                for relation in ["prey", "predators", "allies"] {
                    lists.push(path(&["groups", &other, relation]));
                }
            }
            for list in lists {
                for item in part_names(&self.text, &list) {
                    let item: PartPath = list.iter().cloned().chain([item]).collect();
                    if part(&self.text, &item) == Some(&name) {
                        parts.push(item);
                    }
                }
            }
            let mut sources = Vec::new();
            if !self.needs_agents {
                sources.push(without_parts(&self.text, &parts));
                let count = path(&["groups", &group, "count"]);
                let has_start = part(&self.text, &path(&["start"])).is_some();
                if !has_start && part(&self.text, &count) != Some("0") {
                    sources.extend(with_part(&self.text, &count, "0"));
                }
            }
            self.try_all(sources)?;
        }
        Ok(())
    }

    /// Removes events, obstacles and paths.
    ///
    /// Obstacles and paths go only if no agent has felt them: in a world without walls, agents leave their room or reach no
    /// goal for a reason that the original does not have. The same holds for events if agents are counted. All of them stay if
    /// the expectation needs them: agents with a mistake may be those that do not feel a wall.
    fn remove_parts(&mut self) -> Result<(), NoThreads> {
        let all = ["events", "moving_obstacles", "obstacles", "paths"];
        for &whole in if self.needs_surroundings { &all[..1] } else { &all[..] } {
            let parts = part_names(&self.text, &path(&[whole])).into_iter();
            let parts: Vec<PartPath> = parts.map(|name| path(&[whole, &name])).collect();
            let is_only_failure = whole == "events" && !self.needs_agents;
            let likeness = if is_only_failure { Likeness::Failure } else { Likeness::Run };
            self.remove_most(parts, likeness)?;
            let is_empty = part_names(&self.text, &path(&[whole])).is_empty();
            if is_empty && part(&self.text, &path(&[whole])).is_some() {
                self.try_all(vec![without_parts(&self.text, &[path(&[whole])])])?;
            }
        }
        Ok(())
    }

    /// Removes velocities and headings of single agents.
    fn remove_motion(&mut self) -> Result<(), NoThreads> {
        let agents: Vec<PartPath> = self.listed_agents().into_iter().flatten().collect();
        if agents.len() > MAX_SINGLE_NUMBERS || part(&self.text, &path(&["start"])).is_some() {
            return Ok(());
        }
        let mut parts = Vec::new();
        for agent in agents {
            for field in ["heading_deg", "velocity"] {
                let field: PartPath = agent.iter().cloned().chain([field.to_owned()]).collect();
                if part(&self.text, &field).is_some() {
                    parts.push(field);
                }
            }
        }
        parts.push(path(&["seed"]));
        self.remove_most(parts, Likeness::Failure)
    }
}

/// Returns the agents of a scenario times its ticks, of which a smaller one has fewer.
fn agent_ticks(size: &Size) -> u64 {
    (size.agents as u64).saturating_mul(size.ticks)
}

/// Returns the size of a scenario; `None` if it cannot be started.
fn size(probes: &Probes, text: &str) -> Option<Size> {
    let run = probes.start(text).ok()?;
    let world = run.simulation().world();
    Some(Size {
        agents: world.agents.len(),
        groups: world.groups.len(),
        obstacles: world.all_obstacles().count(),
        paths: world.paths.len(),
        events: run.simulation().events().len(),
        ticks: run.ticks() - run.first_tick(),
    })
}
