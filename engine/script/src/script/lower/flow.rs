//! Statements: which lanes get to each, and what they change.

use std::rc::Rc;

use rhai::{ASTFlags, Expr, FlowControl, Position, Stmt};

use super::learn::LearnedTypes;
use super::tracked::{Tracked, TrackedId, spot};
use super::value::{LoweredValue, TypeCase};
use super::{CallFrame, Lowering, Variable, VariableBinding};
use crate::program::{B, Columns, Type};
use crate::script::compile::Script;
use crate::script::limits;
use crate::sim::ValueKind;

/// The name of a variable, and where it is declared.
pub(super) type DeclaredName<'n> = (&'n str, Position);

impl<'a> Lowering<'a> {
    /// Inlines a function where it is called. Returns its result for all lanes that return from it.
    pub(super) fn inline_function(
        &mut self,
        script: &'a Script,
        name: &str,
        arguments: Vec<LoweredValue>,
        position: Position,
    ) -> LoweredValue {
        self.inline_call(script, name, arguments, &[], position)
    }

    /// Inlines a function. Its parameters share the ids of the arguments in `same`, so that the tests in it narrow
    /// types for its caller, too.
    pub(super) fn inline_call(
        &mut self,
        script: &'a Script,
        name: &str,
        arguments: Vec<LoweredValue>,
        same: &[Option<TrackedId>],
        position: Position,
    ) -> LoweredValue {
        let Some(entered) = self.active else {
            return LoweredValue::never();
        };
        let is_outermost = self.frames.len() == 1 && position.is_none();
        let calls_itself = |frame: &CallFrame<'_>| {
            frame.name == name
                && std::ptr::eq(frame.script, script)
                && frame.body.as_ref().is_some_and(|body| body.parameters.len() == arguments.len())
        };
        if self.frames.iter().any(calls_itself) {
            return self.leave_with_help("a function that calls itself", "use a loop", position);
        }
        if self.frames.len() > limits::MAX_CALL_DEPTH {
            let what = format!("a call nested more than {} deep", limits::MAX_CALL_DEPTH);
            return self.leave_to_interpreter(&what, position);
        }
        let analysis = self.analyses.of(script);
        let body = analysis.body(name, arguments.len());
        let mut call_path = self.frame().call_path;
        if !is_outermost {
            call_path = self.inferred.tracked.call_path(call_path, spot(position));
        }
        let call = self.call_place(position);
        // Cleared at each call, since the call may be in a loop.
        let returned_lanes = body.has_return.then(|| {
            let returned_lanes = self.emit.new_b();
            let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
            self.emit.blend(Columns::B(returned_lanes), Columns::B(no), yes);
            returned_lanes
        });
        self.frames.push(CallFrame {
            script,
            analysis,
            name: name.to_owned(),
            call,
            body: Some(Rc::clone(&body)),
            variables: Vec::new(),
            returned: self.inferred.tracked.id(Tracked::Returned(call_path)),
            returned_lanes,
            has_returned: false,
            types_at_return: None,
            learned: LearnedTypes::default(),
            loops: Vec::new(),
            call_path,
        });
        for (place, (name, value)) in body.parameters.iter().zip(arguments).enumerate() {
            self.note_parameter(name, &value);
            self.declare(name, value, Position::NONE);
            self.share_id(same.get(place).copied().flatten());
        }
        let last = self.statements(body.ast.statements());
        self.learn_from_end(body.ast.statements(), &last);
        let result = self.function_result(entered, last, position);
        self.keep_learned();
        self.frames.pop();
        result
    }

    /// Returns the result of the function that is being inlined, given the lanes that entered it and the value of its
    /// last statement, which is the result of the lanes that get to the end.
    fn function_result(
        &mut self,
        entered: B,
        last: LoweredValue,
        position: Position,
    ) -> LoweredValue {
        let CallFrame { returned, has_returned, returned_lanes, .. } = *self.frame();
        if !has_returned {
            return last;
        }
        if self.active.is_some() {
            self.assign_stored(returned, &last, position);
        }
        let (now, ends) =
            (std::mem::take(&mut self.narrowed_types), self.frame().types_at_return.take());
        self.narrowed_types = match ends {
            Some(ends) if self.active.is_some() => now.joined(&ends),
            Some(ends) => ends,
            None => now,
        };
        // All lanes that entered are here again, unless they are faulted.
        let reached = match (self.active, returned_lanes) {
            (Some(active), Some(returned_lanes)) => Some(self.emit.or(active, returned_lanes)),
            (active, returned_lanes) => active.or(returned_lanes),
        };
        if let Some(reached) = reached {
            let active = self.emit.and_not(entered, reached);
            self.emit.fault(active);
        }
        self.active = Some(entered);
        self.read_stored(returned)
    }

    /// Lowers statements; returns the value of the last.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> LoweredValue {
        let outer = self.frame().variables.len();
        let value = self.statements(statements);
        self.frame().variables.truncate(outer);
        value
    }

    /// Lowers statements, and leaves their variables in scope; returns the value of the last.
    fn statements(&mut self, statements: &[Stmt]) -> LoweredValue {
        let mut value = LoweredValue::nothing();
        for (place, statement) in statements.iter().enumerate() {
            if self.active.is_none() {
                break;
            }
            value = self.statement(statement);
            if place + 1 < statements.len() {
                self.warn_if_discarded(statement);
            }
        }
        if self.active.is_none() {
            value = LoweredValue::never();
        }
        value
    }

    /// Declares a variable with its first value.
    fn declare(&mut self, name: &str, value: LoweredValue, position: Position) {
        let is_added_to =
            self.frame().body.as_ref().is_some_and(|body| body.added_to.contains(name));
        let value = if is_added_to { self.growing_text(value) } else { value };
        self.count_text(&value);
        let active = self.active;
        let loops = self.frame().loops.len();
        let call_path = self.frame().call_path;
        let CallFrame { body, analysis, .. } = self.frame();
        let is_assigned = body.as_ref().is_some_and(|body| body.assigned.contains(name))
            || analysis.is_captured(name);
        let binding = if !is_assigned {
            VariableBinding::Constant(value)
        } else if value.types().is_some() {
            let key = Tracked::Variable(call_path, spot(position), name.to_owned());
            let id = self.inferred.tracked.id(key);
            self.assign_stored(id, &value, position);
            VariableBinding::Stored(id)
        } else {
            VariableBinding::NotInColumns(value, active, loops)
        };
        let place = self.frame().variables.len();
        let id = self.inferred.tracked.id(Tracked::Constant(call_path, place, name.to_owned()));
        self.frame().variables.push(Variable { name: name.to_owned(), binding, id });
        // The narrowed types of another variable of this name do not hold for this one.
        self.narrowed_types.remove(id);
    }

    pub(super) fn declare_named(
        &mut self,
        (name, position): DeclaredName<'_>,
        value: LoweredValue,
    ) {
        self.note_value(&value, position, ValueKind::Variable);
        self.declare(name, value, position);
    }

    fn statement(&mut self, statement: &Stmt) -> LoweredValue {
        self.nodes += 1;
        let value = self.within_limits(|this| this.statement_within(statement));
        match statement {
            Stmt::Expr(expression) => self.note_result(&value, expression.start_position()),
            Stmt::FnCall(_, position) => self.note_result(&value, *position),
            _ => {}
        }
        value
    }

    fn statement_within(&mut self, statement: &Stmt) -> LoweredValue {
        match statement {
            // `Share` lists what a closure captures.
            Stmt::Noop(_) | Stmt::Share(_) => LoweredValue::nothing(),
            Stmt::Expr(expression) => self.expression(expression),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::FnCall(call, position) => {
                let value = self.function_call(call, *position);
                self.note_call(call, &value, *position);
                value
            }
            Stmt::Var(var, _, position) => {
                let (name, expression, _) = &**var;
                let value = self.expression(expression);
                self.note_types(&value, name.pos);
                self.note_value(&value, name.pos, ValueKind::Variable);
                if self.active.is_some() {
                    self.declare(&name.name, value, *position);
                }
                LoweredValue::nothing()
            }
            Stmt::Assignment(assignment) => {
                let (operator, sides) = &**assignment;
                let operator = operator.get_op_assignment_info().map(|(_, _, _, _, _, name)| name);
                self.assignment(operator, &sides.lhs, &sides.rhs);
                self.note_assigned(&sides.lhs);
                LoweredValue::nothing()
            }
            Stmt::If(flow, position) => self.if_else(flow, *position),
            Stmt::While(flow, position) => {
                self.while_loop(&flow.expr, flow.body.statements(), *position)
            }
            Stmt::For(inner, _) => {
                let (variable, counter, flow) = &**inner;
                let counter = counter.as_ref().map(|counter| (counter.name.as_str(), counter.pos));
                self.for_loop((variable.name.as_str(), variable.pos), counter, flow)
            }
            Stmt::BreakLoop(value, flags, position) => {
                if value.is_some() {
                    return self.leave_with_help(
                        "a loop with a value, `break x`,",
                        "set a variable before `break`",
                        *position,
                    );
                }
                self.leave_loop(flags.contains(ASTFlags::BREAK));
                LoweredValue::never()
            }
            Stmt::Return(_, flags, position) if flags.contains(ASTFlags::BREAK) => {
                self.leave_with_help("`throw`", "check with `if` what may fail", *position)
            }
            Stmt::Return(value, _, position) => self.return_value(value.as_deref(), *position),
            Stmt::Switch(switch, position) => self.switch(&switch.0, &switch.1, *position),
            Stmt::Do(flow, flags, _) => {
                let until = flags.contains(ASTFlags::NEGATED);
                self.do_loop(&flow.expr, flow.body.statements(), until)
            }
            Stmt::TryCatch(_, position) => {
                self.leave_with_help("`try`", "check with `if` what may fail", *position)
            }
            other => self.leave_to_interpreter("this statement", other.position()),
        }
    }

    /// Lowers `return`, which ends the function in all lanes that get to it.
    fn return_value(&mut self, value: Option<&Expr>, position: Position) -> LoweredValue {
        let value = match value {
            Some(expression) => {
                let value = self.expression(expression);
                self.note_result(&value, expression.start_position());
                self.learn_from_exit(&value, |this, holds| this.learn_from(expression, holds));
                value
            }
            None => LoweredValue::nothing(),
        };
        self.leave_function(&value, position);
        LoweredValue::never()
    }

    /// Lowers `if` as a statement or an expression.
    fn if_else(&mut self, flow: &FlowControl, keyword: Position) -> LoweredValue {
        let condition = &flow.expr;
        let Some(truth) = self.condition(condition) else {
            return LoweredValue::never();
        };
        self.note_condition(&LoweredValue::boolean(truth), keyword);
        self.branch(truth, condition.position(), |this, holds| {
            this.learn_from(condition, holds);
            this.block(if holds { &flow.body } else { &flow.branch }.statements())
        })
    }

    /// Lowers two branches: one for the lanes in which `truth` holds, one for the others. `lower_branch` lowers the
    /// branch for true or for false.
    pub(super) fn branch(
        &mut self,
        truth: B,
        position: Position,
        mut lower_branch: impl FnMut(&mut Self, bool) -> LoweredValue,
    ) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        if let Some(known) = self.emit.known(truth) {
            return lower_branch(self, known);
        }
        let before = self.narrowed_types.clone();
        let mut ends = Vec::with_capacity(2);
        for holds in [true, false] {
            let mask =
                if holds { self.emit.and(active, truth) } else { self.emit.and_not(active, truth) };
            self.narrowed_types.clone_from(&before);
            self.active = Some(mask);
            let skip = self.emit.skip(mask);
            let value = lower_branch(self, holds);
            self.emit.end_skip(skip);
            // If the branch was skipped, its mask of lanes is stale.
            let end =
                self.active.map(|end| if end == mask { mask } else { self.emit.and(mask, end) });
            ends.push((mask, end, std::mem::take(&mut self.narrowed_types), value));
        }
        let (Some(no), Some(yes)) = (ends.pop(), ends.pop()) else {
            unreachable!("there are two branches");
        };
        let (yes_mask, yes_end, yes_types, yes) = yes;
        let (no_mask, no_end, no_types, no) = no;
        match (yes_end, no_end) {
            (None, None) => {
                self.active = None;
                LoweredValue::never()
            }
            (Some(_), None) => {
                (self.active, self.narrowed_types) = (yes_end, yes_types);
                yes
            }
            (None, Some(_)) => {
                (self.active, self.narrowed_types) = (no_end, no_types);
                no
            }
            (Some(a), Some(b)) => {
                let unchanged = a == yes_mask && b == no_mask;
                self.active = Some(if unchanged { active } else { self.emit.or(a, b) });
                self.narrowed_types = yes_types.joined(&no_types);
                self.merge(truth, yes, no, position)
            }
        }
    }

    /// Merges the values of two branches, lane by lane.
    pub(super) fn merge(
        &mut self,
        mask: B,
        yes: LoweredValue,
        no: LoweredValue,
        position: Position,
    ) -> LoweredValue {
        if let Some(text) = self.merge_texts(mask, &yes, &no) {
            return text;
        }
        let (yes, no) = match (yes, no) {
            (LoweredValue::Typed(yes), LoweredValue::Typed(no)) => (yes, no),
            // Findings are about all lanes.
            (_, LoweredValue::Interpreted) | (LoweredValue::Interpreted, _)
                if self.trial_world.is_some() =>
            {
                return LoweredValue::Interpreted;
            }
            // The other branch is faulted, and faulted lanes never read this. So the known value is kept.
            (value, LoweredValue::Interpreted) | (LoweredValue::Interpreted, value) => {
                return value;
            }
            (value, other) if other.is_never() => return value,
            (other, value) if other.is_never() => return value,
            (LoweredValue::Neighborhood(a), LoweredValue::Neighborhood(b)) if a == b => {
                return LoweredValue::Neighborhood(a);
            }
            (LoweredValue::Me, LoweredValue::Me) => return LoweredValue::Me,
            (LoweredValue::World, LoweredValue::World) => return LoweredValue::World,
            _ => return LoweredValue::Differing(position),
        };
        let mut types: Vec<Type> = yes.iter().chain(&no).map(|case| case.ty).collect();
        types.sort_unstable();
        types.dedup();
        let single = types.len() == 1;
        let cases = types
            .into_iter()
            .map(|ty| {
                let (a, b) = (find(&yes, ty), find(&no, ty));
                let at = match (a, b) {
                    (Some(a), Some(b)) => self.emit.select(mask, a.columns, b.columns),
                    (Some(one), None) | (None, Some(one)) => one.columns,
                    (None, None) => Columns::None,
                };
                let mask = (!single).then(|| {
                    let yes = a.map(|a| match a.mask {
                        Some(own) => self.emit.and(mask, own),
                        None => mask,
                    });
                    let not = b.map(|b| match b.mask {
                        Some(own) => self.emit.and_not(own, mask),
                        None => self.emit.not(mask),
                    });
                    match (yes, not) {
                        (Some(yes), Some(not)) => self.emit.or(yes, not),
                        (Some(one), None) | (None, Some(one)) => one,
                        (None, None) => mask,
                    }
                });
                TypeCase { ty, mask, columns: at }
            })
            .collect();
        LoweredValue::Typed(cases)
    }

    /// Lowers `return`: these lanes have their result, and leave all loops.
    fn leave_function(&mut self, value: &LoweredValue, position: Position) {
        let Some(active) = self.active else { return };
        let returned = self.frame().returned;
        if value.types().is_none() {
            let what = format!("returning {} before the end of a function", value.description());
            self.leave_with_help(&what, "return numbers, vectors, strings or agents", position);
            return;
        }
        self.assign_stored(returned, value, position);
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        if let Some(returned_lanes) = self.frame().returned_lanes {
            self.emit.blend(Columns::B(returned_lanes), Columns::B(yes), active);
        }
        let running: Vec<B> = self.frame().loops.iter().map(|inner| inner.running).collect();
        for running in running {
            self.emit.blend(Columns::B(running), Columns::B(no), active);
        }
        let now = std::mem::take(&mut self.narrowed_types);
        let frame = self.frame();
        frame.types_at_return = Some(match frame.types_at_return.take() {
            Some(ends) => now.joined(&ends),
            None => now,
        });
        frame.has_returned = true;
        self.active = None;
    }
}

fn find(cases: &[TypeCase], ty: Type) -> Option<TypeCase> {
    cases.iter().copied().find(|case| case.ty == ty)
}
