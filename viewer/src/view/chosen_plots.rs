//! Which values are plotted above the time bar, and how high each plot is.

use super::plot::PlotSource;

/// The plots that the person has chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChosenPlots {
    /// What they show, from the top down.
    pub(super) sources: Vec<PlotSource>,
    /// The number of the plot that keys and the list change.
    pub(super) current: usize,
    /// What they showed when they were closed.
    closed: Vec<PlotSource>,
    /// The name of the group whose measures the list shows.
    pub(super) unfolded: Option<String>,
    /// Whether the window chose what is shown: the person may not know yet what to look at.
    pub(super) is_guess: bool,
    /// Whether the person has ever chosen what is shown: then the window does not.
    is_chosen: bool,
    /// The height of each, in pixels of the layout, if the person has chosen one.
    pub(super) height: Option<f32>,
    /// The height of all together while the pointer is in the list: its rows must not move below the pointer.
    pub(super) held_height: Option<f32>,
}

/// Maximum number of plots.
pub(super) const MAX_PLOTS: usize = 4;

impl ChosenPlots {
    /// Returns what the plot shows that keys and the list change.
    pub(super) fn current(&self) -> Option<&PlotSource> {
        self.sources.get(self.current)
    }

    /// Returns all measures of groups that are shown, or were before the plots were closed.
    pub(super) fn of_groups(&self) -> impl Iterator<Item = &PlotSource> {
        let all = self.sources.iter().chain(&self.closed);
        all.filter(|source| matches!(source, PlotSource::OfGroup { .. }))
    }

    /// Returns the number of the plot of something.
    fn position(&self, source: &PlotSource) -> Option<usize> {
        self.sources.iter().position(|one| one == source)
    }

    /// Shows something in the current plot, unless another plot shows it, which becomes the current one.
    pub(super) fn show(&mut self, source: PlotSource) {
        (self.is_guess, self.is_chosen) = (false, true);
        self.set_current(source);
    }

    /// Returns whether the window may choose what is shown: nothing is, and the person has never chosen.
    pub(super) fn can_guess(&self) -> bool {
        self.sources.is_empty() && !self.is_chosen
    }

    /// Shows what the window chooses, which may still change if `is_guess`.
    pub(super) fn guess(&mut self, source: PlotSource, is_guess: bool) {
        self.is_guess = is_guess;
        self.set_current(source);
    }

    fn set_current(&mut self, source: PlotSource) {
        match (self.position(&source), self.sources.get_mut(self.current)) {
            (Some(number), _) => self.current = number,
            (None, Some(current)) => *current = source,
            (None, None) => {
                self.current = self.sources.len();
                self.sources.push(source);
            }
        }
    }

    /// Shows nothing, and remembers what was shown.
    pub(super) fn close(&mut self) {
        self.is_guess = false;
        self.closed = std::mem::take(&mut self.sources);
    }

    /// Shows again what was closed last, as far as it is among all that can be plotted. Returns whether there is some.
    pub(super) fn open_again(&mut self, all: &[PlotSource]) -> bool {
        if self.sources.is_empty() {
            self.sources = std::mem::take(&mut self.closed);
            self.sources.retain(|source| all.contains(source));
            self.current = self.current.min(self.sources.len().saturating_sub(1));
            return !self.sources.is_empty();
        }
        false
    }

    /// Adds a plot below the others, or removes it.
    pub(super) fn toggle(&mut self, source: PlotSource) {
        (self.is_guess, self.is_chosen) = (false, true);
        if let Some(number) = self.position(&source) {
            self.sources.remove(number);
            self.current = self.current.min(self.sources.len().saturating_sub(1));
        } else if self.sources.len() < MAX_PLOTS {
            self.current = self.sources.len();
            self.sources.push(source);
        }
    }
}
