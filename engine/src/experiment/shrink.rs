//! Shrinks a scenario that fails: fewer agents and parts, a later start, an earlier end, and rounder numbers, as long as it
//! fails in the same way.

use std::ops::ControlFlow;

use super::explicit;
use super::hunt_options::HuntOptions;
use super::probe::{FailedRun, FailureKind, FoundStart, ProbeOptions, Probed, Probes};
use super::starts::{Varied, rounded};
use super::variation::Variation;
use crate::diag::{Place, Source};
use crate::math;
use crate::scenario::text_parts::{PartPath, part, part_names, with_part, without_parts};
use crate::scenario::{Scenario, continuation, string_text};
use crate::sim::Simulation;
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

/// Maximum number of numbers that are rounded one by one.
const MAX_SINGLE_NUMBERS: usize = 60;

/// The least number of decimals of a rounded number: it is rounded to hundreds.
const LEAST_DECIMALS: i32 = -2;

/// The largest number of decimals that is tried.
const MOST_DECIMALS: i32 = 5;

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

/// Returns a path from its parts.
fn path(names: &[&str]) -> PartPath {
    names.iter().map(|&name| name.to_owned()).collect()
}

impl<'s> Shrinker<'s> {
    pub(super) fn new(
        probes: &'s Probes,
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
            lead: lead(probes).min(failure.tick - failure.first_tick),
            may_begin_later: false,
            needs_agents: false,
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
        self.keep_one_expectation()?;
        self.try_all(vec![without_parts(&self.text, &[path(&["golden"])])])?;
        loop {
            let before = self.text.clone();
            self.end_earlier()?;
            self.begin_later()?;
            self.list_agents()?;
            self.remove_agents()?;
            self.remove_groups()?;
            self.remove_parts()?;
            if self.text == before || self.is_over() {
                break;
            }
        }
        self.remove_motion()?;
        self.round()?;
        self.round_values()?;
        self.round_events()?;
        self.find_margin()?;
        let after = size(self.probes, &self.text).unwrap_or_default();
        Ok(Shrunk {
            is_smallest: !self.is_over(),
            text: self.text,
            failure: self.failure,
            before: self.before,
            after,
            runs: self.runs,
        })
    }

    /// Finds the margin of the failure, which other runs do not compute.
    fn find_margin(&mut self) -> Result<(), NoThreads> {
        let options = ProbeOptions { only: self.only, with_margins: true, stop: self.stop };
        self.probes.run(std::slice::from_ref(&self.text), options, |_, probed| {
            if let Probed::Failed(failure) = probed {
                self.failure.margin = failure.margin;
            }
            ControlFlow::Continue(())
        })
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
            let mut results = Vec::with_capacity(sources.len());
            let options = ProbeOptions { only: self.only, with_margins: false, stop: self.stop };
            self.probes.run(sources, options, |_, probed| {
                results.push(probed);
                ControlFlow::Continue(())
            })?;
            let is_stopped = results.contains(&Probed::Stopped);
            let found = results.into_iter().enumerate().find_map(|(index, probed)| match probed {
                Probed::Failed(failure) if self.is_same(&failure, likeness) => {
                    Some((index, failure))
                }
                _ => None,
            });
            self.runs += sources.len() as u64;
            (self.progress)(self.runs);
            self.is_stopped |= is_stopped;
            if let Some((index, failure)) = found {
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
        let scenario = &self.probes.scenario().expectations[index];
        self.needs_agents = scenario.counts_agents();
        let has_deadline = part(&self.text, &self.of_expectation("by")).is_some();
        self.may_begin_later = !has_deadline && !self.original.is_at_end;
        Ok(())
    }

    /// Returns the path of a field of the expectation that fails.
    fn of_expectation(&self, field: &str) -> PartPath {
        path(&["expect", &self.only.unwrap_or_default().to_string(), field])
    }

    /// Ends the run with the tick of the failure.
    fn end_earlier(&mut self) -> Result<(), NoThreads> {
        if self.failure.is_at_end {
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

    /// Begins the run some ticks before the failure.
    fn begin_later(&mut self) -> Result<(), NoThreads> {
        let (first, tick) = (self.failure.first_tick, self.failure.tick);
        if !self.may_begin_later || tick - first <= self.lead || self.is_over() {
            return Ok(());
        }
        let mut leads = vec![self.lead];
        while let Some(longer) = leads.last().map(|lead| lead * 2)
            && longer < tick - first
            && leads.len() < 6
        {
            leads.push(longer);
        }
        let Ok(mut run) = self.probes.start(&self.text) else {
            return Ok(());
        };
        let name = self.probes.scenario().name.clone();
        let name = if name.is_empty() { "a failure".to_owned() } else { name };
        let source = Source::new(self.probes.source().name.as_str(), self.text.as_str());
        let (mut listed, mut continued) = (Vec::new(), Vec::new());
        for lead in leads.iter().rev() {
            while run.tick() < tick - lead {
                if (self.stop)() || run.step().is_err() {
                    return Ok(());
                }
            }
            let simulation = run.simulation();
            listed.extend(self.continued(simulation));
            let ticks = part(&self.text, &path(&["ticks"])).and_then(|text| text.parse().ok());
            continued.extend(continuation(&source, simulation, &[], ticks.unwrap_or(tick), &name));
        }
        listed.reverse();
        continued.reverse();
        // A start in the middle is exact, but long: a list of agents is preferred unless the run becomes much longer.
        let first_half: Vec<String> = listed.iter().take(2).cloned().collect();
        if self.try_all(first_half)?.is_none() {
            continued.truncate(1);
            continued.extend(listed.into_iter().skip(2));
            self.try_all(continued)?;
        }
        Ok(())
    }

    /// Returns a scenario that begins at tick 0 with the agents of a simulation as they are.
    fn continued(&self, simulation: &Simulation) -> Option<String> {
        let now = simulation.world().tick;
        let mut text = without_parts(&self.text, &[path(&["start"])]);
        let scenario = Scenario::parse(&Source::new("", self.text.as_str())).ok()?;
        text = explicit::with_agents(&text, &scenario, simulation)?;
        text = explicit::with_later_surroundings(&text, &scenario, simulation)?;
        let ticks = scenario.ticks.checked_sub(now)?;
        text = with_part(&text, &path(&["ticks"]), &ticks.to_string())?;
        for field in ["from", "by"] {
            let place = self.of_expectation(field);
            if let Some(tick) = part(&text, &place).and_then(|text| text.parse::<u64>().ok()) {
                text = with_part(&text, &place, &tick.saturating_sub(now).to_string())?;
            }
        }
        Some(text)
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
    fn agent_lists(&self) -> Vec<PartPath> {
        let groups = part_names(&self.text, &path(&["groups"]));
        let has_start = part(&self.text, &path(&["start"])).is_some();
        let list = |group: &String| {
            if has_start {
                return path(&["start", "groups", group, "agents"]);
            }
            let spawn = part(&self.text, &path(&["groups", group, "spawn"])).unwrap_or_default();
            let is_list = spawn.starts_with("Points") || spawn.starts_with("Agents");
            let is_cut = part(&self.text, &path(&["groups", group, "count"])).is_some();
            if is_list && !is_cut { path(&["groups", group, "spawn"]) } else { PartPath::new() }
        };
        groups.iter().map(list).collect()
    }

    /// Returns the paths of all listed agents, by group.
    fn listed_agents(&self) -> Vec<Vec<PartPath>> {
        let names = |list: &PartPath| match list.is_empty() {
            true => Vec::new(),
            false => part_names(&self.text, list),
        };
        let paths = |list: PartPath| {
            let names = names(&list).into_iter();
            names.map(|name| list.iter().cloned().chain([name]).collect()).collect()
        };
        self.agent_lists().into_iter().map(paths).collect()
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
    /// goal for a reason that the original does not have. The same holds for events if agents are counted.
    fn remove_parts(&mut self) -> Result<(), NoThreads> {
        for whole in ["events", "moving_obstacles", "obstacles", "paths"] {
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

    /// Gives positions, and then velocities, the fewest digits that still fail. Positions are moved by less than a body, so that
    /// agents do not come to stand on each other.
    fn round(&mut self) -> Result<(), NoThreads> {
        let agents: Vec<PartPath> = self.listed_agents().into_iter().flatten().collect();
        let bodies = self.probes.scenario().setup.groups.iter().map(|(group, _)| group.body.radius);
        let finest = bodies.fold(f32::INFINITY, math::min) * 2.0;
        let (mut coarsest, mut unit) = (LEAST_DECIMALS, 100.0);
        while unit > finest && coarsest < MOST_DECIMALS {
            (coarsest, unit) = (coarsest + 1, unit / 10.0);
        }
        let fields: [(&[&[&str]], i32); 3] = [
            (&[&["0"], &["1"], &["at", "0"], &["at", "1"]], coarsest),
            (&[&["velocity", "0"], &["velocity", "1"]], LEAST_DECIMALS),
            (&[&["heading_deg"]], LEAST_DECIMALS),
        ];
        let fields = fields.into_iter().skip(usize::from(self.keeps_places));
        for (fields, coarsest) in fields {
            let mut numbers: Vec<PartPath> = Vec::new();
            for agent in &agents {
                for field in fields {
                    let number: PartPath = agent.iter().cloned().chain(path(field)).collect();
                    let written = part(&self.text, &number);
                    if written.is_some_and(|text| text.parse::<f32>().is_ok()) {
                        numbers.push(number);
                    }
                }
            }
            self.round_together(&numbers, coarsest)?;
            if numbers.len() <= MAX_SINGLE_NUMBERS {
                for number in numbers {
                    self.round_together(std::slice::from_ref(&number), coarsest)?;
                }
            }
        }
        Ok(())
    }

    /// Gives each value that the hunt has varied the one of the scenario again, or else the fewest digits.
    fn round_values(&mut self) -> Result<(), NoThreads> {
        for (name, _, variation) in self.vary {
            let place: PartPath = name.split('.').map(str::to_owned).collect();
            let before = part(&self.probes.source().text, &place);
            // If the value changed, an earlier element was removed, and this index now names another part.
            let Some(now) = part(&self.found, &place)
                .filter(|now| part(&self.text, &place) == Some(now) && before != Some(now))
            else {
                continue;
            };
            let mut sources = vec![match before {
                Some(before) => with_part(&self.text, &place, before).unwrap_or_default(),
                None => without_parts(&self.text, std::slice::from_ref(&place)),
            }];
            if let (Some(ends), Ok(x)) = (variation.ends(), now.parse::<f32>()) {
                let plainer =
                    (LEAST_DECIMALS..digits(now)).map(|decimals| with_decimals(x, decimals));
                let inside = plainer
                    .filter(|text| text.parse().is_ok_and(|x: f32| ends[0] <= x && x <= ends[1]));
                sources.extend(inside.filter_map(|value| with_part(&self.text, &place, &value)));
            }
            sources.dedup();
            self.try_all(sources)?;
        }
        Ok(())
    }

    /// Moves events to round ticks: to the nearest ones, or to a later one if the run may end as much later.
    fn round_events(&mut self) -> Result<(), NoThreads> {
        let read = |text: &str, place: &PartPath| part(text, place)?.parse::<u64>().ok();
        let end = path(&["ticks"]);
        for event in part_names(&self.text, &path(&["events"])) {
            for field in ["tick", "from"] {
                let place = path(&["events", &event, field]);
                let Some(tick) = read(&self.text, &place) else {
                    continue;
                };
                let nearest = |unit: u64| tick.saturating_add(unit / 2) / unit * unit;
                let later = tick.div_ceil(10) * 10;
                let moved = |to: u64| with_part(&self.text, &place, &to.to_string());
                let mut sources: Vec<String> = [100, 10]
                    .map(nearest)
                    .into_iter()
                    .filter(|to| *to != tick)
                    .filter_map(moved)
                    .collect();
                if let Some(ticks) = read(&self.text, &end).filter(|_| later != tick) {
                    let ticks = (ticks + later - tick).to_string();
                    sources.extend(moved(later).and_then(|text| with_part(&text, &end, &ticks)));
                }
                self.try_all(sources)?;
            }
        }
        self.end_earlier()
    }

    /// Gives some numbers the fewest digits with which it still fails, and at least some decimals.
    fn round_together(&mut self, numbers: &[PartPath], least: i32) -> Result<(), NoThreads> {
        if self.is_over() {
            return Ok(());
        }
        let most = numbers.iter().filter_map(|number| part(&self.text, number)).map(digits).max();
        let mut sources = Vec::new();
        for decimals in least..=most.unwrap_or_default().min(MOST_DECIMALS) {
            let mut text = self.text.clone();
            for number in numbers {
                let written = part(&text, number).and_then(|text| text.parse::<f32>().ok());
                if let Some(x) = written
                    && let Some(changed) = with_part(&text, number, &with_decimals(x, decimals))
                {
                    text = changed;
                }
            }
            if text == self.text {
                // It has as few digits as that already.
                break;
            }
            if sources.last() != Some(&text) {
                sources.push(text);
            }
        }
        self.try_all(sources)?;
        Ok(())
    }
}

/// Returns the number of digits after the point of a written number; negative for zeros at the end of an integer.
fn digits(text: &str) -> i32 {
    match text.split_once('.') {
        Some((_, after)) => after.len() as i32,
        None => -((text.len() - text.trim_end_matches('0').len()) as i32),
    }
}

/// Writes a number with some decimals; a negative number of them rounds to tens and hundreds.
fn with_decimals(x: f32, decimals: i32) -> String {
    match usize::try_from(decimals) {
        Ok(decimals) => rounded(x, decimals),
        Err(_) => {
            let unit = if decimals == -1 { 10.0 } else { 100.0 };
            rounded((x / unit).round() * unit, 0)
        }
    }
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
