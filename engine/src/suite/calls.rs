//! Pairs the calls of primitives in two explanations of one agent's force.

use crate::math::Vec2;
use crate::sim::{ExplainedCall, Explanation};

/// The calls of primitives for one agent in one tick, in the old run and in the new run.
#[derive(Clone, Debug, Default)]
pub struct CallPairs {
    /// The calls in order. Where both runs have a call, it is of the same primitive.
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
}

impl CallPairs {
    /// Pairs the calls of two explanations so that as many pairs as possible have the same primitive.
    pub fn between(old: Option<Explanation>, new: Option<Explanation>) -> Self {
        let (old_force, new_force) =
            (old.as_ref().map(|one| one.force), new.as_ref().map(|one| one.force));
        let calls = |one: Option<Explanation>| one.map_or_else(Vec::new, |one| one.calls);
        let (old, new) = (calls(old), calls(new));
        // The longest common subsequence, from the end on.
        let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                common[i][j] = if old[i].primitive.name == new[j].primitive.name {
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
            let (left, right) = if both && old[i].primitive.name == new[j].primitive.name {
                (true, true)
            } else if j == new.len() || (both && common[i + 1][j] >= common[i][j + 1]) {
                (true, false)
            } else {
                (false, true)
            };
            pairs.push(CallPair {
                old: left.then(|| old[i].clone()),
                new: right.then(|| new[j].clone()),
            });
            i += usize::from(left);
            j += usize::from(right);
        }
        Self { pairs, old_force, new_force }
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
            (Some(old), Some(new)) => old.raw != new.raw || old.share != new.share,
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
