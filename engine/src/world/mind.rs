//! What only the agent itself knows: the state of its script, and its progress on each path.
//!
//! It is kept beside the world, since no other agent perceives it: an agent may change its own mind in its turn
//! without changing what others see.

use super::{Progress, Values, retain_rows};

/// The minds of all agents, in the same rows as the world's agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Minds {
    state: Vec<Values>,
    progress: Vec<Progress>,
    paths: usize,
}

/// The mind of one agent, mutable.
#[derive(Debug)]
pub struct Mind<'m> {
    /// The values that its script keeps in `me.state`.
    pub state: &'m mut Values,
    /// Its progress on each path of the world.
    pub progress: &'m mut [Progress],
}

impl Minds {
    /// Returns an empty list of minds, for a world with a number of paths.
    pub fn new(paths: usize) -> Self {
        Self { paths, ..Self::default() }
    }

    /// Returns the number of minds.
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Returns whether there are no minds.
    pub fn is_empty(&self) -> bool {
        self.state.is_empty()
    }

    /// Returns the state of the agent in a row.
    pub fn state(&self, row: usize) -> &Values {
        &self.state[row]
    }

    /// Returns the progress of the agent in a row on each path.
    pub fn progress(&self, row: usize) -> &[Progress] {
        &self.progress[row * self.paths..(row + 1) * self.paths]
    }

    /// Returns the mind of a row, mutable.
    pub fn mind(&mut self, row: usize) -> Mind<'_> {
        Mind {
            state: &mut self.state[row],
            progress: &mut self.progress[row * self.paths..(row + 1) * self.paths],
        }
    }

    /// Returns all of them, to be split among threads.
    pub(crate) fn all(&mut self) -> MindsMut<'_> {
        MindsMut { state: &mut self.state, progress: &mut self.progress, paths: self.paths }
    }

    /// Adds empty minds up to a number of rows.
    pub(crate) fn grow(&mut self, rows: usize) {
        self.state.resize(rows, Values::default());
        self.progress.resize(rows * self.paths, Progress::default());
    }

    /// Frees memory that is reserved for more minds.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.state.shrink_to_fit();
        self.progress.shrink_to_fit();
    }

    /// Keeps the rows that are marked `true`, in their order.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        retain_rows(&mut self.state, keep);
        let mut index = 0;
        self.progress.retain(|_| {
            index += 1;
            keep[(index - 1) / self.paths]
        });
    }
}

/// The minds of consecutive rows, mutable. They can be split further.
#[derive(Debug)]
pub(crate) struct MindsMut<'m> {
    state: &'m mut [Values],
    progress: &'m mut [Progress],
    paths: usize,
}

impl<'m> MindsMut<'m> {
    /// Splits off the first `rows` minds.
    pub(crate) fn split(self, rows: usize) -> (Self, Self) {
        let (state, rest) = self.state.split_at_mut(rows);
        let (progress, others) = self.progress.split_at_mut(rows * self.paths);
        let paths = self.paths;
        (Self { state, progress, paths }, Self { state: rest, progress: others, paths })
    }

    /// Returns one of them, mutable, counted from the first one here.
    pub(crate) fn mind(&mut self, row: usize) -> Mind<'_> {
        Mind {
            state: &mut self.state[row],
            progress: &mut self.progress[row * self.paths..(row + 1) * self.paths],
        }
    }

    /// Returns one of them, counted from the first one here.
    pub(crate) fn read(&self, row: usize) -> (&Values, &[Progress]) {
        (&self.state[row], &self.progress[row * self.paths..(row + 1) * self.paths])
    }
}
