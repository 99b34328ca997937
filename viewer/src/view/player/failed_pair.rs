//! Since when two agents that fail an expectation together react to each other: their ticks are simulated again, with and without the
//! other one.

use std::sync::Arc;
use std::time::Instant;

use flockwork_engine::Failure;
use flockwork_engine::live::Replay;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::sim::{Simulation, ValueKind};
use flockwork_engine::world::AgentId;

use super::super::failed_pair::{Before, Condition, FailedPair, PairReaction, PairReactions};
use super::{Player, SLICE};

/// Maximum number of ticks before a failure that are looked at, and of agents times ticks, so that it lasts a few seconds.
const MAX_TICKS: u64 = 600;
const MAX_TURNS: u64 = 200_000;
/// Maximum number of conditions that are shown.
const MAX_CONDITIONS: usize = 3;
/// Maximum number of letters of a condition that are shown.
const MAX_LETTERS: usize = 60;

/// A search for the ticks since when two agents react to each other.
pub(super) struct PairSearch {
    failure: Failure,
    /// The first tick and the next one to look at.
    first: u64,
    next: u64,
    replay: Option<Replay>,
    spans: [Span; 2],
    found: Option<Arc<[PairReaction; 2]>>,
}

/// Ticks without a break in which an agent reacts to another one, or does not, up to the latest one.
#[derive(Clone, Copy)]
struct Span {
    agent: AgentId,
    other: AgentId,
    /// Whether it reacts; `None` if one of them is not there.
    reacts: Option<bool>,
    since: u64,
    distance: f32,
    before: Before,
    /// The sum of the lengths of its reactions, and of their parts toward the other one.
    length: f32,
    toward: f32,
}

impl Span {
    fn new(agent: AgentId, other: AgentId) -> Self {
        let (reacts, before) = (None, Before::Unknown);
        let (since, distance, length, toward) = (0, 0.0, 0.0, 0.0);
        Self { agent, other, reacts, since, distance, before, length, toward }
    }

    /// Takes the next tick into account; `is_first` if none before it was.
    fn add(&mut self, simulation: &Simulation, is_first: bool) {
        let Self { agent, other, .. } = *self;
        let reaction = simulation.reaction_to(agent, other).ok().flatten();
        let reacts = reaction.map(|reaction| reaction != Vec2::ZERO);
        let world = simulation.world();
        let pos = |id| world.agents.row(id).map(|row| world.agents.pos(row));
        let offset = pos(agent).zip(pos(other)).map(|(one, other)| world.space.offset(one, other));
        let offset = offset.unwrap_or_default();
        if is_first || reacts != self.reacts {
            let before = match self.reacts {
                // At the first tick of all, there is nothing before.
                None if !is_first || world.tick == 0 => Before::NotThere,
                None => Before::Unknown,
                Some(_) => Before::Otherwise,
            };
            let (since, distance) = (world.tick, math::length(offset));
            *self = Self { reacts, since, distance, before, ..Self::new(agent, other) };
        }
        let reaction = reaction.unwrap_or_default();
        self.length += math::length(reaction);
        self.toward += reaction.dot(math::unit(offset));
    }
}

impl PairSearch {
    fn new(failure: &Failure, agents: [AgentId; 2], ticks: u64, start: u64) -> Self {
        let first = failure.tick.saturating_sub(ticks).max(start);
        let [one, other] = agents;
        let spans = [Span::new(one, other), Span::new(other, one)];
        Self { failure: failure.clone(), first, next: first, replay: None, spans, found: None }
    }

    /// Returns what is known so far.
    fn reactions(&self) -> PairReactions {
        match &self.found {
            Some(found) => PairReactions::Known(Arc::clone(found)),
            None => PairReactions::Searching(self.next),
        }
    }
}

impl Player {
    /// Forgets what is known of two agents if their failure is no longer in the history.
    pub(super) fn forget_failed_pair(&mut self) {
        let end = self.session.end();
        self.pair_search = self.pair_search.take().filter(|one| one.failure.tick <= end);
    }

    /// Returns the first failure of two agents one of which is selected, and these, the selected one first.
    fn selected_failure(&self) -> Option<(&Failure, [AgentId; 2])> {
        let selected = self.selected?;
        let pair = |failure: &Failure| match (failure.agent?, failure.other?) {
            (one, other) if one == selected => Some([one, other]),
            (other, one) if one == selected => Some([one, other]),
            _ => None,
        };
        let failures = self.failures.all().iter().filter(|one| one.react.is_some());
        let all = failures.filter_map(|failure| Some((failure, pair(failure)?)));
        all.min_by_key(|(failure, _)| failure.tick)
    }

    /// Returns whether there are ticks to look at for the failure that the selected agent has a part in.
    pub(super) fn is_searching_pair(&self) -> bool {
        let is_resting = !self.is_playing && self.target.is_none() && self.comparison.is_none();
        is_resting
            && self.is_visible
            && self.selected_failure().is_some_and(|(failure, _)| {
                let known = self.pair_search.as_ref().filter(|one| one.failure == *failure);
                known.is_none_or(|one| one.found.is_none())
            })
    }

    /// Looks at some ticks before the failure that the selected agent has a part in. Returns whether there were any.
    pub(super) fn search_pair(&mut self) -> bool {
        if !self.is_searching_pair() {
            return false;
        }
        let Some((failure, agents)) = self.selected_failure() else { return false };
        let known = self.pair_search.as_ref().is_some_and(|one| one.failure == *failure);
        if !known {
            let count = self.session.simulation().world().agents.len().max(1) as u64;
            let ticks = MAX_TICKS.min(MAX_TURNS / count).max(1);
            let search = PairSearch::new(failure, agents, ticks, self.session.first());
            self.pair_search = Some(search);
        }
        let Some(mut search) = self.pair_search.take() else { return false };
        let began = Instant::now();
        let mut replay = self.session.replay(search.next, search.replay.take());
        let mut goes_on = true;
        while goes_on && search.next <= search.failure.tick && began.elapsed() < SLICE {
            if replay.tick() < search.next {
                goes_on = self.session.advance(&mut replay);
                continue;
            }
            let is_first = search.next == search.first;
            search.spans.iter_mut().for_each(|span| span.add(replay.simulation(), is_first));
            search.next += 1;
        }
        if goes_on && search.next <= search.failure.tick {
            search.replay = Some(replay);
        } else {
            search.found = Some(Arc::new(search.spans.map(|span| self.pair_reaction(span))));
        }
        self.pair_search = Some(search);
        true
    }

    /// Returns how an agent reacts, with the conditions of its script that have changed then.
    fn pair_reaction(&mut self, span: Span) -> PairReaction {
        let mut changed = Vec::new();
        if let (Before::Otherwise, Some(before)) = (span.before, span.since.checked_sub(1)) {
            let mut conditions = |tick| {
                let mut replay = self.session.replay(tick, None);
                while replay.tick() < tick && self.session.advance(&mut replay) {}
                conditions(replay.simulation(), span.agent)
            };
            let (old, new) = (conditions(before), conditions(span.since));
            let was = |one: &Condition| old.iter().find(|old| old.place == one.place);
            let has_changed = |one: &Condition| was(one).is_none_or(|old| old.holds != one.holds);
            changed = new.into_iter().filter(has_changed).take(MAX_CONDITIONS).collect();
        }
        let toward = if span.length > 0.0 { span.toward / span.length } else { 0.0 };
        let Span { agent, other, since, distance, before, .. } = span;
        let reacts = span.reacts == Some(true);
        PairReaction { agent, other, reacts, since, distance, before, toward, changed }
    }

    /// Returns what is known of the failure that the selected agent has a part in, while the run rests at a tick up to it.
    pub(super) fn failed_pair(&self) -> Option<Arc<FailedPair>> {
        let (failure, _) = self.selected_failure()?;
        let is_resting = !self.is_playing && self.target.is_none() && self.is_visible;
        let search =
            self.pair_search.as_ref().filter(|one| one.failure == *failure && is_resting)?;
        let (failure, reactions) = (failure.clone(), search.reactions());
        Some(Arc::new(FailedPair { failure, reactions }))
    }
}

/// Returns the conditions of an agent's script in its next turn that are true or false, each once. Empty if they are not known.
fn conditions(simulation: &Simulation, agent: AgentId) -> Vec<Condition> {
    let values = simulation.values(agent).unwrap_or_default().into_iter();
    let condition = |value: flockwork_engine::sim::TurnValue| {
        let holds = value.text.parse().ok()?;
        let text = value.place.source.text.get(value.place.span.clone())?;
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = text.char_indices().nth(MAX_LETTERS) {
            text.truncate(end);
            text.push('…');
        }
        Some(Condition { text, place: value.place, holds })
    };
    values.filter(|value| value.kind == ValueKind::Condition).filter_map(condition).collect()
}
