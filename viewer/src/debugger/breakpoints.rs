//! The places at which a run stops, and the conditions for that.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Place;
use flockwork_engine::script::condition;
use flockwork_engine::sim::{Brain, Simulation};
use flockwork_engine::tokens::{Language, TokenKind, code};
use flockwork_engine::world::AgentId;
use flockwork_engine::{AgentError, Diagnostic, load};

use super::mistake::mistake;
use super::no_value::reason;
use super::recorded_turn::RecordedTurn;
use super::values::{filled_in, has_variable, value_at};

/// The breakpoints of all scripts, by the real paths of these.
#[derive(Default)]
pub(super) struct Breakpoints {
    all: BTreeMap<PathBuf, Vec<Breakpoint>>,
    /// The real paths of the scripts with breakpoints that do nothing.
    refused: BTreeSet<PathBuf>,
    /// The real paths of scripts, by their names: they are asked for in each turn.
    paths: RefCell<BTreeMap<String, PathBuf>>,
}

/// A line at which a run stops.
struct Breakpoint {
    line: usize,
    /// The line that was asked for.
    wanted: usize,
    /// What has to be true for the agent; nothing for all agents.
    condition: Option<Condition>,
    /// What is told instead of stopping.
    log: Option<String>,
}

/// What has to be true.
enum Condition {
    /// Before the turn of the agent.
    BeforeTurn(Arc<dyn Brain>),
    /// At the line, since it names variables of the script.
    AtLine(String),
}

/// A breakpoint as an editor asks for it.
pub(super) struct Wanted {
    pub(super) line: usize,
    pub(super) condition: Option<String>,
    /// What to tell instead of stopping, with expressions in braces.
    pub(super) log: Option<String>,
}

/// The breakpoints that count for each agent at one tick.
pub(super) struct BreakpointsNow<'b> {
    all: Vec<BreakpointNow<'b>>,
    simulation: &'b Simulation,
    paths: &'b RefCell<BTreeMap<String, PathBuf>>,
    /// Which parts of scripts are in such a line, by script and offset.
    parts: RefCell<BTreeMap<(usize, usize), bool>>,
}

/// A breakpoint at one tick.
struct BreakpointNow<'b> {
    path: &'b Path,
    one: &'b Breakpoint,
    /// The agents for which its condition is true; `None` if it does not depend on what is before the turn.
    agents: Option<Vec<AgentId>>,
}

/// What happens at the lines of a turn.
#[derive(Default)]
pub(super) struct Stops {
    /// The indices of the lines at which it stops.
    pub(super) lines: Vec<usize>,
    /// What is told, with the index of the line.
    pub(super) told: Vec<(usize, Told)>,
}

impl Stops {
    /// Returns what is told of a line.
    pub(super) fn why_at(self, line: usize) -> impl Iterator<Item = Told> {
        self.told.into_iter().filter(move |(at, _)| *at == line).map(|(_, words)| words)
    }
}

/// What breakpoints tell.
pub(super) enum Told {
    Words(String),
    /// A condition that cannot be computed, and why.
    Failure {
        condition: String,
        why: String,
    },
}

impl Breakpoints {
    /// Returns whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.all.values().all(Vec::is_empty)
    }

    /// Returns whether the editor has set none, not even one that does nothing.
    pub(super) fn are_unset(&self) -> bool {
        self.is_empty() && self.refused.is_empty()
    }

    /// Sets the breakpoints of a script that a scenario runs. Returns for each of them its line, or why there can be none.
    pub(super) fn set(
        &mut self,
        scenario: &Path,
        script: &Path,
        wanted: &[Wanted],
    ) -> Vec<Result<usize, String>> {
        let path = load::real_path(script);
        let text = load::read(script).map(|source| source.text.clone()).unwrap_or_default();
        let lines = code_lines(&text);
        let mut all = Vec::new();
        let set = |one: &Wanted| {
            let line =
                line_of_code(&lines, one.line).ok_or("there is no code from this line on")?;
            let wanted = one.condition.as_deref().filter(|text| !text.trim().is_empty());
            let condition = wanted.map(|wanted| read_condition(wanted, &text)).transpose()?;
            if let Some(why) = wanted.and_then(|wanted| mistake(scenario, script, line, wanted)) {
                return Err(why);
            }
            let log = one.log.clone().filter(|text| !text.is_empty());
            all.push(Breakpoint { line, wanted: one.line, condition, log });
            Ok(line)
        };
        let results: Vec<Result<usize, String>> = wanted.iter().map(set).collect();
        if results.iter().any(Result::is_err) {
            self.refused.insert(path.clone());
        } else {
            self.refused.remove(&path);
        }
        self.all.insert(path, all);
        results
    }

    /// Moves all to the lines that have code now, after scripts have changed.
    pub(super) fn renew(&mut self) {
        for (path, of_script) in &mut self.all {
            let lines = lines_of(path);
            for one in of_script {
                one.line = line_of_code(&lines, one.wanted).unwrap_or(one.wanted);
            }
        }
    }

    /// Returns those that count at the present tick.
    pub(super) fn now<'b>(
        &'b self,
        simulation: &'b Simulation,
    ) -> Result<BreakpointsNow<'b>, AgentError> {
        let mut all = Vec::new();
        for (path, of_script) in &self.all {
            for one in of_script {
                let agents = match &one.condition {
                    Some(Condition::BeforeTurn(brain)) => Some(simulation.agents_where(brain)?),
                    Some(Condition::AtLine(_)) | None => None,
                };
                all.push(BreakpointNow { path, one, agents });
            }
        }
        Ok(BreakpointsNow { all, simulation, paths: &self.paths, parts: RefCell::default() })
    }
}

impl BreakpointNow<'_> {
    fn counts_for(&self, agent: AgentId) -> bool {
        self.agents.as_ref().is_none_or(|all| all.contains(&agent))
    }
}

impl BreakpointsNow<'_> {
    /// Returns whether an agent may stop anywhere.
    pub(super) fn may_stop(&self, agent: AgentId) -> bool {
        self.all.iter().any(|now| now.counts_for(agent))
    }

    /// Returns whether a part of a script is in a line at which some agent stops.
    pub(super) fn is_stop(&self, part: &Place) -> bool {
        let Place { source, span } = part;
        let key = (Arc::as_ptr(source) as usize, span.start);
        if let Some(known) = self.parts.borrow().get(&key) {
            return *known;
        }
        let path = self.path_of(&source.name);
        let (line, _) = source.line_column(span.start);
        let is_stop = self.all.iter().any(|now| now.one.line == line && *now.path == *path);
        self.parts.borrow_mut().insert(key, is_stop);
        is_stop
    }

    /// Returns the real path of a script by its name.
    fn path_of(&self, name: &str) -> PathBuf {
        let mut paths = self.paths.borrow_mut();
        let new = || load::real_path(Path::new(name));
        paths.entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// Returns where a turn stops, and what is told on the way: where lines begin, so that what they call is still to come. A condition that
    /// cannot be computed is told, and stops.
    pub(super) fn stops(&self, agent: AgentId, turn: &RecordedTurn) -> Stops {
        let mut stops = Stops::default();
        let lines = turn.lines().iter().enumerate();
        for (index, line) in lines.filter(|(index, _)| !turn.goes_on(*index)) {
            let path = self.path_of(&line.script.name);
            let value = |text: &str| value_at(self.simulation, agent, (turn, index), text);
            for BreakpointNow { one, .. } in self.all.iter().filter(|now| {
                now.one.line == line.line && *now.path == *path && now.counts_for(agent)
            }) {
                if let Some(Condition::AtLine(text)) = &one.condition {
                    match value(text).as_deref() {
                        Ok("true") => {}
                        Ok("false") => continue,
                        Ok(other) => stops.told.push((
                            index,
                            Told::Words(format!(
                                "the condition `{text}` is {other}, and neither true nor false"
                            )),
                        )),
                        Err(why) => {
                            let condition = text.clone();
                            stops.told.push((index, Told::Failure { condition, why: why.clone() }));
                        }
                    }
                }
                let explained = |text: &str| {
                    let why =
                        |why| reason(self.simulation, agent, (turn, index), text).unwrap_or(why);
                    value(text).map_err(why)
                };
                match &one.log {
                    Some(log) => stops.told.push((index, Told::Words(filled_in(log, explained)))),
                    None => stops.lines.push(index),
                }
            }
        }
        stops.lines.dedup();
        stops
    }
}

/// Reads a condition in a script with a text.
fn read_condition(wanted: &str, script: &str) -> Result<Condition, String> {
    let error = match condition(wanted) {
        Ok(brain) => return Ok(Condition::BeforeTurn(brain)),
        Err(error) => error,
    };
    let unknown = error.message.strip_prefix("there is no variable `");
    match unknown.and_then(|rest| rest.split_once('`')) {
        Some((name, _)) if has_variable(script, name) => Ok(Condition::AtLine(wanted.to_owned())),
        Some((name, _)) => {
            let words = code(script, Language::Rhai).filter(|token| token.kind == TokenKind::Word);
            let words = words.map(|token| &script[token.span]);
            let variables = words.filter(|word| has_variable(script, word));
            let help = Diagnostic::error("").suggest(name, variables).help.into_iter();
            let meant = help.filter(|help| help.starts_with("did you mean"));
            let help: String = meant.map(|help| format!("; {help}")).collect();
            Err(format!("there is no variable `{name}` in this script{help}"))
        }
        None => Err(error.message),
    }
}

/// Returns the numbers of the lines of a script that have code; none if it cannot be read.
fn lines_of(script: &Path) -> Vec<usize> {
    load::read(script).map(|source| code_lines(&source.text)).unwrap_or_default()
}

/// Returns the first line with code from a line on.
fn line_of_code(lines: &[usize], from: usize) -> Option<usize> {
    lines.iter().copied().find(|line| *line >= from)
}

/// Returns the numbers of the lines that have more than comments and brackets.
fn code_lines(text: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut numbered = (1, 0);
    for token in code(text, Language::Rhai) {
        let (line, from) = numbered;
        let line = line + text[from..token.span.start].matches('\n').count();
        numbered = (line, token.span.start);
        if token.kind != TokenKind::Sign && lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_brackets_are_no_code() {
        let text = "// a\nfn steer(me) {\n\n    // b\n    let x = 1; /* c\n d */\n}\n);\nx";
        assert_eq!(code_lines(text), [2, 5, 9]);
    }
}
