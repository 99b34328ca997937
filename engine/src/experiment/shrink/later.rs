//! Lets a shrunk scenario begin later, shortly before its failure, and with few agents if that is enough.

use super::super::explicit;
use super::{FEW_AGENTS, Shrinker, path};
use crate::diag::Source;
use crate::scenario::text_parts::{PartPath, part, with_part, without_parts};
use crate::scenario::{Scenario, continuation};
use crate::sim::Simulation;
use crate::threads::NoThreads;

/// Maximum number of times before the failure at which a later start is tried.
const MAX_LEADS: usize = 8;

/// The ways to begin at some tick.
struct LaterStart {
    /// At tick 0 with a list of agents; `None` if that is not possible.
    listed: Option<String>,
    /// In the middle of the run, with everything as it is.
    continued: Option<String>,
    /// Whether all first agents are still there, and no others.
    has_same_agents: bool,
}

impl Shrinker<'_> {
    /// Begins the run some ticks before the failure.
    pub(super) fn begin_later(&mut self) -> Result<(), NoThreads> {
        let leads = self.leads();
        if leads.is_empty() {
            return Ok(());
        }
        let Some(later) = self.later_starts(&leads) else {
            return Ok(());
        };
        if self.try_all(self.with_few_agents(&later))?.is_some() {
            return Ok(());
        }
        // A start in the middle is exact, but long: a list of agents is preferred unless the run becomes much longer.
        let (near, _) = later.split_at(later.len().min(2));
        let mut sources: Vec<String> = near.iter().filter_map(|one| one.listed.clone()).collect();
        for (index, one) in later.into_iter().enumerate() {
            sources.extend(one.continued);
            sources.extend(one.listed.filter(|_| index >= 2));
        }
        self.try_all(sources)?;
        Ok(())
    }

    /// Returns the numbers of ticks before the failure at which a later start is tried, the smallest first.
    fn leads(&self) -> Vec<u64> {
        let ticks = self.failure.tick - self.failure.first_tick;
        let mut leads = Vec::new();
        let mut lead = self.lead.max(1);
        while self.may_begin_later && !self.is_over() && lead < ticks && leads.len() < MAX_LEADS {
            leads.push(lead);
            lead += lead.div_ceil(2);
        }
        leads
    }

    /// Returns the starts at some numbers of ticks before the failure; `None` if it was stopped.
    fn later_starts(&self, leads: &[u64]) -> Option<Vec<LaterStart>> {
        let mut run = self.probes.start(&self.text).ok()?;
        let name = self.probes.scenario().name.clone();
        let name = if name.is_empty() { "a failure".to_owned() } else { name };
        let source = Source::new(self.probes.source().name.as_str(), self.text.as_str());
        let ticks = part(&self.text, &path(&["ticks"])).and_then(|text| text.parse().ok());
        let ticks = ticks.unwrap_or(self.failure.tick);
        let first_ids = run.simulation().world().agents.id.clone();
        let mut later = Vec::with_capacity(leads.len());
        for lead in leads.iter().rev() {
            while run.tick() < self.failure.tick - lead {
                if (self.stop)() || run.step().is_err() {
                    return None;
                }
            }
            let simulation = run.simulation();
            later.push(LaterStart {
                listed: self.continued(simulation),
                continued: continuation(&source, simulation, &[], ticks, &name).ok(),
                has_same_agents: simulation.world().agents.id == first_ids,
            });
        }
        later.reverse();
        Some(later)
    }

    /// Returns later starts with only those agents that are nearest to the failure, if there are more than a few.
    fn with_few_agents(&self, later: &[LaterStart]) -> Vec<String> {
        let nearest = &self.failure.nearest;
        let mut sources = Vec::new();
        if self.needs_agents || nearest.len() <= FEW_AGENTS {
            return sources;
        }
        for one in later.iter().filter(|one| one.has_same_agents) {
            let Some(text) = one.listed.as_ref().or(one.continued.as_ref()) else { continue };
            let listed = Self::listed_agents_in(text);
            let agents: Vec<PartPath> = nearest
                .iter()
                .filter_map(|&(group, place)| listed.get(group)?.get(place).cloned())
                .collect();
            if agents.len() == nearest.len() {
                let few = 1..=FEW_AGENTS;
                sources.extend(few.map(|count| without_parts(text, &agents[count..])));
            }
        }
        sources
    }

    /// Returns a scenario that begins at tick 0 with the agents of a simulation as they are. `None` if one of them would begin its
    /// path or its goals again.
    fn continued(&self, simulation: &Simulation) -> Option<String> {
        if explicit::is_under_way(simulation) {
            return None;
        }
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
}
