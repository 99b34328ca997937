//! Pairs the calls of primitives in two explanations of one agent's force.

use super::PlaceMap;
use super::branch::{Branch, ExplainedTurn};
use crate::math::Vec2;
use crate::sim::{ExplainedCall, Explanation};

/// The largest difference that comes from rounding a sum, relative to the sum of the lengths.
const MAX_ROUNDING: f32 = 1e-6;

/// The calls of primitives for one agent in one tick, in the old run and in the new run.
#[derive(Clone, Debug, Default)]
pub struct CallPairs {
    /// The calls in order, moved ones in that of the new run. Where both runs have a call, it is the same call of the same primitive.
    pub pairs: Vec<CallPair>,
    /// The force in the old run, if it is known.
    pub old_force: Option<Vec2>,
    /// The force in the new run, if it can be explained.
    pub new_force: Option<Vec2>,
}

/// One call, in the old run and in the new run.
#[derive(Clone, Debug)]
pub struct CallPair {
    /// The old call; `None` if it was not made or is not known.
    pub old: Option<ExplainedCall>,
    /// The new call; `None` if it is not made any more.
    pub new: Option<ExplainedCall>,
    /// Whether the script makes the call before or after others than the old one did.
    pub moved: bool,
}

impl CallPairs {
    /// Pairs the calls of two explanations: as many as possible that call the same primitive at the same place, and then
    /// those of the others that have moved and give the same.
    pub(super) fn between(
        old: Option<&Explanation>,
        new: Option<&Explanation>,
        places: &PlaceMap,
    ) -> Self {
        let (old_force, new_force) = (old.map(|one| one.force), new.map(|one| one.force));
        let calls = |one: Option<&Explanation>| one.map_or_else(Vec::new, |one| one.calls.clone());
        let (old, new) = (calls(old), calls(new));
        let is_pair = |old: &ExplainedCall, new: &ExplainedCall| {
            let places = old.place.as_ref().zip(new.place.as_ref()).map(|both| (places, both));
            let is_same = places.is_none_or(|(places, (old, new))| places.may_be_same(old, new));
            is_same && old.primitive.name == new.primitive.name
        };
        // The longest common subsequence, from the end on.
        let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                common[i][j] = if is_pair(&old[i], &new[j]) {
                    common[i + 1][j + 1] + 1
                } else {
                    common[i + 1][j].max(common[i][j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        let mut pairs = Vec::new();
        while i < old.len() || j < new.len() {
            let both = i < old.len() && j < new.len();
            let (left, right) = if both && is_pair(&old[i], &new[j]) {
                (true, true)
            } else if j == new.len() || (both && common[i + 1][j] >= common[i][j + 1]) {
                (true, false)
            } else {
                (false, true)
            };
            pairs.push(CallPair {
                old: left.then(|| old[i].clone()),
                new: right.then(|| new[j].clone()),
                moved: false,
            });
            i += usize::from(left);
            j += usize::from(right);
        }
        let mut pairs = Self { pairs, old_force, new_force };
        pairs.pair_moved(places);
        pairs
    }

    /// Pairs calls that only one run makes with calls of the other run that give the same, if their places have no
    /// counterpart.
    fn pair_moved(&mut self, places: &PlaceMap) {
        let mut index = 0;
        while index < self.pairs.len() {
            let is_moved = |pair: &CallPair| {
                let (Some(new), None) = (&self.pairs[index].new, &self.pairs[index].old) else {
                    return false;
                };
                let (Some(old), None) = (&pair.old, &pair.new) else { return false };
                let both = old.place.as_ref().zip(new.place.as_ref());
                old.primitive.name == new.primitive.name
                    && old.raw == new.raw
                    && both.is_none_or(|(old, new)| places.may_have_moved(old, new))
            };
            let Some(from) = self.pairs.iter().position(is_moved) else {
                index += 1;
                continue;
            };
            self.pairs[index].old = self.pairs[from].old.take();
            self.pairs[index].moved = true;
            self.pairs.remove(from);
            index += usize::from(from > index);
        }
    }

    /// Returns a call to show where the same forces give another sum, by no more than rounding: the first that has moved,
    /// otherwise the first that has a share of the force. `None` if the forces are the same, or differ by more.
    pub(super) fn differently_added(&self) -> Option<&CallPair> {
        let (old, new) = (self.old_force?, self.new_force?);
        let shares = self.pairs.iter().filter_map(|pair| pair.new.as_ref());
        let size: f32 = shares.map(|call| call.share.length()).sum();
        if old == new || old.distance(new) > MAX_ROUNDING * size {
            return None;
        }
        let has_share =
            |pair: &&CallPair| pair.new.as_ref().is_some_and(|call| call.share != Vec2::ZERO);
        let moved = self.pairs.iter().find(|pair| pair.moved);
        moved.or_else(|| self.pairs.iter().find(has_share))
    }

    /// Returns whether a call that both runs make has another result before the new run takes another branch.
    pub(super) fn differs_before(&self, branch: &Branch, new_turn: &ExplainedTurn) -> bool {
        self.pairs.iter().any(|pair| {
            let (Some(old), Some(new)) = (&pair.old, &pair.new) else { return false };
            let order = new.place.as_ref().and_then(|place| new_turn.order_of(place));
            old.raw != new.raw && order.is_some_and(|order| order < branch.order)
        })
    }

    /// Returns the call that names the cause: the first that differs in its result, in its weight, or because one run
    /// does not make it. `None` if one of the forces is not known.
    ///
    /// If only one run makes the first one, a script took another branch. Then calls appear and disappear together, and
    /// the one with the largest share of the force is returned; of two equal ones, the new one.
    pub fn most_telling(&self) -> Option<&CallPair> {
        self.old_force?;
        self.new_force?;
        let first = self.pairs.iter().find(|pair| pair.differs())?;
        if first.one_sided().is_none() {
            return Some(first);
        }
        let rank = |pair: &CallPair| {
            let share = pair.one_sided()?.share;
            Some((share.length_squared(), pair.new.is_some()))
        };
        let one_sided = self.pairs.iter().filter(|pair| pair.one_sided().is_some());
        one_sided.reduce(|best, pair| if rank(pair) > rank(best) { pair } else { best })
    }
}

impl CallPair {
    /// Returns true if the result or the share of the call differs.
    pub fn differs(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => {
                let has_shares = old.has_share && new.has_share;
                old.raw != new.raw || (has_shares && old.share != new.share)
            }
            _ => true,
        }
    }

    /// Returns the call if only one run makes it.
    fn one_sided(&self) -> Option<&ExplainedCall> {
        match (&self.old, &self.new) {
            (Some(call), None) | (None, Some(call)) => Some(call),
            _ => None,
        }
    }
}
