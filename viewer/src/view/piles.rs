//! Agents that look like one, since they are drawn over each other: how many they are, and a click that goes through them.

use std::collections::BTreeMap;

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::AgentId;

use super::area::Area;
use super::text_writer::SMALL;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{Anchor, Camera, Picture, text, text_width};

/// Two agents look like one if they are not further apart than this part of their size, or than this, in pixels.
const NEAR: f32 = 0.35;
const LEAST_NEAR: f32 = 3.0;
/// With more agents than this, nothing is looked for in each frame.
const MAX_AGENTS: usize = 3000;
/// If there are more piles than this, none is marked: in a crowd, agents are over each other everywhere.
const MAX_PILES: usize = 24;
/// The least number of agents that are marked while time passes: two that pass each other are one only for a moment.
const LEAST_MOVING: usize = 4;
/// Distance of the number from the agents, and from the edge of its ground, in pixels.
const GAP: f32 = 3.0;

/// An agent that is drawn.
#[derive(Clone, Copy)]
struct Drawn {
    id: AgentId,
    /// Where it is, in pixels.
    at: Vec2,
    /// Its size, in pixels.
    size: f32,
}

impl Drawn {
    /// Returns whether another agent and this one look like one.
    fn covers(&self, other: &Self) -> bool {
        self.at.distance(other.at) <= math::max(NEAR * self.size, LEAST_NEAR)
    }
}

/// Returns the agents that are drawn, in the order of ids.
fn drawn<'s>(ui: &'s Ui, state: &'s ViewState, camera: Camera) -> impl Iterator<Item = Drawn> + 's {
    let agents = state.world.iter().filter(|agent| !ui.is_hidden(state, agent.group_id()));
    agents.map(move |agent| {
        let size = agent.group().appearance.size_of(agent.body().radius);
        Drawn { id: agent.id(), at: camera.pixel(agent.pos()), size: camera.pixels(size) }
    })
}

/// Returns the agents that look like one, for each such place, if there are not too many.
fn piles(ui: &Ui, state: &ViewState, camera: Camera) -> Vec<Vec<Drawn>> {
    if state.world.agents.len() > MAX_AGENTS {
        return Vec::new();
    }
    let all: Vec<Drawn> = drawn(ui, state, camera).collect();
    let sizes = all.iter().map(|one| one.size);
    let side = math::max(NEAR * sizes.fold(0.0, math::max), LEAST_NEAR);
    let cell = |at: Vec2| ((at.x / side).floor() as i64, (at.y / side).floor() as i64);
    let mut cells: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    for (index, one) in all.iter().enumerate() {
        cells.entry(cell(one.at)).or_default().push(index);
    }
    let mut is_taken = vec![false; all.len()];
    let mut piles = Vec::new();
    for (index, one) in all.iter().enumerate() {
        if is_taken[index] {
            continue;
        }
        let (x, y) = cell(one.at);
        let around = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)));
        let near = around.filter_map(|at| cells.get(&at)).flatten().copied();
        let mut pile: Vec<usize> =
            near.filter(|other| !is_taken[*other] && one.covers(&all[*other])).collect();
        pile.sort_unstable();
        pile.iter().for_each(|other| is_taken[*other] = true);
        if pile.len() > 1 {
            piles.push(pile.into_iter().map(|other| all[other]).collect());
        }
    }
    if piles.len() > MAX_PILES { Vec::new() } else { piles }
}

/// Returns the labels of piles with their areas and where they begin on the base line: those of large piles first, and none over another
/// one.
fn labels(mut piles: Vec<Vec<Drawn>>) -> Vec<(String, Area, Vec2)> {
    piles.sort_by_key(|pile| std::cmp::Reverse(pile.len()));
    let mut labels: Vec<(String, Area, Vec2)> = Vec::new();
    for pile in piles {
        let Drawn { at, size, .. } = pile[0];
        let words = format!("{} here", pile.len());
        let aside = math::max(size, 6.0) + GAP;
        let left = Vec2::new((at.x + aside).round(), (at.y - aside * 0.5).round());
        let width = text_width(&words, SMALL) + 2.0 * GAP;
        let area = Area::new(left.x - GAP, left.y - 10.0, width, 13.0);
        if !labels.iter().any(|(_, other, _)| area.overlaps(*other)) {
            labels.push((words, area, left));
        }
    }
    labels
}

/// Returns the labels that are shown, as `labels` does.
pub(super) fn shown_labels(
    camera: &Camera,
    ui: &Ui,
    state: &ViewState,
) -> Vec<(String, Area, Vec2)> {
    let least = if state.is_moving() { LEAST_MOVING } else { 2 };
    let mut piles = piles(ui, state, *camera);
    piles.retain(|pile| pile.len() >= least);
    labels(piles)
}

/// Writes how many agents there are beside those that look like one.
pub(super) fn draw(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let palette = ui.palette();
    for (words, area, left) in shown_labels(camera, ui, state) {
        picture.fill_rect(area.min, area.max, palette.ground.alpha(210));
        text(picture, left, Anchor::Left, SMALL, palette.ink, &words);
    }
}

impl Ui {
    /// Returns the ids of the agents that look like one with an agent, in their order, with its own.
    fn pile_of(&self, state: &ViewState, id: AgentId) -> Vec<AgentId> {
        let Some(row) = state.world.agents.row(id) else { return Vec::new() };
        let camera = self.camera(state);
        let at = camera.pixel(state.world.agents.pos(row));
        let near = drawn(self, state, camera).filter(|one| one.covers(&Drawn { at, ..*one }));
        near.map(|one| one.id).collect()
    }

    /// Returns the agent under the pointer that a click selects, if there is one. Where several look like one, it is the one after the
    /// selected one.
    pub(super) fn agent_to_select(&self, state: &ViewState) -> Option<AgentId> {
        let here = self.agent_here(state)?;
        let selected = state.next_turn.as_ref().map(|next_turn| next_turn.id);
        let pile = self.pile_of(state, here);
        let known = pile.iter().position(|id| Some(*id) == selected);
        Some(known.map_or(here, |index| pile[(index + 1) % pile.len()]))
    }

    /// Says that the selected agent is not the only one where it is; empty if it is.
    pub(super) fn pile_words(&self, state: &ViewState) -> String {
        let selected = state.next_turn.as_ref().filter(|_| state.world.agents.len() <= MAX_AGENTS);
        let pile = selected.map_or_else(Vec::new, |one| self.pile_of(state, one.id));
        match pile.len() {
            0 | 1 => String::new(),
            count => {
                format!("  ·  {count} agents look like one here: click again for the next one")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a crowd, labels were written over each other.
    #[test]
    fn no_label_is_over_another_one_and_large_piles_are_first() {
        let pile = |x: f32, count: usize| {
            vec![Drawn { id: AgentId(0), at: Vec2::new(x, 50.0), size: 8.0 }; count]
        };
        let labels = labels(vec![pile(10.0, 2), pile(20.0, 3), pile(30.0, 2), pile(90.0, 2)]);
        let shown: Vec<&str> = labels.iter().map(|(words, ..)| words.as_str()).collect();
        assert_eq!(shown, ["3 here", "2 here"]);
        assert!(labels[1].2.x > 90.0);
    }
}
