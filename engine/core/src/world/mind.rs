//! The knowledge that only the agent itself has: the state of its script, and its progress on each path.
//!
//! It is kept beside the world, since no other agent perceives it: an agent may change its own mind in its turn
//! without changing what others see.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Progress, Values, retain_rows};

/// The minds of all agents, in the same rows as the world's agents.
#[derive(Debug, Default)]
pub struct Minds {
    state: Vec<Values>,
    progress: Vec<Progress>,
    paths: usize,
    /// Whether any mind may be non-empty.
    used: AtomicBool,
    /// Whether they are in another order than that of rows.
    are_arranged: bool,
}

impl Clone for Minds {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            progress: self.progress.clone(),
            paths: self.paths,
            used: AtomicBool::new(self.used.load(Ordering::Relaxed)),
            are_arranged: self.are_arranged,
        }
    }
}

impl PartialEq for Minds {
    fn eq(&self, other: &Self) -> bool {
        (&self.state, &self.progress, self.paths) == (&other.state, &other.progress, other.paths)
    }
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
    #[inline]
    pub fn state(&self, row: usize) -> &Values {
        &self.state[row]
    }

    /// Gives the values with a name in the state of all agents another name.
    pub fn rename_state(&mut self, old: &str, new: &str) {
        self.state.iter_mut().for_each(|state| state.rename(old, new));
    }

    /// Returns the progress of the agent in a row on each path.
    #[inline]
    pub fn progress(&self, row: usize) -> &[Progress] {
        &self.progress[row * self.paths..(row + 1) * self.paths]
    }

    /// Returns the mind of a row, mutable.
    #[inline]
    pub fn mind(&mut self, row: usize) -> Mind<'_> {
        *self.used.get_mut() = true;
        Mind {
            state: &mut self.state[row],
            progress: &mut self.progress[row * self.paths..(row + 1) * self.paths],
        }
    }

    /// Returns all of them, to be split among threads.
    pub(crate) fn all(&mut self) -> MindsMut<'_> {
        let Self { state, progress, paths, used, .. } = self;
        MindsMut { state, progress, paths: *paths, used }
    }

    /// Returns the same minds in another order of rows.
    pub(crate) fn in_order(&self, rows: &[usize]) -> Self {
        let state = rows.iter().map(|&row| self.state[row].clone());
        let progress = rows.iter().flat_map(|&row| self.progress(row)).copied();
        Self { state: state.collect(), progress: progress.collect(), ..self.clone() }
    }

    /// Puts the minds into another order, given by their rows, until [`Minds::restore_order`].
    pub(crate) fn arrange(&mut self, rows: &[u32]) {
        debug_assert_eq!(rows.len(), self.len(), "an order of all minds");
        // In any order, empty minds are the same.
        if !self.are_all_empty() {
            (self.state, self.progress) = self.take_in_order(rows);
            self.are_arranged = true;
        }
    }

    /// Puts the minds back into the order of rows, after [`Minds::arrange`] with the same rows.
    pub(crate) fn restore_order(&mut self, rows: &[u32]) {
        if self.are_arranged || !self.are_all_empty() {
            let state = std::mem::take(&mut self.state);
            let progress = std::mem::take(&mut self.progress);
            self.put_back(rows, state, progress);
            self.are_arranged = false;
        }
    }

    fn are_all_empty(&mut self) -> bool {
        let used = self.used.get_mut();
        *used = *used
            && !(self.state.iter().all(Values::is_empty)
                && self.progress.iter().all(|of| *of == Progress::default()));
        !*used
    }

    fn take_in_order(&mut self, rows: &[u32]) -> (Vec<Values>, Vec<Progress>) {
        let state = rows.iter().map(|&row| std::mem::take(&mut self.state[row as usize])).collect();
        let progress = rows.iter().flat_map(|&row| self.progress(row as usize)).copied();
        (state, progress.collect())
    }

    fn put_back(&mut self, rows: &[u32], state: Vec<Values>, progress: Vec<Progress>) {
        self.state.resize(rows.len(), Values::default());
        self.progress.resize(rows.len() * self.paths, Progress::default());
        for (&row, state) in rows.iter().zip(state) {
            self.state[row as usize] = state;
        }
        if self.paths > 0 {
            for (&row, progress) in rows.iter().zip(progress.chunks(self.paths)) {
                let first = row as usize * self.paths;
                self.progress[first..first + self.paths].copy_from_slice(progress);
            }
        }
    }

    /// Adds empty minds up to a number of rows.
    pub fn grow(&mut self, rows: usize) {
        self.state.resize(rows, Values::default());
        self.progress.resize(rows * self.paths, Progress::default());
    }

    /// Frees memory that is reserved for more minds.
    #[doc(hidden)]
    pub fn shrink_to_fit(&mut self) {
        self.state.shrink_to_fit();
        self.progress.shrink_to_fit();
    }

    /// Keeps the rows that are marked `true`, in their order.
    pub fn retain(&mut self, keep: &[bool]) {
        retain_rows(&mut self.state, keep);
        let mut index = 0;
        self.progress.retain(|_| {
            index += 1;
            keep[(index - 1) / self.paths]
        });
    }
}

/// Some minds, mutable. They can be split further.
#[derive(Debug)]
pub(crate) struct MindsMut<'m> {
    state: &'m mut [Values],
    progress: &'m mut [Progress],
    paths: usize,
    /// Set when one of them is lent mutably.
    used: &'m AtomicBool,
}

impl<'m> MindsMut<'m> {
    /// Splits off the first `rows` minds.
    pub(crate) fn split(self, rows: usize) -> (Self, Self) {
        let (state, rest) = self.state.split_at_mut(rows);
        let (progress, others) = self.progress.split_at_mut(rows * self.paths);
        let Self { paths, used, .. } = self;
        (Self { state, progress, paths, used }, Self { state: rest, progress: others, paths, used })
    }

    /// Returns one of them, mutable, counted from the first one here.
    #[inline]
    pub(crate) fn mind(&mut self, row: usize) -> Mind<'_> {
        if !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
        Mind {
            state: &mut self.state[row],
            progress: &mut self.progress[row * self.paths..(row + 1) * self.paths],
        }
    }

    /// Returns one of them, counted from the first one here.
    #[inline]
    pub(crate) fn read(&self, row: usize) -> (&Values, &[Progress]) {
        (&self.state[row], &self.progress[row * self.paths..(row + 1) * self.paths])
    }
}
