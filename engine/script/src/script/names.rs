//! Finds names that do not exist, before a script runs.
//!
//! It reports only what is wrong for any values: a function that does not exist, a property of `me` or `world` that
//! no value has, a primitive with a wrong number of arguments. In functions that nothing calls, whose values no other check knows, it
//! also reports all other functions with a wrong number of arguments, and unknown properties of vectors and neighborhoods that calls and
//! properties give.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt};

use super::problem::{self, Problem};
use super::sources::Sources;
use super::statements::{FunctionStarts, function_name};
use super::{api, error};
use crate::diag::{Code, Diagnostic, Source, WrongArguments};
use crate::steer;
use crate::tokens::{Language, TokenKind, tokens};

/// The names of an imported script: its alias, and the functions in it.
pub(super) struct ImportedNames {
    pub(super) alias: String,
    pub(super) functions: Vec<String>,
}

/// Returns the errors of names in a compiled script that do not exist.
pub(super) fn check(
    engine: &Engine,
    ast: &AST,
    imported: &[ImportedNames],
    sources: &Sources<'_>,
) -> Vec<Diagnostic> {
    let own: BTreeSet<(&str, usize)> =
        ast.iter_functions().map(|f| (f.name, f.params.len())).collect();
    let mut native: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let all = engine.collect_fn_metadata(
        None,
        |info| {
            let (name, count) = (info.metadata.name.to_string(), info.metadata.num_params);
            info.namespace.is_empty().then_some((name, count))
        },
        true,
    );
    for (name, count) in all {
        native.entry(name).or_default().insert(count);
    }
    for name in BUILT_IN {
        native.entry((*name).to_owned()).or_default();
    }
    let functions = Functions::new(sources.own);
    let types = variable_types(ast, &functions);
    let uncalled = uncalled_functions(&functions);
    let names = NameCheck { own, native, imported, types, functions, unknown: Cell::new(0) };
    let is_uncalled = |position: Position| {
        let function = names.functions.start_around(position);
        function.is_some_and(|function| uncalled.contains(&function))
    };
    let mut found: Vec<(Position, Diagnostic)> = Vec::new();
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(expression)) => {
                found.extend(names.wrong(expression, path));
                let wrong = names.wrong_for_types(expression, path);
                found.extend(wrong.filter(|(position, _)| is_uncalled(*position)));
            }
            // A call that is a statement of its own is not an expression in the syntax tree.
            Some(ASTNode::Stmt(Stmt::FnCall(call, position))) => {
                found.extend(names.wrong_function(call).map(|wrong| (*position, wrong)));
                let wrong = names.wrong_count(call, 0).filter(|_| is_uncalled(*position));
                found.extend(wrong.map(|wrong| (*position, wrong)));
            }
            _ => {}
        }
        true
    });
    found.sort_by_key(|(position, _)| *position);
    found.dedup_by(|a, b| a.0 == b.0);
    found.into_iter().map(|(position, diagnostic)| sources.place(diagnostic, position)).collect()
}

/// Functions that are part of the language.
pub(super) const BUILT_IN: &[&str] =
    &["Fn", "call", "curry", "is_shared", "type_of", "is_def_fn", "is_def_var", "print", "debug"];

struct NameCheck<'a> {
    own: BTreeSet<(&'a str, usize)>,
    /// The functions that a script does not define, with the numbers of arguments that they take; none if they take any number.
    native: BTreeMap<String, BTreeSet<usize>>,
    imported: &'a [ImportedNames],
    types: VariableTypes,
    functions: Functions<'a>,
    /// Number of unknown names that have been found.
    unknown: Cell<usize>,
}

/// Number of unknown names for which the nearest known name is suggested, because finding it takes time.
const MAX_SUGGESTIONS: usize = 100;

impl NameCheck<'_> {
    fn wrong(&self, expression: &Expr, path: &[ASTNode<'_>]) -> Option<(Position, Diagnostic)> {
        match expression {
            Expr::FnCall(call, position) => {
                self.wrong_function(call).map(|wrong| (*position, wrong))
            }
            Expr::MethodCall(call, position) => {
                let receiver = receiver(path).map_or("", type_of);
                self.wrong_call(call, Some(receiver)).map(|wrong| (*position, wrong))
            }
            Expr::Dot(dot, ..) => {
                let base = variable(&dot.lhs).filter(|name| ["me", "world"].contains(name))?;
                let (name, position) = first_property(&dot.rhs)?;
                if api::is_property(name) {
                    return None;
                }
                let wrong = error::unknown_property(base, &format!("`{base}`"), name);
                Some((position, wrong))
            }
            _ => None,
        }
    }

    fn wrong_function(&self, call: &FnCallExpr) -> Option<Diagnostic> {
        if call.namespace.is_empty() {
            self.without_me(call).or_else(|| self.wrong_call(call, None))
        } else {
            self.wrong_import(call)
        }
    }

    fn wrong_import(&self, call: &FnCallExpr) -> Option<Diagnostic> {
        let imported =
            self.imported.iter().find(|imported| imported.alias == call.namespace.root())?;
        if imported.functions.iter().any(|name| *name == call.name.as_str()) {
            return None;
        }
        let wrong = Diagnostic::error(format!(
            "there is no function `{}` in `{}`",
            call.name, imported.alias
        ));
        Some(wrong.suggest(&call.name, imported.functions.iter().map(String::as_str)))
    }

    /// Returns the error of a function of `me` that is called without `me`.
    fn without_me(&self, call: &FnCallExpr) -> Option<Diagnostic> {
        let (name, given) = (call.name.as_str(), call.args.len());
        if self.is_own(name) {
            return None;
        }
        // A variable may be `me` by another name.
        let may_be_me = matches!(call.args.first(), Some(Expr::Variable(..)));
        let is_missing = match steer::find(name) {
            Some(primitive) if primitive.is_combinator() => false,
            Some(primitive) => {
                given < primitive.required() + usize::from(may_be_me)
                    || (given <= primitive.params.len() && !may_be_me)
            }
            None => api::needs_me(name, given),
        };
        let wrong = Diagnostic::error(format!("`{name}` is a function of `me`"));
        let wrong = wrong.code(Code::WrongArguments);
        let is_agent = |one: &Expr| variable(one) == Some("me");
        is_missing.then(|| match (call.args.iter().position(is_agent), steer::find(name)) {
            (Some(agent), Some(primitive)) => {
                wrong.help(primitive.how_to_call()).arguments(WrongArguments::Agent(agent))
            }
            _ => wrong.meant(name, &format!("me.{name}")),
        })
    }

    fn is_own(&self, name: &str) -> bool {
        self.own.range((name, 0)..).next().is_some_and(|(own, _)| *own == name)
    }

    /// Returns the error of a call of a function of the script with a wrong number of arguments.
    fn wrong_own(&self, name: &str, given: usize, receiver: Option<&str>) -> Option<Diagnostic> {
        let own = self.own.range((name, 0)..).take_while(|(own, _)| *own == name);
        let counts: Vec<usize> = own.map(|(_, count)| *count).collect();
        if counts.contains(&given) {
            return None;
        }
        let takes = counts.iter().copied().collect();
        let wrong = error::wrong_count(name, &takes, given, usize::from(receiver.is_some()))?;
        Some(match receiver {
            Some(of) if counts.contains(&(given + 1)) => {
                let first = if of == "me" { "me" } else { "value" };
                let rest = if given > 0 { ", ..." } else { "" };
                wrong.help(format!(
                    "a function of the script is called without a dot: `{name}({first}{rest})`"
                ))
            }
            _ => wrong,
        })
    }

    /// Returns what is wrong with a call. `receiver` is the type of the value before the dot, empty if it is not known;
    /// `None` for a call without a dot.
    fn wrong_call(&self, call: &FnCallExpr, receiver: Option<&str>) -> Option<Diagnostic> {
        let name = call.name.as_str();
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let given = call.args.len();
        if !self.native.contains_key(name) {
            if self.is_own(name) {
                return self.wrong_own(name, given, receiver);
            }
            self.unknown.set(self.unknown.get() + 1);
            let mut valid: Vec<&str> = api::names().collect();
            valid.extend(self.own.iter().map(|(name, _)| *name));
            if self.unknown.get() > MAX_SUGGESTIONS {
                valid.clear();
            }
            return Some(error::unknown_function(name, receiver, valid));
        }
        let receivers = usize::from(receiver.is_some());
        if given > MAX_ARGUMENTS && !self.own.contains(&(name, given)) {
            let takes = &self.native[name];
            let wrong = error::wrong_number_of_arguments(name, takes, given, receivers);
            let too_many = format!("`{name}` does not take {given} arguments");
            return Some(wrong.unwrap_or_else(|| Diagnostic::error(too_many)));
        }
        let values = given + receivers;
        if values != 1 && !self.is_own(name) {
            match name {
                "debug" => return Some(error::debug_of_several(values)),
                "print" => {
                    let mut no_print = problem::no_print();
                    // `debug` takes one value, too.
                    no_print.remedies.0.clear();
                    return Some(no_print);
                }
                _ => {}
            }
        }
        let on_me = receiver == Some("me");
        let primitive = steer::find(name).filter(|primitive| on_me || primitive.is_combinator())?;
        if (primitive.required()..=primitive.params.len()).contains(&given) || self.is_own(name) {
            return None;
        }
        let wrong = Problem::from(primitive.wrong_count(given)).into_diagnostic();
        Some(wrong.help(primitive.how_to_call()))
    }
}

/// What other checks find better, where they know the values.
impl NameCheck<'_> {
    /// Returns what is wrong with an expression for the types that its parts are known to have.
    fn wrong_for_types(
        &self,
        expression: &Expr,
        path: &[ASTNode<'_>],
    ) -> Option<(Position, Diagnostic)> {
        match expression {
            Expr::FnCall(call, position) => {
                self.wrong_count(call, 0).map(|wrong| (*position, wrong))
            }
            Expr::MethodCall(call, position) => {
                self.wrong_count(call, 1).map(|wrong| (*position, wrong))
            }
            Expr::Property(property, position) => {
                let name = property.2.as_str();
                let of = match receiver(path)? {
                    Expr::MethodCall(call, _) | Expr::FnCall(call, _) => self.type_of_result(call),
                    Expr::Property(of, _) if is_of_agent_or_world(path) => api::result_type(&of.2),
                    variable @ Expr::Variable(_, _, at) => {
                        let function = self.functions.start_around(*at)?;
                        let key = (function, self::variable(variable)?.into());
                        let call = self.types.get(&key)?;
                        if self.is_own(call) { "" } else { api::result_type(call) }
                    }
                    _ => return None,
                };
                // Scenarios can give agents others.
                let is_fixed = matches!(of, "neighborhood" | "vector");
                let is_wrong = is_fixed && api::properties(of).all(|known| known != name);
                is_wrong.then(|| (*position, error::unknown_property(of, &format!("a {of}"), name)))
            }
            _ => None,
        }
    }

    /// Returns the name of the type of what a call gives, as far as it is known.
    fn type_of_result(&self, call: &FnCallExpr) -> &'static str {
        if self.is_own(&call.name) { "" } else { api::result_type(&call.name) }
    }

    /// Returns the error of a call of a function that a script does not define with a number of arguments that it never takes. `receivers`
    /// is the number of values before the dot.
    fn wrong_count(&self, call: &FnCallExpr, receivers: usize) -> Option<Diagnostic> {
        let name = call.name.as_str();
        let is_name = name.starts_with(|c: char| c.is_alphabetic());
        let takes = self.native.get(name).filter(|_| is_name && !self.is_own(name))?;
        let given = call.args.len();
        let of_engine = call.namespace.is_empty().then_some(takes)?;
        error::wrong_number_of_arguments(name, of_engine, given, receivers)
    }
}

/// The functions of a script.
struct Functions<'a> {
    source: &'a Source,
    starts: FunctionStarts,
}

impl<'a> Functions<'a> {
    fn new(source: &'a Source) -> Self {
        Self { source, starts: FunctionStarts::new(&source.text) }
    }

    /// Returns where the function around a position begins.
    fn start_around(&self, position: Position) -> Option<usize> {
        let at = self.source.offset(position.line()?, position.position()?);
        self.starts.at(at).map(|function| function.start)
    }
}

/// Returns where the functions begin that nothing calls: the engine does not call them, and their names are written at most in each
/// other. What is found there twice does no harm, so a few too many are no problem.
fn uncalled_functions(functions: &Functions<'_>) -> BTreeSet<usize> {
    let text = &functions.source.text;
    let mut names: BTreeMap<usize, &str> = BTreeMap::new();
    let mut words: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    let mut called: BTreeSet<&str> = ENTRY_FUNCTIONS.into();
    for token in tokens(text, Language::Rhai) {
        if !matches!(token.kind, TokenKind::Word | TokenKind::Text) {
            continue;
        }
        let word = &text[token.inner.clone()];
        match functions.starts.at(token.span.start) {
            Some(function) => {
                words.entry(function.start).or_default().insert(word);
                let name = function_name(&text[function.clone()]).unwrap_or_default();
                names.insert(function.start, name);
            }
            None => _ = called.insert(word),
        }
    }
    // What a function that is called has written may be called, too.
    while let Some((&start, _)) = names.iter().find(|(_, name)| called.contains(*name)) {
        names.remove(&start);
        called.extend(words.remove(&start).unwrap_or_default());
    }
    names.into_keys().collect()
}

/// The calls whose results variables have, by where the function of the variable begins and its name.
type VariableTypes = BTreeMap<(usize, String), String>;

/// Returns the variables that only ever have the result of one call.
fn variable_types(ast: &AST, functions: &Functions<'_>) -> VariableTypes {
    let mut declared: BTreeMap<(usize, String), Vec<Option<String>>> = BTreeMap::new();
    let mut others: BTreeSet<String> = BTreeSet::new();
    for function in ast.iter_functions() {
        others.extend(function.params.iter().map(|&name| name.to_owned()));
    }
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(var, ..))) => {
                let name = &var.0;
                if let Some(function) = functions.start_around(name.pos) {
                    let key = (function, name.name.to_string());
                    declared.entry(key).or_default().push(called_last(&var.1));
                }
            }
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                others.extend(variable(&assignment.1.lhs).map(str::to_owned));
            }
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => {
                others.insert(parts.0.name.to_string());
            }
            _ => {}
        }
        true
    });
    let only = |(key, calls): ((usize, String), Vec<Option<String>>)| match &calls[..] {
        [Some(call)] if !others.contains(&key.1) => Some((key, call.clone())),
        _ => None,
    };
    declared.into_iter().filter_map(only).collect()
}

/// Returns the name of the function whose result an expression is.
fn called_last(expression: &Expr) -> Option<String> {
    match expression {
        Expr::FnCall(call, _) | Expr::MethodCall(call, _) => Some(call.name.to_string()),
        Expr::Dot(parts, ..) => called_last(&parts.rhs),
        _ => None,
    }
}

/// Returns whether the last of a path is a member of a property of `me` or of `world`, as in `me.pos.x`.
fn is_of_agent_or_world(path: &[ASTNode<'_>]) -> bool {
    let [.., ASTNode::Expr(Expr::Dot(outer, ..)), ASTNode::Expr(inner), _] = path else {
        return false;
    };
    std::ptr::eq(&raw const outer.rhs, *inner)
        && variable(&outer.lhs).is_some_and(|name| ["me", "world"].contains(&name))
}

/// The functions that the engine calls.
const ENTRY_FUNCTIONS: [&str; 5] = ["init", "steer", "expect", "measure", "flow"];

/// Largest number of arguments of functions that a script does not define. With more, Rhai searches for a long time.
const MAX_ARGUMENTS: usize = 12;

/// Returns the expression before the dot of a method call, the last of a path.
fn receiver<'a>(path: &[ASTNode<'a>]) -> Option<&'a Expr> {
    let (ASTNode::Expr(called), around) = path.split_last()? else { return None };
    let mut inner: &Expr = called;
    for node in around.iter().rev() {
        let ASTNode::Expr(outer @ (Expr::Dot(parts, ..) | Expr::Index(parts, ..))) = node else {
            return None;
        };
        if std::ptr::eq(&raw const parts.rhs, inner) {
            return matches!(outer, Expr::Dot(..)).then_some(&parts.lhs);
        }
        inner = outer;
    }
    None
}

/// Returns the name of the type of an expression as far as its text tells it; otherwise an empty one.
fn type_of(expression: &Expr) -> &'static str {
    match expression {
        Expr::Variable(..) => match variable(expression) {
            Some("me") => "me",
            Some("world") => "world",
            _ => "",
        },
        Expr::Array(..) => "array",
        Expr::DynamicConstant(value, _) if value.is_array() => "array",
        Expr::StringConstant(..) | Expr::InterpolatedString(..) => "string",
        Expr::Property(property, _) => api::result_type(&property.2),
        Expr::MethodCall(call, _) | Expr::FnCall(call, _) => api::result_type(&call.name),
        Expr::Dot(parts, ..) => type_of(&parts.rhs),
        _ => "",
    }
}

fn variable(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Variable(variable, ..) => Some(variable.1.as_str()),
        _ => None,
    }
}

/// Returns the first property after a dot.
fn first_property(expression: &Expr) -> Option<(&str, Position)> {
    match expression {
        Expr::Property(property, position) => Some((property.2.as_str(), *position)),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => first_property(&dot.lhs),
        _ => None,
    }
}
