//! State machines, choosers and kept values: `me.machine`, `me.choose`, `me.keep` and `me.time_in`.
//!
//! Each call is compiled to a function in plain Rhai, which keeps its place in `me.state`. The interpreter calls this
//! function, and the lowering inlines it. So both mean the same, and a hot reload keeps the place as it keeps all
//! state.
//!
//! The positions of a generated function are on the line of the call, behind its end.
//! [`mark`](super::choice_kind::mark) turns them into the place that a message shows.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rhai::{AST, ASTNode, Dynamic, Engine, Expr, OptimizationLevel, Position, Scope, Stmt};

use super::choice_kind::{ChoiceKind, is_behind};
use super::sources::Sources;
use super::syntax::body_of;
use crate::diag::{Code, Diagnostic, Diagnostics, Source};
use crate::steer::{before_key, since_key};

/// A choice that a script makes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) kind: ChoiceKind,
    /// Its name in `me.state`.
    pub(super) name: String,
    /// The states or options in the order in which they are written. Options of an array are indices.
    pub(super) options: Vec<String>,
    /// Whether the options are the keys of a map, not the indices of an array.
    pub(super) has_names: bool,
    pub(super) position: Position,
    /// Where the states are written, if they are written in the call.
    pub(super) places: Vec<Option<Position>>,
}

impl Choice {
    /// Returns the indices of the options in the order of the arguments of the generated function: that of the keys of
    /// a map.
    pub(super) fn sorted(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.options.len()).collect();
        if self.has_names {
            all.sort_by_key(|&place| &self.options[place]);
        }
        all
    }
}

/// The prefixes of the optional functions of a state.
pub(super) const PREFIXES: [&str; 3] = ["next_", "enter_", "exit_"];

pub(super) fn next_function(state: &str) -> String {
    format!("next_{state}")
}

/// Maximum number of states of a machine, and of options of a chooser.
const MAX_OPTIONS: usize = 32;

/// Returns the choices of a script.
///
/// # Errors
///
/// If a name is neither written in the call nor a constant, if a state has no function, or if `next_...` returns
/// something that is not a state.
pub(super) fn find(
    source: &Arc<Source>,
    constants: &[(&str, &Dynamic)],
) -> Result<Vec<Choice>, Diagnostics> {
    if !ChoiceKind::ALL.iter().any(|kind| source.text.contains(kind.method())) {
        return Ok(Vec::new());
    }
    let Some(ast) = plain_ast(&source.text) else {
        return Ok(Vec::new());
    };
    let (found, wrong) = find_in(&ast, source, constants);
    if wrong.is_empty() { Ok(found) } else { Err(wrong.into()) }
}

/// Returns the functions with one parameter that the state machines of a script call by their names, or would call if
/// it had them, each with the name of its machine. The script may have errors elsewhere.
pub fn functions_of_machines(source: &Arc<Source>) -> BTreeMap<String, String> {
    let Some(ast) = plain_ast(&source.text) else { return BTreeMap::new() };
    let constants: Vec<(&str, Dynamic)> = ast
        .statements()
        .iter()
        .filter_map(|statement| match statement {
            Stmt::Var(variable, ..) => {
                Some((variable.0.name.as_str(), variable.1.get_literal_value(None)?))
            }
            _ => None,
        })
        .collect();
    let constants: Vec<(&str, &Dynamic)> =
        constants.iter().map(|(name, value)| (*name, value)).collect();
    let (choices, _) = find_in(&ast, source, &constants);
    let machines = choices.iter().filter(|choice| choice.kind == ChoiceKind::Machine);
    let called = machines.flat_map(|machine| {
        let hooks = machine.options.iter().flat_map(|state| {
            PREFIXES.iter().map(move |prefix| format!("{prefix}{state}")).chain([state.clone()])
        });
        hooks.map(|function| (function, machine.name.clone()))
    });
    called.collect()
}

/// Returns the choices of a script, and what is wrong with them.
fn find_in(
    ast: &AST,
    source: &Arc<Source>,
    constants: &[(&str, &Dynamic)],
) -> (Vec<Choice>, Vec<Diagnostic>) {
    let sources = Sources { own: source, imported: &[] };
    let mut finder = Finder { ast, sources, constants, wrong: Vec::new() };
    let mut found: Vec<Choice> = Vec::new();
    ast.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::MethodCall(call, position))) = path.last()
            && let Some(kind) = ChoiceKind::of(&call.name)
            && !ast.iter_functions().any(|own| own.name == kind.method())
            && let Some(choice) = finder.choice(kind, &call.args, *position)
        {
            finder.check_same(&found, &choice);
            if !found.iter().any(|known| known.is_same(&choice)) {
                found.push(choice);
            }
        }
        true
    });
    for machine in found.iter().filter(|choice| choice.kind == ChoiceKind::Machine) {
        finder.check_states(machine);
    }
    (found, finder.wrong)
}

/// Compiles a text without the optimizer, which changes constants.
fn plain_ast(text: &str) -> Option<AST> {
    let mut plain = super::api::engine();
    plain.set_optimization_level(OptimizationLevel::None);
    plain.compile(text).ok()
}

impl Choice {
    fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.name == other.name
    }
}

/// Finds the choices of a script.
struct Finder<'a> {
    ast: &'a AST,
    sources: Sources<'a>,
    constants: &'a [(&'a str, &'a Dynamic)],
    wrong: Vec<Diagnostic>,
}

impl Finder<'_> {
    fn fail(&mut self, what: Diagnostic, position: Position) {
        let what = self.sources.place(what, position);
        self.wrong.push(what);
    }

    /// Reports what is wrong with a string at a position.
    fn fail_string(&mut self, what: Diagnostic, position: Position) {
        let place = string_at(self.sources.own, position);
        self.wrong.push(what.at(self.sources.own, place));
    }

    fn has_function(&self, name: &str) -> bool {
        self.ast
            .iter_functions()
            .any(|function| function.name == name && function.params.len() == 1)
    }

    /// Returns the choice of a call. `None` if it is wrong.
    fn choice(&mut self, kind: ChoiceKind, args: &[Expr], position: Position) -> Option<Choice> {
        let (least, most) = kind.arguments();
        let method = kind.method();
        if args.len() < least || args.len() > most {
            let count =
                if least == most { format!("{least}") } else { format!("{least} to {most}") };
            let wrong = Diagnostic::error(format!(
                "`{method}` takes {count} arguments, but got {}",
                args.len()
            ));
            self.fail(wrong.code(Code::WrongArguments).help(as_in(kind)), position);
            return None;
        }
        let Some((name, at)) = self.known_name(&args[0]) else {
            let wrong =
                "the name of a choice must be a string in quotes, or a `const` of the script";
            self.fail(Diagnostic::error(wrong).help(as_in(kind)), args[0].position());
            return None;
        };
        if !is_name(&name) {
            let wrong = Diagnostic::error(format!("`{name}` cannot be the name of a choice"));
            let help = "it is kept in `me.state` under this name: use letters, digits and `_`";
            match at {
                Some(at) => self.fail_string(wrong.help(help), at),
                None => self.fail(wrong.help(help), args[0].position()),
            }
            return None;
        }
        let options = match kind {
            ChoiceKind::Machine => self.states(&args[1], position)?,
            ChoiceKind::Choose => self.scored(&args[1], position)?,
            ChoiceKind::Keep | ChoiceKind::TimeIn => Vec::new(),
        };
        if options.len() > MAX_OPTIONS {
            let wrong = format!("a choice has at most {MAX_OPTIONS} alternatives");
            self.fail(Diagnostic::error(wrong), position);
            return None;
        }
        let has_names = !matches!(args.get(1), Some(Expr::Array(..)));
        let (options, places) = options.into_iter().unzip();
        Some(Choice { kind, name, options, has_names, position, places })
    }

    /// Returns a name that is written in a call, with its place, or that a constant holds.
    fn known_name(&self, expression: &Expr) -> Option<(String, Option<Position>)> {
        match expression {
            Expr::StringConstant(name, at) => Some((name.to_string(), Some(*at))),
            Expr::Variable(..) => {
                let name = self.constant(expression)?.clone();
                Some((name.into_string().ok()?, None))
            }
            _ => None,
        }
    }

    /// Returns the value of a constant. Rhai stores an index for variables that the function itself defines.
    fn constant(&self, expression: &Expr) -> Option<&Dynamic> {
        let Expr::Variable(variable, ..) = expression else { return None };
        let name = variable.0.is_none().then_some(variable.1.as_str())?;
        self.constants.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Returns the names of the states of a machine, and where they are written.
    fn states(
        &mut self,
        list: &Expr,
        position: Position,
    ) -> Option<Vec<(String, Option<Position>)>> {
        let named = |name: &Dynamic| Some((name.clone().into_string().ok()?, None));
        let all: Option<Vec<_>> = match list {
            Expr::Array(items, _) => items.iter().map(|item| self.known_name(item)).collect(),
            _ => self
                .constant(list)
                .and_then(|value| value.read_lock::<rhai::Array>()?.iter().map(named).collect()),
        };
        match all {
            Some(all) if !all.is_empty() => Some(all),
            _ => {
                let wrong = Diagnostic::error("the states of a machine must be a list of names");
                let help = "write them in the call, or in a `const` of the script";
                self.fail(wrong.help(as_in(ChoiceKind::Machine)).help(help), position);
                None
            }
        }
    }

    /// Returns the options of a chooser.
    fn scored(
        &mut self,
        scores: &Expr,
        position: Position,
    ) -> Option<Vec<(String, Option<Position>)>> {
        let all: Vec<(String, Option<Position>)> = match scores {
            Expr::Map(entries, _) => {
                entries.0.iter().map(|(key, _)| (key.name.to_string(), Some(key.pos))).collect()
            }
            Expr::Array(items, _) => items
                .iter()
                .enumerate()
                .map(|(i, one)| (i.to_string(), Some(one.position())))
                .collect(),
            _ => Vec::new(),
        };
        if let Some((name, _)) = all.iter().find(|(name, _)| name.contains(['"', '\\', '\n', '\r']))
        {
            let wrong = format!("{name:?} cannot be the name of an option");
            self.fail(Diagnostic::error(wrong), position);
            return None;
        }
        if all.is_empty() {
            let wrong = Diagnostic::error(
                "the scores must be written in the call, as `#{ ... }` or `[...]`",
            );
            self.fail(wrong.help(as_in(ChoiceKind::Choose)), position);
            return None;
        }
        Some(all)
    }

    /// Checks that a name means one choice only.
    fn check_same(&mut self, known: &[Choice], new: &Choice) {
        let is_time = |choice: &Choice| choice.kind == ChoiceKind::TimeIn;
        let other = known.iter().find(|other| {
            let differs = other.kind != new.kind || other.options != new.options;
            other.name == new.name && !is_time(other) && !is_time(new) && differs
        });
        if let Some(other) = other {
            let line = other.position.line().unwrap_or(1);
            let mut wrong = Diagnostic::error(format!(
                "`{}` is already another choice, in line {line}",
                new.name
            ))
            .help("give this one another name; the same choice must have the same alternatives");
            let first = self.sources.place(Diagnostic::error(""), other.position).place;
            wrong.related.extend(first.map(|first| (first, "the first one".to_owned())));
            self.fail(wrong, new.position);
        }
    }

    /// Checks that each state has a function, and that the `next_...` functions return states.
    fn check_states(&mut self, machine: &Choice) {
        let states: Vec<&str> = machine.options.iter().map(String::as_str).collect();
        for (place, &state) in states.iter().enumerate() {
            let at = machine.places[place].unwrap_or(machine.position);
            if !is_name(state) || matches!(state, "steer" | "init") {
                let wrong = format!("`{state}` cannot be the name of a state");
                let help = "a state is a function of this script, other than `init` and `steer`";
                self.fail_string(Diagnostic::error(wrong).help(help), at);
            } else if states[..place].contains(&state) {
                self.fail_string(
                    Diagnostic::error(format!("the state `{state}` is listed twice")),
                    at,
                );
            } else if !self.has_function(state) {
                let functions: Vec<&str> = self
                    .ast
                    .iter_functions()
                    .filter(|function| function.params.len() == 1)
                    .map(|function| function.name)
                    .filter(|name| is_name(name) && !matches!(*name, "steer" | "init"))
                    .collect();
                let help = format!(
                    "write `fn {state}(me) {{ ... }}`, which returns the force in this state"
                );
                let wrong =
                    Diagnostic::error(format!("there is no function for the state `{state}`"));
                self.fail_string(wrong.suggest(state, functions).help(help), at);
            }
            for (name, at) in next_states(self.ast, state).0 {
                if !states.contains(&name.as_str()) {
                    let wrong =
                        Diagnostic::error(format!("`{}` has no state `{name}`", machine.name));
                    self.fail_string(wrong.suggest(&name, states.iter().copied()), at);
                }
            }
        }
    }
}

/// Returns where a string is that begins at a position, with its quotes; the word there, if no string does.
pub(super) fn string_at(source: &Source, position: Position) -> Range<usize> {
    let offset = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
    let rest = source.text[offset..].strip_prefix('"');
    let length = rest.and_then(|rest| rest.find(['"', '\n']));
    match length {
        Some(length) => offset..source.text.len().min(offset + length + 2),
        // The position of a method is that of the dot before it.
        None => source.token(offset + usize::from(source.text[offset..].starts_with('.'))),
    }
}

fn as_in(kind: ChoiceKind) -> String {
    format!("call it as `{}`", kind.usage())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !text.contains("__")
}

/// Returns the states that the `next_...` function of a state may return, as far as they are written as strings, and
/// whether these are all.
pub(super) fn next_states(ast: &AST, state: &str) -> (Vec<(String, Position)>, bool) {
    let body = body_of(ast, &next_function(state), 1);
    let mut ends = Ends { strings: Vec::new(), are_all: true };
    ends.of_block(body.statements());
    for statement in body.statements() {
        statement.walk(&mut Vec::new(), &mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Return(Some(value), ..))) = path.last() {
                ends.of_value(value);
            }
            true
        });
    }
    (ends.strings, ends.are_all)
}

/// Collects the strings that a function may return.
struct Ends {
    strings: Vec<(String, Position)>,
    are_all: bool,
}

impl Ends {
    fn of_block(&mut self, statements: &[Stmt]) {
        match statements.last() {
            Some(Stmt::Expr(value)) => self.of_value(value),
            Some(Stmt::If(flow, _)) => {
                self.of_block(flow.body.statements());
                self.of_block(flow.branch.statements());
            }
            Some(Stmt::Block(block)) => self.of_block(block.statements()),
            Some(Stmt::Switch(switch, _)) => {
                switch.1.expressions.iter().for_each(|case| self.of_value(&case.rhs));
            }
            Some(Stmt::FnCall(..) | Stmt::TryCatch(..)) => self.are_all = false,
            _ => {}
        }
    }

    fn of_value(&mut self, value: &Expr) {
        match value {
            Expr::StringConstant(name, at) => self.strings.push((name.to_string(), *at)),
            Expr::Unit(_) => {}
            Expr::Stmt(block) => self.of_block(block.statements()),
            _ => self.are_all = false,
        }
    }
}

/// Adds the functions of choices to a script.
pub(super) fn add_functions(
    engine: &Engine,
    scope: &Scope<'_>,
    source: &Arc<Source>,
    choices: &[Choice],
    ast: &mut AST,
) -> Result<(), Diagnostics> {
    for choice in choices {
        for Generated { line, code } in generated(source, choice, ast) {
            let length = source.line_at(source.offset(line, 1)).chars().count();
            let code = format!("{}{}{code}", "\n".repeat(line - 1), " ".repeat(length + 1));
            let functions = engine.compile_with_scope(scope, &code).map_err(|error| {
                let sources = Sources { own: source, imported: &[] };
                let wrong = Diagnostic::error(format!("this choice cannot be compiled: {error}"));
                Diagnostics::from(sources.place(wrong, choice.position))
            })?;
            ast.combine(functions);
        }
    }
    ast.set_source(source.name.as_str());
    Ok(())
}

/// A generated function, and the line that its positions are on.
struct Generated {
    line: usize,
    code: String,
}

fn generated(source: &Source, choice: &Choice, ast: &AST) -> Vec<Generated> {
    let (name, since) = (&choice.name, since_key(&choice.name));
    let function = choice.kind.function(name);
    let line = choice.position.line().unwrap_or(1);
    let here = |code: String| vec![Generated { line, code }];
    let elapsed = format!("(world.tick - me.state.{since}) * world.dt");
    match choice.kind {
        ChoiceKind::TimeIn => here(format!(
            "fn {function}(me) {{ if me.state.contains(\"{since}\") {{ {elapsed} }} else {{ 0.0 }} }}"
        )),
        ChoiceKind::Keep => here(format!(
            "fn {function}(me, value, dwell) {{ \
               if me.state.contains(\"{name}\") && me.state.contains(\"{since}\") {{ \
                 if value != me.state.{name} && !({elapsed} < dwell) {{ \
                   me.state.{name} = value; me.state.{since} = world.tick; }} \
               }} else {{ me.state.{name} = value; me.state.{since} = world.tick; }} \
               me.state.{name} }}"
        )),
        ChoiceKind::Choose => here(chooser(choice, &function, &since, &elapsed)),
        ChoiceKind::Machine => machine(source, choice, ast),
    }
}

/// Returns the function of a chooser. Its parameters are the margin, the dwell, and the scores in sorted order.
fn chooser(choice: &Choice, function: &str, since: &str, elapsed: &str) -> String {
    let name = &choice.name;
    let option = |place: usize| match choice.has_names {
        true => format!("\"{}\"", choice.options[place]),
        false => choice.options[place].clone(),
    };
    let params: Vec<String> = choice.sorted().iter().map(|place| format!("s{place}")).collect();
    let mut code = format!(
        "fn {function}(me, margin, dwell, {}) {{ let best = {}; let top = s0;",
        params.join(", "),
        option(0)
    );
    for place in 1..choice.options.len() {
        let option = option(place);
        // A score that is NaN is lower than all others.
        code += &format!(" if s{place} > top || top != top {{ best = {option}; top = s{place}; }}");
    }
    code += &format!(
        " let stays = false; \
         if me.state.contains(\"{name}\") && me.state.contains(\"{since}\") {{ \
           let now = me.state.{name}; let young = {elapsed} < dwell;"
    );
    for place in 0..choice.options.len() {
        let (option, or) = (option(place), if place == 0 { "" } else { " else" });
        code += &format!(
            "{or} if now == {option} {{ stays = best == now || young || top <= s{place} + margin; }}"
        );
    }
    code += &format!(
        " }} if !stays {{ me.state.{name} = best; me.state.{since} = world.tick; }} me.state.{name} }}"
    );
    code
}

/// Returns the functions of a state machine: that of the machine, and one for each state that checks what is next.
fn machine(source: &Source, choice: &Choice, ast: &AST) -> Vec<Generated> {
    let (name, states) = (&choice.name, &choice.options);
    let (since, before) = (since_key(name), before_key(name));
    let function = choice.kind.function(name);
    let has = |function: &str| {
        ast.iter_functions().any(|known| known.name == function && known.params.len() == 1)
    };
    let quoted: Vec<String> = states.iter().map(|state| format!("\"{state}\"")).collect();
    let list = quoted.join(", ");
    let first = &quoted[0];
    let mut all = Vec::new();
    // In the generated code, `at` is the present state, and `following` the one to enter.
    let mut code = format!(
        "fn {function}(me) {{ let at = (); let following = (); \
         if !me.state.contains(\"{name}\") {{ following = {first}; }} \
         else if !me.state.contains(\"{since}\") {{ \
           following = checked_state(me.state.{name}, \"`me.state.{name}` is\", [{list}]); }} \
         else {{ at = me.state.{name}; "
    );
    for (state, quoted) in states.iter().zip(&quoted) {
        let next = next_function(state);
        code += &format!("if at == {quoted} {{ ");
        if has(&next) {
            let checked = format!("{function}__{state}");
            code += &format!("following = {checked}(me); ");
            let head = super::syntax::definition_span(&source.text, "fn", &next);
            let line = source.line_column(head.start).0;
            let code = format!(
                "fn {checked}(me) {{ checked_state({next}(me), \"`{next}` returned\", [{list}]) }}"
            );
            all.push(Generated { line, code });
        }
        code += "} else ";
    }
    code += &format!(
        "{{ debug(`the state \"${{at}}\" of \"{name}\" no longer exists, so \"{}\" is entered`); \
           at = (); following = {first}; }} }} if following != () {{ ",
        states[0]
    );
    let calls = |prefix: &str| {
        let of_states = states.iter().zip(&quoted);
        let calls = of_states.filter_map(|(state, quoted)| {
            let function = format!("{prefix}_{state}");
            has(&function).then(|| format!("if at == {quoted} {{ {function}(me); }}"))
        });
        calls.collect::<Vec<_>>().join(" else ")
    };
    code += &format!(
        "{} me.state.{before} = at; me.state.{name} = following; me.state.{since} = world.tick; at = following; {} }} \
         let force = ",
        calls("exit"),
        calls("enter")
    );
    for (place, (state, quoted)) in states.iter().zip(&quoted).enumerate() {
        code += &match place + 1 < states.len() {
            true => format!("if at == {quoted} {{ {state}(me) }} else "),
            false => format!("{{ {state}(me) }};"),
        };
    }
    // The force of a state that returns nothing is zero.
    code += " if force == () { vec(0, 0) } else { force } }";
    let line = choice.position.line().unwrap_or(1);
    all.push(Generated { line, code });
    all
}

/// Returns whether an assignment sets a state with a name.
pub(super) fn sets(target: &Expr, name: &str) -> bool {
    let mut last = target;
    while let Expr::Dot(parts, ..) | Expr::Index(parts, ..) = last {
        last = &parts.rhs;
    }
    match last {
        Expr::Property(property, _) => property.2.as_str() == name,
        Expr::StringConstant(text, _) => text.as_str() == name,
        _ => false,
    }
}

/// Returns whether an assignment may set a state with a name: it does, or its name is computed.
pub(super) fn may_set(target: &Expr, name: &str) -> bool {
    if matches!(target, Expr::Variable(..)) {
        return false;
    }
    let mut last = target;
    while let Expr::Dot(parts, ..) | Expr::Index(parts, ..) = last {
        last = &parts.rhs;
    }
    sets(target, name) || !matches!(last, Expr::Property(..) | Expr::StringConstant(..))
}

/// Returns whether a position belongs to generated code.
pub(super) fn is_generated(position: Position, source: &Source) -> bool {
    let (Some(line), Some(column)) = (position.line(), position.position()) else {
        return true;
    };
    is_behind(source.line_at(source.offset(line, 1)), column)
}
