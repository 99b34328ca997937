//! The places at which a run stops, and the conditions for that.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Place;
use flockwork_engine::script::condition;
use flockwork_engine::sim::{Brain, Simulation};
use flockwork_engine::tokens::{Language, TokenKind, tokens};
use flockwork_engine::world::AgentId;
use flockwork_engine::{AgentError, load};

use super::recorded_turn::RecordedTurn;

/// The breakpoints of all scripts, by the real paths of these.
#[derive(Default)]
pub(super) struct Breakpoints {
    all: BTreeMap<PathBuf, Vec<Breakpoint>>,
    /// The real paths of scripts, by their names: they are asked for in each turn.
    paths: RefCell<BTreeMap<String, PathBuf>>,
}

/// A line at which a run stops.
struct Breakpoint {
    line: usize,
    /// The line that was asked for.
    wanted: usize,
    /// What has to be true for the agent; nothing for all agents.
    condition: Option<Arc<dyn Brain>>,
}

/// A breakpoint as an editor asks for it.
pub(super) struct Wanted {
    pub(super) line: usize,
    pub(super) condition: Option<String>,
}

/// The breakpoints that count for each agent at one tick.
pub(super) struct BreakpointsNow<'b> {
    all: Vec<(&'b Path, usize, Option<Vec<AgentId>>)>,
    paths: &'b RefCell<BTreeMap<String, PathBuf>>,
    /// Which parts of scripts are in such a line, by script and offset.
    parts: RefCell<BTreeMap<(usize, usize), bool>>,
}

impl Breakpoints {
    /// Sets the breakpoints of a script. Returns for each of them its line, or why there can be none.
    pub(super) fn set(&mut self, script: &Path, wanted: &[Wanted]) -> Vec<Result<usize, String>> {
        let path = load::real_path(script);
        let lines = lines_of(script);
        let mut all = Vec::new();
        let set = |one: &Wanted| {
            let line =
                line_of_code(&lines, one.line).ok_or("there is no code from this line on")?;
            let text = one.condition.as_deref().filter(|text| !text.trim().is_empty());
            let condition = text.map(condition).transpose().map_err(|error| error.message)?;
            all.push(Breakpoint { line, wanted: one.line, condition });
            Ok(line)
        };
        let results = wanted.iter().map(set).collect();
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
    pub(super) fn now(&self, simulation: &Simulation) -> Result<BreakpointsNow<'_>, AgentError> {
        let mut all = Vec::new();
        for (path, of_script) in &self.all {
            for Breakpoint { line, condition, .. } in of_script {
                let agents = condition.as_ref().map(|one| simulation.agents_where(one));
                all.push((path.as_path(), *line, agents.transpose()?));
            }
        }
        Ok(BreakpointsNow { all, paths: &self.paths, parts: RefCell::default() })
    }
}

impl BreakpointsNow<'_> {
    /// Returns whether an agent may stop anywhere.
    pub(super) fn may_stop(&self, agent: AgentId) -> bool {
        self.all.iter().any(|(.., agents)| agents.as_ref().is_none_or(|all| all.contains(&agent)))
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
        let is_stop = self.all.iter().any(|(at, number, _)| *number == line && **at == *path);
        self.parts.borrow_mut().insert(key, is_stop);
        is_stop
    }

    /// Returns the real path of a script by its name.
    fn path_of(&self, name: &str) -> PathBuf {
        let mut paths = self.paths.borrow_mut();
        let new = || load::real_path(Path::new(name));
        paths.entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// Returns the indices of the lines of a turn at which it stops.
    pub(super) fn stops(&self, agent: AgentId, turn: &RecordedTurn) -> Vec<usize> {
        let mut stops = Vec::new();
        for (index, line) in turn.lines().iter().enumerate() {
            let path = self.path_of(&line.script.name);
            let is_stop = |(at, number, agents): &(&Path, usize, Option<Vec<AgentId>>)| {
                *number == line.line
                    && **at == *path
                    && agents.as_ref().is_none_or(|all| all.contains(&agent))
            };
            if self.all.iter().any(is_stop) {
                stops.push(index);
            }
        }
        stops
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
    for token in tokens(text, Language::Rhai) {
        let (line, from) = numbered;
        let line = line + text[from..token.span.start].matches('\n').count();
        numbered = (line, token.span.start);
        let is_code = !token.is_comment() && token.kind != TokenKind::Sign;
        if is_code && lines.last() != Some(&line) {
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
