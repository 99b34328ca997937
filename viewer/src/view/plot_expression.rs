//! An expression that the person plots over time: its mean over the agents, the number of agents for which it is true, or a number that is
//! computed from measures.

use std::sync::Arc;

use flockwork_engine::script::{CompiledMeasure, Scripts, condition, number};
use flockwork_engine::sim::{Brain, Simulation};
use flockwork_engine::trace::MeasureScript;

use super::state_names::why_wrong;

/// What is plotted of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExpressionKind {
    /// The mean of a number of each agent.
    Mean,
    /// The number of agents for which a condition is true.
    Count,
    /// A number that is computed from the measures of the tick, `now`.
    Measure,
}

/// A compiled expression.
#[derive(Clone)]
pub(super) struct PlotExpression {
    pub(super) text: String,
    pub(super) kind: ExpressionKind,
    compiled: Compiled,
}

#[derive(Clone)]
enum Compiled {
    /// Of an expression about an agent.
    Agent(Arc<dyn Brain>),
    Measure(Arc<CompiledMeasure>),
}

/// Compiles an expression about the measures of a tick, and tries it. The error says what is wrong with it.
fn measure(text: &str, simulation: &Simulation) -> Result<CompiledMeasure, String> {
    const NAME: &str = "expression";
    let scripts = Scripts::new().with(NAME, format!("fn measure(now) {{ {text} }}"));
    let compiled = CompiledMeasure::compile(NAME, &scripts)
        .map_err(|errors| errors.into_first().in_one_line())?;
    if let Some(measure) = compiled.measures().iter().find(|measure| measure.needs_totals()) {
        return Err(no_plot_of(measure.name()));
    }
    compiled.take(simulation, None).map_err(|error| error.in_one_line())?;
    Ok(compiled)
}

/// Says why a measure of the whole run is not plotted.
pub(super) fn no_plot_of(measure: &str) -> String {
    format!(
        "`{measure}` counts from the first tick on, and a plot knows single ticks only; `flockwork run --measures FILE --measure {measure}` writes it"
    )
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
            let why = |error| why_wrong(&text, error, simulation);
            let brain = number(&text).map_err(why)?;
            simulation.numbers_of(&brain).map_err(|error| why(*error.what))?;
            Ok((ExpressionKind::Mean, brain))
        };
        let count = || {
            let brain = condition(&text).ok()?;
            simulation.agents_where(&brain).ok()?;
            Some((ExpressionKind::Count, brain))
        };
        let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        if text.split(|letter| !is_of_name(letter)).any(|word| word == "now") {
            let compiled = Compiled::Measure(Arc::new(measure(&text, simulation)?));
            return Ok(Self { text, kind: ExpressionKind::Measure, compiled });
        }
        let compiled = mean().or_else(|error: String| count().ok_or(error));
        let (kind, brain) = compiled.map_err(|error| explained(&text, error, simulation))?;
        Ok(Self { text, kind, compiled: Compiled::Agent(brain) })
    }

    /// Returns the value at a tick. `None` if no agent has one.
    pub(super) fn value(&self, simulation: &Simulation) -> Option<f32> {
        let brain = match &self.compiled {
            Compiled::Measure(measure) => return measure.take(simulation, None).ok()?,
            Compiled::Agent(brain) => brain,
        };
        if self.kind == ExpressionKind::Count {
            return Some(simulation.agents_where(brain).ok()?.len() as f32);
        }
        let numbers = simulation.numbers_of(brain).ok()?;
        let sum: f64 = numbers.iter().map(|(_, number)| f64::from(*number)).sum();
        (!numbers.is_empty()).then(|| (sum / numbers.len() as f64) as f32)
    }
}
