//! The trace of a turn that the interpreter takes: each statement that runs, the values that variables get, and the calls that lead
//! there. `tracer.rs` writes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{ASTNode, Expr, NativeCallContext, Position, Stmt};

use crate::math;
use crate::sim::ValueKind;
use crate::steer::ExplainedCall;

/// Maximum number of steps that are kept. What follows them is not traced.
const MAX_STEPS: usize = 20_000;

/// Where a call or another part is in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallSite {
    /// The name of the script, if it is an imported one.
    pub(super) source: Option<String>,
    pub(super) position: Position,
}

impl CallSite {
    /// Creates the place of a call that is being made.
    pub(super) fn new(context: &NativeCallContext<'_>) -> Self {
        let source = context.call_source().map(str::to_owned);
        Self { source, position: context.call_position() }
    }
}

/// A part of a script that was reached.
#[derive(Debug)]
pub(super) struct TracedStep {
    pub(super) site: CallSite,
    pub(super) kind: ValueKind,
    /// The value; empty for a statement.
    pub(super) text: String,
    /// The calls that lead to its function, the outermost first.
    pub(super) calls: Arc<[CallSite]>,
    /// The name of the parameter of the function whose body begins there.
    pub(super) parameter: Option<String>,
}

/// The steps of a turn, in their order.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) steps: Vec<TracedStep>,
    calls: Arc<[CallSite]>,
    /// The script of the last part.
    source: Option<String>,
    /// For each function that runs, where its variables get their values, and their last values.
    functions: Vec<BTreeMap<String, Binding>>,
    /// Where states of the agent get their values, and their last values.
    states: BTreeMap<String, Binding>,
}

/// A variable or a state whose values are traced.
#[derive(Debug)]
struct Binding {
    site: CallSite,
    text: Option<String>,
}

impl Binding {
    /// Notes the present value. Returns it, with where it was set, if it is another one.
    fn change(&mut self, text: &str) -> Option<(CallSite, String)> {
        let is_new = self.text.as_deref() != Some(text);
        is_new.then(|| (self.site.clone(), self.text.insert(text.to_owned()).clone()))
    }
}

impl Trace {
    /// Notes which functions run, by where they were called.
    pub(super) fn enter(&mut self, positions: &[Position], source: Option<&str>) {
        let is_same = self.calls.len() == positions.len()
            && self.calls.iter().zip(positions).all(|(call, position)| call.position == *position);
        if !is_same {
            let known = self.calls.iter().zip(positions);
            let known = known.take_while(|(call, position)| call.position == **position).count();
            let mut calls: Vec<CallSite> = self.calls[..known].to_vec();
            // What calls is in the script of the part before.
            let caller = self.source.clone();
            calls.extend(
                positions[known..]
                    .iter()
                    .map(|&position| CallSite { source: caller.clone(), position }),
            );
            self.calls = calls.into();
            self.functions.truncate(known + 1);
        }
        self.functions.resize_with(positions.len() + 1, BTreeMap::new);
        self.source = source.map(str::to_owned);
    }

    /// Returns whether nothing more is kept.
    pub(super) fn is_full(&self) -> bool {
        self.steps.len() >= MAX_STEPS
    }

    /// Adds the variables of the function that runs, and the states, that have got another value since the last part. `variables` are all
    /// of them, with their values as short strings.
    pub(super) fn add_changes(
        &mut self,
        variables: &[(String, String)],
        state: impl Fn(&str) -> Option<String>,
    ) {
        let mut changed = Vec::new();
        if let Some(own) = self.functions.last_mut() {
            for (name, text) in variables {
                changed.extend(own.get_mut(name).and_then(|binding| binding.change(text)));
            }
        }
        for (site, text) in changed {
            self.push(site, ValueKind::Variable, text);
        }
        self.add_states(state);
    }

    /// Adds the states that have got another value since the last part. `state` returns the value of one as a short text.
    pub(super) fn add_states(&mut self, state: impl Fn(&str) -> Option<String>) {
        let states = self.states.iter_mut();
        let changed = states.filter_map(|(name, binding)| binding.change(&state(name)?));
        for (site, text) in changed.collect::<Vec<_>>() {
            self.push(site, ValueKind::Variable, text);
        }
    }

    /// Adds the parameters of a function whose body begins at a position.
    fn add_parameters(&mut self, position: Position, variables: &[(String, String)]) {
        for (name, text) in variables {
            self.push(self.site(position), ValueKind::Parameter, text.clone());
            if let Some(step) = self.steps.last_mut() {
                step.parameter = Some(name.clone());
            }
        }
    }

    /// Adds a part that is reached. `variables` are those of the function, and `read` is the value of the variable or property that is read.
    pub(super) fn add_part(
        &mut self,
        node: ASTNode<'_>,
        variables: &[(String, String)],
        read: Option<String>,
    ) {
        match node {
            ASTNode::Stmt(Stmt::Noop(position)) => {
                return self.add_parameters(*position, variables);
            }
            ASTNode::Stmt(Stmt::Block(_)) => return,
            ASTNode::Stmt(Stmt::Var(declared, ..)) => {
                self.bind(declared.0.name.as_str(), declared.0.pos);
            }
            ASTNode::Stmt(Stmt::For(parts, _)) => {
                for name in std::iter::once(&parts.0).chain(&parts.1) {
                    self.bind(name.name.as_str(), name.pos);
                }
            }
            ASTNode::Stmt(Stmt::Assignment(assignment)) => self.bind_target(&assignment.1.lhs),
            ASTNode::Expr(part @ Expr::Dot(..)) => {
                let property = last_property(part).zip(read.clone());
                if let Some((position, text)) = property {
                    return self.push(self.site(position), ValueKind::Result, text);
                }
            }
            _ => {}
        }
        let (position, kind) = match node {
            ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                (assignment.1.lhs.start_position(), ValueKind::Statement)
            }
            ASTNode::Stmt(statement) => (statement.position(), ValueKind::Statement),
            ASTNode::Expr(part @ Expr::Variable(..)) => (part.start_position(), ValueKind::Result),
            ASTNode::Expr(
                part @ (Expr::FnCall(..) | Expr::MethodCall(..) | Expr::Dot(..) | Expr::Index(..)),
            ) => (part.start_position(), ValueKind::Statement),
            _ => return,
        };
        if kind == ValueKind::Statement || read.is_some() {
            self.push(self.site(position), kind, read.unwrap_or_default());
        }
    }

    /// Notes where a variable of the function that runs gets its next value.
    fn bind(&mut self, name: &str, position: Position) {
        let site = self.site(position);
        if let Some(own) = self.functions.last_mut() {
            let text = own.remove(name).and_then(|binding| binding.text);
            own.insert(name.to_owned(), Binding { site, text });
        }
    }

    /// Notes where the target of an assignment gets its value.
    fn bind_target(&mut self, target: &Expr) {
        let mut names = Vec::new();
        add_names(target, &mut names);
        match names[..] {
            [(name, position)] => self.bind(name, position),
            [("me", _), ("state", _), (name, position)] => {
                let site = self.site(position);
                self.states.insert(name.to_owned(), Binding { site, text: None });
            }
            _ => {}
        }
    }

    /// Adds the result of a primitive.
    pub(super) fn add_call(&mut self, call: &ExplainedCall, site: CallSite) {
        self.push(site, ValueKind::Result, math::short_vector(call.raw));
    }

    fn site(&self, position: Position) -> CallSite {
        CallSite { source: self.source.clone(), position }
    }

    fn push(&mut self, site: CallSite, kind: ValueKind, text: String) {
        if !self.is_full() && !site.position.is_none() {
            let calls = Arc::clone(&self.calls);
            self.steps.push(TracedStep { site, kind, text, calls, parameter: None });
        }
    }
}

/// Returns the position of the last name of a chain of a variable and properties; `None` for anything else.
pub(super) fn last_property(part: &Expr) -> Option<Position> {
    let Expr::Dot(..) = part else { return None };
    let mut names = Vec::new();
    add_names(part, &mut names);
    let is_chain = names.iter().all(|(name, _)| !name.is_empty());
    names.last().filter(|_| is_chain).map(|(_, position)| *position)
}

/// Adds the names of a chain of properties, such as `me.state.count`, with their positions.
fn add_names<'e>(part: &'e Expr, names: &mut Vec<(&'e str, Position)>) {
    match part {
        Expr::Variable(variable, _, position) => names.push((&variable.1, *position)),
        Expr::Property(property, position) => names.push((&property.2, *position)),
        Expr::Dot(parts, ..) => {
            add_names(&parts.lhs, names);
            add_names(&parts.rhs, names);
        }
        // What has an index or a call in it has no name.
        _ => names.push(("", part.start_position())),
    }
}
