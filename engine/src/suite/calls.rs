//! Two explanations of one agent's force beside each other.

use crate::math::Vec2;
use crate::sim::{ExplainedCall, Explanation};

/// The calls of primitives for one agent in one tick, as they were and as they are.
#[derive(Clone, Debug, Default)]
pub struct CallPairs {
    /// In their order; where both sides have one, it is the same primitive.
    pub pairs: Vec<CallPair>,
    /// The force that it was, if it is known.
    pub old_force: Option<Vec2>,
    /// The force that it is, if it can be explained.
    pub new_force: Option<Vec2>,
}

/// One call, as it was and as it is.
#[derive(Clone, Debug)]
pub struct CallPair {
    /// As it was; `None` if it was not made, or is not known.
    pub old: Option<ExplainedCall>,
    /// As it is; `None` if it is no longer made.
    pub new: Option<ExplainedCall>,
}

impl CallPairs {
    /// Puts calls beside each other so that as many as possible are of one primitive.
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

    /// The first call that differs: in its answer, in its weight, or in being there at all. None where
    /// there is only one side.
    pub fn first_different(&self) -> Option<&CallPair> {
        self.old_force?;
        self.new_force?;
        self.pairs.iter().find(|pair| pair.differs())
    }
}

impl CallPair {
    /// Whether its answer or what became of it is not what it was.
    pub fn differs(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => old.raw != new.raw || old.share != new.share,
            _ => true,
        }
    }
}
