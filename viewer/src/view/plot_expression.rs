//! An expression that the person plots over time: its mean over the agents, or the number of agents for which it is true.

use std::sync::Arc;

use flockwork_engine::script::{condition, number};
use flockwork_engine::sim::{Brain, Simulation};

/// What is plotted of an expression about an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExpressionKind {
    /// The mean of a number.
    Mean,
    /// The number of agents for which a condition is true.
    Count,
}

/// A compiled expression.
#[derive(Clone)]
pub(super) struct PlotExpression {
    pub(super) text: String,
    pub(super) kind: ExpressionKind,
    brain: Arc<dyn Brain>,
}

/// Explains an error in an expression. If it takes the mean or counts, which a plot does itself, the error is about what is inside.
fn explained(text: &str, error: String, simulation: &Simulation) -> String {
    let inside = |name| {
        let rest = text.trim().strip_prefix(name)?.trim_start();
        rest.strip_prefix('(')?.strip_suffix(')')
    };
    let (what, inside) = match (inside("mean"), inside("count")) {
        (Some(inside), _) => ("the mean is taken", inside),
        (_, Some(inside)) => ("agents are counted", inside),
        _ => return error,
    };
    let words = format!("{what} already, so write only `{inside}`");
    match PlotExpression::new(inside.to_owned(), simulation) {
        Ok(_) => words,
        Err(error) => format!("{words}; and {error}"),
    }
}

impl PlotExpression {
    /// Compiles an expression and tries it. The error says what is wrong with it.
    pub(super) fn new(text: String, simulation: &Simulation) -> Result<Self, String> {
        let mean = || {
            let brain = number(&text).map_err(|error| error.in_one_line())?;
            simulation.numbers_of(&brain).map_err(|error| error.what.in_one_line())?;
            Ok((ExpressionKind::Mean, brain))
        };
        let count = || {
            let brain = condition(&text).ok()?;
            simulation.agents_where(&brain).ok()?;
            Some((ExpressionKind::Count, brain))
        };
        let compiled = mean().or_else(|error: String| count().ok_or(error));
        let (kind, brain) = compiled.map_err(|error| explained(&text, error, simulation))?;
        Ok(Self { text, kind, brain })
    }

    /// Returns the value at a tick. `None` if no agent has one.
    pub(super) fn value(&self, simulation: &Simulation) -> Option<f32> {
        match self.kind {
            ExpressionKind::Count => Some(simulation.agents_where(&self.brain).ok()?.len() as f32),
            ExpressionKind::Mean => {
                let numbers = simulation.numbers_of(&self.brain).ok()?;
                let sum: f64 = numbers.iter().map(|(_, number)| f64::from(*number)).sum();
                (!numbers.is_empty()).then(|| (sum / numbers.len() as f64) as f32)
            }
        }
    }
}
