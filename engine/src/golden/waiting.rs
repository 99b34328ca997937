//! The lines of a keyframe for messages that are not heard yet.

use std::fmt::Write as _;

use super::scenario_names::{ScenarioNames, group};
use super::text::{self, LineParser, SyntaxError};
use crate::world::{AgentMessage, LateListeners, WaitingMessage};

/// Appends the line of a message: when it is heard and told, by whom, what, and who hears it.
pub(super) fn write(text: &mut String, of: &WaitingMessage, names: &ScenarioNames) {
    let WaitingMessage { heard, to, message } = of;
    let AgentMessage { tick, teller, group, name, value } = message;
    let _ = write!(text, "message {heard} {tick} {teller} ");
    text::name(text, &names.groups[usize::from(group.0)]);
    text.push(' ');
    text::name(text, name);
    text.push(' ');
    text::value(text, value);
    match to {
        LateListeners::Agents(ids) => {
            text.push_str(" to");
            ids.iter().for_each(|id| {
                let _ = write!(text, " {id}");
            });
        }
        LateListeners::Group(group) => {
            text.push_str(" all ");
            text::name(text, &names.groups[usize::from(group.0)]);
        }
    }
    text.push('\n');
}

/// Reads the rest of a line that begins with `message`.
pub(super) fn read(
    line: &mut LineParser<'_>,
    names: &ScenarioNames,
) -> Result<WaitingMessage, SyntaxError> {
    let (heard, tick) = (line.parse("a tick")?, line.parse("a tick")?);
    let (teller, group_of_teller) = (line.parse("the id of an agent")?, group(line, names)?);
    let (name, value) = (line.name()?, line.value()?);
    let to = if line.takes("all") {
        LateListeners::Group(group(line, names)?)
    } else {
        line.expect("to")?;
        let mut ids = Vec::new();
        while !line.is_done() {
            ids.push(line.parse("the id of an agent")?);
        }
        LateListeners::Agents(ids.into())
    };
    let message = AgentMessage { tick, teller, group: group_of_teller, name, value };
    Ok(WaitingMessage { heard, to, message })
}
