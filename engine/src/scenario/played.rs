//! Reads files of inputs: what somebody played, as events that set inputs and move the pointer.

use std::sync::Arc;

use serde::Deserialize;

use super::findings::Findings;
use super::spanned::Spanned;
use super::{Scenario, read_ron};
use crate::diag::{Code, Diagnostic, Diagnostics, Source};
use crate::number::{Natural, Point};
use crate::schema::described;
use crate::sim::{Action, Event, EventTime};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "event", deny_unknown_fields)]
    enum PlayedSpec {
        /// Happens once.
        At {
            /// The tick at which it happens.
            tick: Natural,
            /// What happens.
            r#do: PlayedAction,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "played action", deny_unknown_fields)]
    enum PlayedAction {
        /// Sets an input.
        Input {
            /// The input.
            name: Spanned<String>,
            /// Whether it is true from now on.
            down: bool,
        },
        /// Moves the pointer.
        Cursor {
            /// The place.
            at: Option<Point>,
        },
    }
}

impl Scenario {
    /// Reads a file of inputs for this scenario: a list such as `[At(tick: 3, do: Input(name: "left", down: true))]`, in the form that
    /// scenarios have under `events`. Only the actions `Input` and `Cursor` can be in it.
    ///
    /// # Errors
    ///
    /// All errors in the file: what cannot be read, and inputs that the scenario does not have.
    pub fn played_events(&self, source: &Arc<Source>) -> Result<Vec<Event>, Diagnostics> {
        let shortest = "[At(tick: 0, do: Input(name: \"left\", down: true))]";
        let specs: Vec<Spanned<PlayedSpec>> = read_ron(source, shortest)?;
        let mut findings = Findings::new(source);
        let mut events = Vec::new();
        for spec in &specs {
            let Some(PlayedSpec::At { tick, r#do }) = findings.read(spec) else { continue };
            let action = match r#do {
                PlayedAction::Input { name, down } => {
                    let Some(wanted) = findings.read(name) else { continue };
                    let mut inputs = self.setup.inputs.iter();
                    let Some(input) = inputs.find(|input| *input.name == **wanted) else {
                        let known = self.setup.inputs.iter().map(|input| &*input.name);
                        let unknown = Diagnostic::error(format!("no input `{wanted}`"))
                            .code(Code::UnknownName)
                            .suggest(wanted, known);
                        findings.add(unknown, findings.span(name));
                        continue;
                    };
                    Action::Input { name: Arc::clone(&input.name), down: *down }
                }
                PlayedAction::Cursor { at } => Action::Cursor { at: at.map(|at| at.0) },
            };
            events.push(Event { when: EventTime::At(tick.get()), action });
        }
        findings.without_errors()?;
        Ok(events)
    }
}
