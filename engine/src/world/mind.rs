//! What only one agent knows: what its script remembers, and how far it has come on each path.
//!
//! Kept beside the world, since nobody else perceives it: an agent may change its own in its turn
//! without changing what others see.

use super::{Progress, Values, retain_rows};

/// The minds of all agents, a row each, in the rows of the world's agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Minds {
    state: Vec<Values>,
    progress: Vec<Progress>,
    paths: usize,
}

/// One agent's mind, to read and to change.
#[derive(Debug)]
pub struct Mind<'m> {
    /// What its script has put into `me.state`.
    pub state: &'m mut Values,
    /// Its progress on each path of the world.
    pub progress: &'m mut [Progress],
}

impl Minds {
    /// No minds yet, in a world with a number of paths.
    pub fn new(paths: usize) -> Self {
        Self { paths, ..Self::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.state.is_empty()
    }

    /// What the agent of a row remembers.
    pub fn state(&self, row: usize) -> &Values {
        &self.state[row]
    }

    /// The progress of the agent of a row on each path.
    pub fn progress(&self, row: usize) -> &[Progress] {
        &self.progress[row * self.paths..(row + 1) * self.paths]
    }

    /// The mind of a row, to change.
    pub fn mind(&mut self, row: usize) -> Mind<'_> {
        Mind {
            state: &mut self.state[row],
            progress: &mut self.progress[row * self.paths..(row + 1) * self.paths],
        }
    }

    /// All of them, to be dealt out.
    pub(crate) fn all(&mut self) -> MindsMut<'_> {
        MindsMut { state: &mut self.state, progress: &mut self.progress, paths: self.paths }
    }

    /// Adds empty minds up to a number of rows.
    pub(crate) fn grow(&mut self, rows: usize) {
        self.state.resize(rows, Values::default());
        self.progress.resize(rows * self.paths, Progress::default());
    }

    /// Gives back memory that is kept for more of them.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.state.shrink_to_fit();
        self.progress.shrink_to_fit();
    }

    /// Keeps the rows marked `true`, in their order.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        retain_rows(&mut self.state, keep);
        let mut item = 0;
        self.progress.retain(|_| {
            item += 1;
            keep[(item - 1) / self.paths]
        });
    }
}

/// The minds of consecutive rows, to change: a part of all that can be split further.
#[derive(Debug)]
pub(crate) struct MindsMut<'m> {
    state: &'m mut [Values],
    progress: &'m mut [Progress],
    paths: usize,
}

impl<'m> MindsMut<'m> {
    /// The first `rows` of these, and the rest.
    pub(crate) fn split(self, rows: usize) -> (Self, Self) {
        let (state, rest) = self.state.split_at_mut(rows);
        let (progress, others) = self.progress.split_at_mut(rows * self.paths);
        let paths = self.paths;
        (Self { state, progress, paths }, Self { state: rest, progress: others, paths })
    }

    /// One of them, counted from the first of these.
    pub(crate) fn mind(&mut self, row: usize) -> Mind<'_> {
        Mind {
            state: &mut self.state[row],
            progress: &mut self.progress[row * self.paths..(row + 1) * self.paths],
        }
    }

    /// One of them, to read, counted from the first of these.
    pub(crate) fn read(&self, row: usize) -> (&Values, &[Progress]) {
        (&self.state[row], &self.progress[row * self.paths..(row + 1) * self.paths])
    }
}
