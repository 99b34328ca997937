//! Statements: what comes by which way, and what changes on it.

use std::rc::Rc;

use rhai::{ASTFlags, Expr, Position, Stmt};

use super::keys::Key;
use super::value::{Alt, Val};
use super::{Binding, Frame, Lower, Variable};
use crate::program::{B, Columns, Type};
use crate::script::compile::Script;
use crate::script::limits;

/// A name and where it is introduced.
pub(super) type Named<'n> = (&'n str, Position);

impl<'a> Lower<'a> {
    /// Takes in a function where it is called: its value for all lanes that return from it.
    pub(super) fn take_in(
        &mut self,
        script: &'a Script,
        name: &str,
        arguments: Vec<Val>,
        position: Position,
    ) -> Val {
        let Some(entered) = self.active else {
            return Val::never();
        };
        let is_outermost = self.frames.len() == 1 && position.is_none();
        if self.frames.iter().any(|frame| frame.name == name && std::ptr::eq(frame.script, script))
        {
            return self.slow("a function that calls itself", position);
        }
        if self.frames.len() > limits::MAX_CALL_DEPTH {
            return self.slow("calling this deep", position);
        }
        let digest = self.digests.of(script);
        let body = digest.body(name, arguments.len());
        let mut way = self.frame().way;
        if !is_outermost {
            way = self.seen.keys.way(way, spot(position));
        }
        // Cleared each time: the call may stand in a loop.
        let gone = body.has_return.then(|| {
            let gone = self.emit.b();
            let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
            self.emit.blend(Columns::B(gone), Columns::B(no), yes);
            gone
        });
        self.frames.push(Frame {
            script,
            digest,
            name: name.to_owned(),
            body: Some(Rc::clone(&body)),
            variables: Vec::new(),
            returned: self.seen.keys.id(Key::Returned(way)),
            gone,
            returns: false,
            ends: None,
            loops: Vec::new(),
            way,
        });
        for (name, value) in body.parameters.iter().zip(arguments) {
            self.introduce(name, value, Position::NONE);
        }
        let last = self.block(body.ast.statements());
        // Lanes that come to the end return what stood last.
        let (returned, returns) = {
            let frame = self.frame();
            (frame.returned, frame.returns)
        };
        let result = if !returns {
            last
        } else {
            if self.active.is_some() {
                self.assign_home(returned, &last, position);
            }
            let (now, ends) = (std::mem::take(&mut self.now), self.frame().ends.take());
            self.now = match ends {
                Some(ends) if self.active.is_some() => now.joined(&ends),
                Some(ends) => ends,
                None => now,
            };
            // All that came in are here again, or at fault.
            let gone = self.frame().gone;
            let reached = match (self.active, gone) {
                (Some(active), Some(gone)) => Some(self.emit.or(active, gone)),
                (active, gone) => active.or(gone),
            };
            if let Some(reached) = reached {
                let active = self.emit.and_not(entered, reached);
                self.emit.fault(active);
            }
            self.active = Some(entered);
            self.read_home(returned)
        };
        self.frames.pop();
        result
    }

    /// Statements one after another; the value of the last.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Val {
        let outer = self.frame().variables.len();
        let mut value = Val::nothing();
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
            value = Val::never();
        }
        self.frame().variables.truncate(outer);
        value
    }

    /// A new variable with its first value.
    fn introduce(&mut self, name: &str, value: Val, position: Position) {
        let active = self.active;
        let loops = self.frame().loops.len();
        let way = self.frame().way;
        let Frame { body, digest, .. } = self.frame();
        let is_assigned = body.as_ref().is_some_and(|body| body.assigned.contains(name))
            || digest.is_captured(name);
        let binding = if !is_assigned {
            Binding::Fixed(value)
        } else if value.types().is_some() {
            let key = Key::Variable(way, spot(position), name.to_owned());
            let id = self.seen.keys.id(key);
            self.assign_home(id, &value, position);
            Binding::Home(id)
        } else {
            Binding::Known(value, active, loops)
        };
        let place = self.frame().variables.len();
        let id = self.seen.keys.id(Key::Fixed(way, place, name.to_owned()));
        self.frame().variables.push(Variable { name: name.to_owned(), is: binding, id });
        // What is known of another of this name has nothing to do with it.
        self.now.remove(id);
    }

    pub(super) fn introduce_named(&mut self, (name, position): Named<'_>, value: Val) {
        self.introduce(name, value, position);
    }

    fn statement(&mut self, statement: &Stmt) -> Val {
        self.nodes += 1;
        self.within(|this| this.statement_within(statement))
    }

    fn statement_within(&mut self, statement: &Stmt) -> Val {
        match statement {
            // What a closure captures is noted before it; the closure itself is left to the interpreter.
            Stmt::Noop(_) | Stmt::Share(_) => Val::nothing(),
            Stmt::Expr(expression) => self.expression(expression),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::FnCall(call, position) => self.function_call(call, *position),
            Stmt::Var(var, _, position) => {
                let (name, expression, _) = &**var;
                let value = self.expression(expression);
                if self.active.is_some() {
                    self.introduce(&name.name, value, *position);
                }
                Val::nothing()
            }
            Stmt::Assignment(assignment) => {
                let (operator, sides) = &**assignment;
                let operator = operator.get_op_assignment_info().map(|(_, _, _, _, _, name)| name);
                self.assignment(operator, &sides.lhs, &sides.rhs);
                Val::nothing()
            }
            Stmt::If(flow, _) => {
                self.if_else(&flow.expr, flow.body.statements(), flow.branch.statements())
            }
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
                    return self.slow("a loop with a value", *position);
                }
                self.leave_loop(flags.contains(ASTFlags::BREAK));
                Val::never()
            }
            Stmt::Return(value, flags, position) => {
                if flags.contains(ASTFlags::BREAK) {
                    return self.slow("`throw`", *position);
                }
                let value = match value {
                    Some(value) => self.expression(value),
                    None => Val::nothing(),
                };
                self.leave_function(&value, *position);
                Val::never()
            }
            Stmt::Switch(switch, position) => self.switch(&switch.0, &switch.1, *position),
            Stmt::Do(flow, flags, _) => {
                let until = flags.contains(ASTFlags::NEGATED);
                self.do_loop(&flow.expr, flow.body.statements(), until)
            }
            Stmt::TryCatch(_, position) => self.slow("`try`", *position),
            other => self.slow("this statement", other.position()),
        }
    }

    /// `if` as statement or expression.
    fn if_else(&mut self, condition: &Expr, then: &[Stmt], other: &[Stmt]) -> Val {
        let Some(truth) = self.truth(condition) else {
            return Val::never();
        };
        self.either(truth, condition.position(), |this, holds| {
            this.learn(condition, holds);
            this.block(if holds { then } else { other })
        })
    }

    /// One way for some lanes and another for the others; `way` takes in the one for which the truth
    /// holds, and the other.
    pub(super) fn either(
        &mut self,
        truth: B,
        position: Position,
        mut way: impl FnMut(&mut Self, bool) -> Val,
    ) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        if let Some(known) = self.emit.known(truth) {
            return way(self, known);
        }
        let before = self.now.clone();
        let mut ends = Vec::with_capacity(2);
        for holds in [true, false] {
            let mask =
                if holds { self.emit.and(active, truth) } else { self.emit.and_not(active, truth) };
            self.now.clone_from(&before);
            self.active = Some(mask);
            let skip = self.emit.skip(mask);
            let value = way(self, holds);
            self.emit.land(skip);
            // Where all of this was skipped, what it left of the lanes is stale.
            let end =
                self.active.map(|end| if end == mask { mask } else { self.emit.and(mask, end) });
            ends.push((mask, end, std::mem::take(&mut self.now), value));
        }
        let (Some(no), Some(yes)) = (ends.pop(), ends.pop()) else {
            unreachable!("there are two ways");
        };
        let (yes_mask, yes_end, yes_now, yes) = yes;
        let (no_mask, no_end, no_now, no) = no;
        match (yes_end, no_end) {
            (None, None) => {
                self.active = None;
                Val::never()
            }
            (Some(_), None) => {
                (self.active, self.now) = (yes_end, yes_now);
                yes
            }
            (None, Some(_)) => {
                (self.active, self.now) = (no_end, no_now);
                no
            }
            (Some(a), Some(b)) => {
                let unchanged = a == yes_mask && b == no_mask;
                self.active = Some(if unchanged { active } else { self.emit.or(a, b) });
                self.now = yes_now.joined(&no_now);
                self.merge(truth, yes, no, position)
            }
        }
    }

    /// One value or the other, lane by lane.
    pub(super) fn merge(&mut self, mask: B, yes: Val, no: Val, position: Position) -> Val {
        let (yes, no) = match (yes, no) {
            (Val::Alts(yes), Val::Alts(no)) => (yes, no),
            // Who knows more is not among those who look.
            (value, Val::Any) | (Val::Any, value) => return value,
            (value, other) if other.is_never() => return value,
            (other, value) if other.is_never() => return value,
            (Val::Near(a), Val::Near(b)) if a == b => return Val::Near(a),
            (Val::Me, Val::Me) => return Val::Me,
            (Val::World, Val::World) => return Val::World,
            _ => return Val::Mixed(position),
        };
        let mut types: Vec<Type> = yes.iter().chain(&no).map(|alt| alt.is).collect();
        types.sort_unstable();
        types.dedup();
        let single = types.len() == 1;
        let alts = types
            .into_iter()
            .map(|is| {
                let (a, b) = (find(&yes, is), find(&no, is));
                let at = match (a, b) {
                    (Some(a), Some(b)) => self.emit.select(mask, a.at, b.at),
                    (Some(one), None) | (None, Some(one)) => one.at,
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
                Alt { is, mask, at }
            })
            .collect();
        Val::Alts(alts)
    }

    /// `return`: these lanes have their value, and leave all loops.
    fn leave_function(&mut self, value: &Val, position: Position) {
        let Some(active) = self.active else { return };
        let returned = self.frame().returned;
        if value.types().is_none() {
            self.slow("returning this before the end", position);
            return;
        }
        self.assign_home(returned, value, position);
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        if let Some(gone) = self.frame().gone {
            self.emit.blend(Columns::B(gone), Columns::B(yes), active);
        }
        let running: Vec<B> = self.frame().loops.iter().map(|inner| inner.running).collect();
        for running in running {
            self.emit.blend(Columns::B(running), Columns::B(no), active);
        }
        let now = std::mem::take(&mut self.now);
        let frame = self.frame();
        frame.ends = Some(match frame.ends.take() {
            Some(ends) => now.joined(&ends),
            None => now,
        });
        frame.returns = true;
        self.active = None;
    }
}

fn find(alts: &[Alt], is: Type) -> Option<Alt> {
    alts.iter().copied().find(|alt| alt.is == is)
}

fn spot(position: Position) -> (u16, u16) {
    (position.line().unwrap_or(0) as u16, position.position().unwrap_or(0) as u16)
}
