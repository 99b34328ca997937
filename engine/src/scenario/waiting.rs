//! Messages in a start that are not heard yet: reading and writing them.

use serde::Deserialize;

use super::findings::{Findings, KnownNames};
use super::ordered;
use super::spanned::Spanned;
use super::state_value::StateValue;
use super::to_ron::{quoted, value};
use crate::diag::{Code, Diagnostic};
use crate::golden::ScenarioNames;
use crate::number::{Count, Natural};
use crate::schema::described;
use crate::world::{
    AgentId, AgentMessage, Group, GroupId, LateListeners, PublicType, Value, WaitingMessage,
};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Message", deny_unknown_fields)]
    pub(super) struct WaitingSpec {
        /// The tick in which it is heard.
        heard: Spanned<Natural>,
        /// The tick in which it was told.
        told: Natural,
        /// The id of the agent that told it.
        teller: Count,
        /// The group of that agent.
        group: Spanned<String> => Group,
        /// The name of a public state of those who hear it.
        name: Spanned<String> => State,
        /// The value.
        value: Spanned<StateValue>,
        /// The ids of the agents that hear it. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        agents: Vec<Spanned<Count>>,
        /// The group that hears it, instead of single agents. Default: no group.
        all: Option<Spanned<String>> => Group,
    }
}

/// Returns the messages of a start at a tick, in the order in which they are heard. `groups` are the names of the groups and the groups.
pub(super) fn build(
    findings: &mut Findings<'_>,
    written: &[Spanned<WaitingSpec>],
    tick: u64,
    groups: (&KnownNames, &[Group]),
) -> Vec<WaitingMessage> {
    let mut all: Vec<WaitingMessage> =
        written.iter().filter_map(|one| message(findings, one, tick, groups)).collect();
    all.sort_by_key(|one| one.heard);
    all
}

fn message(
    findings: &mut Findings<'_>,
    written: &Spanned<WaitingSpec>,
    tick: u64,
    (names, groups): (&KnownNames, &[Group]),
) -> Option<WaitingMessage> {
    let spec = findings.read(written)?;
    let heard = findings.read(&spec.heard)?.get();
    if heard <= tick {
        let late = format!("the start is at tick {tick}: this message is heard already");
        findings.error(late, findings.span(&spec.heard));
    }
    let group = findings.find(names, &spec.group).map(GroupId)?;
    let to = match &spec.all {
        Some(name) => LateListeners::Group(findings.find(names, name).map(GroupId)?),
        None => {
            let ids = spec.agents.iter().filter_map(|id| findings.read(id));
            LateListeners::Agents(ids.map(|id| AgentId(id.get_u32())).collect())
        }
    };
    let name = findings.read(&spec.name)?;
    let known = groups.iter().find_map(|group| group.public.get(name));
    let Some(ty) = known.and_then(PublicType::of) else {
        let unknown = Diagnostic::error(format!("no group has a public state `{name}`"));
        let known = groups.iter().flat_map(|group| group.public.names());
        findings.add(unknown.suggest(name, known), findings.span(&spec.name));
        return None;
    };
    let StateValue(new) = findings.read(&spec.value)?;
    let Some(new) = ty.fit(new.clone()) else {
        let (wanted, found) = (ty.description(), Value::kind(new));
        let wrong = format!("the public state `{name}` is {wanted}, not {found}");
        let wrong = Diagnostic::error(wrong).code(Code::WrongType);
        findings.add(wrong, findings.span(&spec.value));
        return None;
    };
    let message = AgentMessage {
        tick: spec.told.get(),
        teller: AgentId(spec.teller.get_u32()),
        group,
        name: name.as_str().into(),
        value: new,
    };
    Some(WaitingMessage { heard, to, message })
}

/// Returns a message as it is written in a start.
pub(super) fn text(of: &WaitingMessage, names: &ScenarioNames) -> String {
    let WaitingMessage { heard, to, message } = of;
    let AgentMessage { tick, teller, group, name, value: new } = message;
    let group_name = |group: &GroupId| quoted(&names.groups[usize::from(group.0)]);
    let to = match to {
        LateListeners::Agents(ids) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            format!("agents: [{}]", ids.join(", "))
        }
        LateListeners::Group(group) => format!("all: {}", group_name(group)),
    };
    format!(
        "(heard: {heard}, told: {tick}, teller: {teller}, group: {}, name: {}, value: {}, {to})",
        group_name(group),
        quoted(name),
        value(new)
    )
}
