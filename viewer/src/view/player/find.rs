//! Finds agents for which something is true, and pauses when it becomes true for one.

use flockwork_engine::diag::{Diagnostic, nearest};
use flockwork_engine::script::condition;
use flockwork_engine::sim::Simulation;
use flockwork_engine::tokens::{Language, TokenKind, tokens};
use flockwork_engine::world::{AgentId, World};

use super::super::named_rows::{is_id, no_agent, no_agent_of_group};
use super::super::state_names::{meant_state, why_wrong};
use super::super::view_state::Answer;
use super::{PauseWhen, Player};

/// Maximum number of names that are listed if nothing has the name that was searched.
const MAX_NAMES: usize = 5;
/// Number of letters with which another name begins that may be meant, such as `wolves` for `wolf`.
const MIN_BEGINNING: usize = 3;

/// Says why nothing is found: a name that nothing has, or an expression with an error.
fn why_not_found(simulation: &Simulation, wanted: &str, error: Diagnostic) -> String {
    let world = simulation.world();
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-');
    let first = wanted.split(' ').next().unwrap_or_default();
    let is_name = wanted.starts_with(char::is_alphabetic)
        && wanted.chars().all(is_of_name)
        && !["me", "world"].contains(&first);
    if !is_name {
        return why_wrong(wanted, error, simulation);
    }
    if let Some(words) = no_agent_of_group(world, wanted) {
        return words;
    }
    let groups = world.groups.iter().map(|group| ("group", &*group.name));
    let obstacles = world.obstacles.iter().map(|one| ("obstacle", &*one.name));
    let paths = world.paths.iter().map(|one| ("path", &*one.name));
    let all = groups.chain(obstacles).chain(paths).filter(|(_, name)| !name.is_empty());
    let mut all: Vec<(&str, &str)> = all.collect();
    let mut words = format!("no agent, group, obstacle or path is called `{wanted}`");
    if let Some(meant) = meant_state(wanted, simulation) {
        return format!("{words}; did you mean `{meant}`?");
    }
    if let Some(help) = error.help.iter().find(|help| help.starts_with("did you mean `me.")) {
        return format!("{words}; {help}");
    }
    let names = || all.iter().map(|(_, name)| *name);
    let begins_like = |name: &&str| {
        let same = name.chars().zip(wanted.chars()).take_while(|(one, other)| one == other);
        same.count() >= MIN_BEGINNING
    };
    if let Some(name) = nearest(wanted, names()).or_else(|| names().find(begins_like)) {
        words += &format!("; did you mean `{name}`?");
        all.retain(|(_, other)| *other != name);
        if !all.is_empty() {
            words += &format!(" There {} also {}", verb(&all), list_of_names(&all));
        }
    } else if !all.is_empty() {
        words += &format!("; there {} {}", verb(&all), list_of_names(&all));
    }
    words
}

/// Returns whether a condition is about an agent, and not only about the world.
fn is_about_agents(condition: &str) -> bool {
    words(condition).any(|word| word == "me")
}

/// Returns the names in an expression.
fn words(expression: &str) -> impl Iterator<Item = &str> {
    let words = tokens(expression, Language::Rhai).filter(|one| one.kind == TokenKind::Word);
    words.map(|one| &expression[one.span])
}

/// Adds to what is wrong with a condition how the number of agents is written, if it is about that: it names a group, or `agents`.
fn with_count(world: &World, condition: &str, why: String) -> String {
    if ["world.count()", "world.count(\""].iter().any(|call| condition.contains(call)) {
        return why;
    }
    let groups = || world.groups.iter().map(|group| &*group.name);
    let group = words(condition).find_map(|word| {
        let is_own = ["me", "world", "count", "state"].contains(&word);
        nearest(word, groups()).filter(|_| !is_own)
    });
    match group {
        Some(group) => format!("{why}; the number of {group} is `world.count(\"{group}\")`"),
        None if words(condition).any(|word| ["agents", "count"].contains(&word)) => {
            format!("{why}; the number of agents is `world.count()`")
        }
        None => why,
    }
}

fn verb(all: &[(&str, &str)]) -> &'static str {
    if all.len() == 1 { "is" } else { "are" }
}

/// Lists what has names, each with its kind: the first ones, and how many more there are.
fn list_of_names(all: &[(&str, &str)]) -> String {
    let shown = all.iter().take(MAX_NAMES).map(|(kind, name)| format!("the {kind} {name}"));
    let mut shown: Vec<String> = shown.collect();
    if all.len() > MAX_NAMES {
        shown.push(format!("{} more", all.len() - MAX_NAMES));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

impl Player {
    /// Notes the outcome of an answer, for the question that is still open.
    pub(super) fn note_answer(&mut self, result: Result<(), String>) {
        self.answer = Answer { tried: self.answer.tried + 1, error: result.err() };
    }

    /// Selects an agent by its id, or the next one of a group, or the next one for which an expression is true. If there is none,
    /// the error says why.
    pub(super) fn find(&mut self, wanted: &str) -> Result<(), String> {
        let simulation = self.session.simulation();
        if is_id(wanted) {
            let world = simulation.world();
            let id = wanted.parse::<AgentId>().ok().filter(|id| world.agents.row(*id).is_some());
            self.select(id.ok_or_else(|| no_agent(world, wanted))?);
            return Ok(());
        }
        let next_of = |ids: &[AgentId]| {
            let after = ids.iter().find(|id| self.selected.is_some_and(|now| **id > now));
            after.or(ids.first()).copied()
        };
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let world = simulation.world();
        let (id, words) = if let Some(group) = world.names().group(wanted) {
            let agents = world.agents.group.iter().zip(&world.agents.id);
            let ids: Vec<AgentId> =
                agents.filter(|(of, _)| **of == group).map(|(_, id)| *id).collect();
            let id = next_of(&ids)
                .ok_or_else(|| format!("the group {wanted} has no agents at this tick"))?;
            let count = ids.len();
            (id, format!("the group {wanted} has {count} agent{}; this is agent {id}", s(count)))
        } else {
            let condition =
                condition(wanted).map_err(|error| why_not_found(simulation, wanted, error))?;
            let ids = simulation
                .agents_where(&condition)
                .map_err(|error| why_wrong(wanted, *error.what, simulation))?;
            let id = next_of(&ids).ok_or("this is true for no agent at this tick")?;
            let count = ids.len();
            (id, format!("true for {count} agent{}; this is agent {id}", s(count)))
        };
        self.notice(words, false);
        self.select(id);
        Ok(())
    }

    /// Pauses from now on when a condition becomes true for an agent; an empty text disables it. The error says what is
    /// wrong with the condition.
    pub(super) fn set_pause_when(&mut self, text: String) -> Result<(), String> {
        if text.is_empty() {
            if self.pause_when.take().is_some() {
                self.notice("does not pause at a condition any more", false);
            }
            return Ok(());
        }
        let simulation = self.session.simulation();
        let why =
            |error| with_count(simulation.world(), &text, why_wrong(&text, error, simulation));
        let condition = condition(&text).map_err(why)?;
        if !words(&text).any(|word| ["me", "world"].contains(&word)) {
            return Err(format!(
                "`{text}` is about nothing in the run: write a condition about `me` or `world`"
            ));
        }
        let held = simulation.agents_where(&condition).map_err(|error| why(*error.what))?;
        let whom = if is_about_agents(&text) { " for an agent" } else { "" };
        self.notice(format!("pauses when `{text}` becomes true{whom}"), false);
        self.pause_when = Some(PauseWhen { text, condition, held });
        Ok(())
    }

    /// Returns whether the run has to pause at this tick: because of the condition, or because a prediction is about it.
    pub(super) fn has_to_pause(&mut self) -> bool {
        self.has_reached_prediction() | self.meets_condition()
    }

    /// Checks the condition at this tick.
    fn meets_condition(&mut self) -> bool {
        let Some(mut one) = self.pause_when.take() else {
            return false;
        };
        let held = match self.session.simulation().agents_where(&one.condition) {
            Ok(held) => held,
            Err(error) => {
                self.notice(
                    format!("cannot pause at `{}`: {}", one.text, error.what.message),
                    true,
                );
                return false;
            }
        };
        let new = held.iter().find(|id| one.held.binary_search(id).is_err()).copied();
        one.held = held;
        let text = one.text.clone();
        self.pause_when = Some(one);
        let Some(id) = new else { return false };
        let tick = self.session.tick();
        if is_about_agents(&text) {
            self.notice(format!("paused at tick {tick}: `{text}` is true for agent {id}"), false);
            self.select(id);
        } else {
            self.notice(format!("paused at tick {tick}: `{text}` is true"), false);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_first_names_and_the_number_of_the_others() {
        let all = [("group", "a"), ("path", "b"), ("path", "c"), ("path", "d"), ("path", "e")];
        assert_eq!(list_of_names(&all[..1]), "the group a");
        assert_eq!(list_of_names(&all[..2]), "the group a and the path b");
        let many = [&all[..], &all[..2]].concat();
        let words = "the group a, the path b, the path c, the path d, the path e and 2 more";
        assert_eq!(list_of_names(&many), words);
    }
}
