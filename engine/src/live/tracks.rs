//! The past positions of all agents, for drawing.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::golden::Track;
use crate::math::Vec2;
use crate::world::{AgentId, Agents, World};

/// Number of positions that are kept, 64 MiB. Above it, every second tick is dropped.
const MAX_POSITIONS: usize = 8 << 20;

/// The positions of all agents at some ticks.
#[derive(Clone, Debug)]
pub struct Tracks {
    rows: BTreeMap<u64, Arc<TrackRow>>,
    /// Ticks from one row to the next.
    every: u64,
    places: usize,
}

/// The positions of all agents at one tick.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackRow {
    /// Ids in ascending order.
    pub ids: Vec<AgentId>,
    /// Positions in world units, in the same order.
    pub pos: Vec<Vec2>,
}

impl TrackRow {
    /// Returns the position of an agent, if it exists at this tick.
    pub fn position(&self, id: AgentId) -> Option<Vec2> {
        let row = match self.ids.get(id.0 as usize) {
            Some(&there) if there == id => id.0 as usize,
            _ => self.ids.binary_search(&id).ok()?,
        };
        Some(self.pos[row])
    }
}

impl Default for Tracks {
    fn default() -> Self {
        Self { rows: BTreeMap::new(), every: 1, places: 0 }
    }
}

impl Tracks {
    /// Returns the positions at the keyframes of a golden.
    pub fn of_golden(track: &Track) -> Self {
        let mut tracks = Self::default();
        for keyframe in &track.keyframes {
            tracks.keep(keyframe.tick, &keyframe.agents);
        }
        tracks
    }

    /// Returns the first and the last tick that are kept.
    pub fn ticks(&self) -> Option<(u64, u64)> {
        let (first, _) = self.rows.first_key_value()?;
        let (last, _) = self.rows.last_key_value()?;
        Some((*first, *last))
    }

    /// Returns the ticks that are kept in a range, in order, both ends included.
    pub fn between(
        &self,
        from: u64,
        to: u64,
    ) -> impl DoubleEndedIterator<Item = (u64, &Arc<TrackRow>)> {
        let rows = self.rows.range(from..=to.max(from));
        let rows = rows.filter(move |(tick, _)| **tick <= to);
        rows.map(|(tick, row)| (*tick, row))
    }

    /// Returns at most `most` evenly spaced rows of a range, and its last row.
    pub fn sample(&self, from: u64, to: u64, most: u64) -> Vec<&Arc<TrackRow>> {
        let every = (to.saturating_sub(from) / most.max(1) + 1).next_multiple_of(self.every);
        let mut rows = Vec::new();
        let mut tick = from;
        while let Some((there, row)) = self.between(tick, to).next() {
            rows.push(row);
            tick = there + every;
            if tick > to {
                break;
            }
        }
        let last = self.between(from, to).next_back().map(|(_, row)| row);
        if let Some(last) = last
            && !rows.last().is_some_and(|row| Arc::ptr_eq(row, last))
        {
            rows.push(last);
        }
        rows
    }

    /// Returns the last tick that is kept at or before a tick.
    pub fn at(&self, tick: u64) -> Option<(u64, &Arc<TrackRow>)> {
        let (tick, row) = self.rows.range(..=tick).next_back()?;
        Some((*tick, row))
    }

    /// Records a tick.
    pub(super) fn record(&mut self, world: &World) {
        if world.tick.is_multiple_of(self.every) && !self.rows.contains_key(&world.tick) {
            self.keep(world.tick, &world.agents);
        }
    }

    /// Records a tick in place of the one that is kept.
    pub(super) fn replace(&mut self, world: &World) {
        if let Some(old) = self.rows.remove(&world.tick) {
            self.places -= old.ids.len();
            self.keep(world.tick, &world.agents);
        }
    }

    /// Removes all ticks after a tick and returns them, together with the row at the tick itself.
    pub(super) fn cut(&mut self, tick: u64) -> Self {
        let mut rest =
            Self { rows: self.rows.split_off(&(tick + 1)), every: self.every, places: 0 };
        if let Some((last, row)) = self.rows.last_key_value() {
            rest.rows.insert(*last, Arc::clone(row));
        }
        rest.places = rest.rows.values().map(|row| row.ids.len()).sum();
        self.places = self.rows.values().map(|row| row.ids.len()).sum();
        rest
    }

    fn keep(&mut self, tick: u64, agents: &Agents) {
        let row = TrackRow { ids: agents.id.clone(), pos: agents.positions().collect() };
        self.places += row.ids.len();
        self.rows.insert(tick, Arc::new(row));
        while self.places > MAX_POSITIONS && self.rows.len() > 1 {
            self.every = self.every.saturating_mul(2);
            let every = self.every;
            self.rows.retain(|tick, _| tick.is_multiple_of(every));
            self.places = self.rows.values().map(|row| row.ids.len()).sum();
        }
    }
}
