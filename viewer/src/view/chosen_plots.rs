//! Which values are plotted above the time bar, and how high each plot is.

use super::command::PlayerCommand;
use super::panels;
use super::plot::PlotSource;
use super::ui::Ui;
use super::view_state::ViewState;

/// The plots that the person has chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChosenPlots {
    /// What they show, from the top down.
    pub(super) sources: Vec<PlotSource>,
    /// The number of the plot that keys and the list change.
    pub(super) current: usize,
    /// The height of each, in pixels of the layout, if the person has chosen one.
    pub(super) height: Option<f32>,
}

/// Maximum number of plots.
pub(super) const MAX_PLOTS: usize = 4;

impl ChosenPlots {
    /// Returns what the plot shows that keys and the list change.
    pub(super) fn current(&self) -> Option<&PlotSource> {
        self.sources.get(self.current)
    }

    /// Returns the number of the plot of something.
    fn position(&self, source: &PlotSource) -> Option<usize> {
        self.sources.iter().position(|one| one == source)
    }

    /// Shows something in the current plot, unless another plot shows it, which becomes the current one.
    fn show(&mut self, source: PlotSource) {
        match (self.position(&source), self.sources.get_mut(self.current)) {
            (Some(number), _) => self.current = number,
            (None, Some(current)) => *current = source,
            (None, None) => {
                self.current = self.sources.len();
                self.sources.push(source);
            }
        }
    }

    /// Adds a plot below the others, or removes it.
    fn toggle(&mut self, source: PlotSource) {
        if let Some(number) = self.position(&source) {
            self.sources.remove(number);
            self.current = self.current.min(self.sources.len().saturating_sub(1));
        } else if self.sources.len() < MAX_PLOTS {
            self.current = self.sources.len();
            self.sources.push(source);
        }
    }
}

impl Ui {
    /// Plots something instead of what the current plot shows; nothing closes all plots.
    pub(super) fn show_plot(&mut self, source: Option<PlotSource>) -> PlayerCommand {
        match source {
            Some(source) => self.plots.show(source),
            None => self.plots.sources.clear(),
        }
        self.send_plots()
    }

    /// Adds a plot of something below the others, or removes it.
    pub(super) fn add_or_remove_plot(&mut self, source: PlotSource) -> PlayerCommand {
        self.plots.toggle(source);
        self.send_plots()
    }

    /// Opens the panel if there is something to plot, and returns the command that records the values.
    fn send_plots(&mut self) -> PlayerCommand {
        panels::plot::PANEL.set_open(self, !self.plots.sources.is_empty());
        PlayerCommand::Plot(self.plots.sources.clone())
    }

    /// Returns the height that each plot has if their upper edge is at the pointer, in pixels.
    pub(super) fn plot_height_at_pointer(&self, state: &ViewState) -> f32 {
        let layout = self.layout(state);
        let bottom = layout.plots.last().map_or(0.0, |areas| areas.whole.max.y);
        (bottom - self.pointer.y) / layout.plots.len().max(1) as f32
    }
}
