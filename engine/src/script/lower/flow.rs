//! Statements: what comes by which way, and what changes on it.

use std::collections::BTreeSet;

use rhai::{ASTFlags, ASTNode, Expr, FlowControl, Position, Stmt};

use super::value::{Alt, Val};
use super::{Binding, Frame, Home, Key, Known, Loop, Lower, Variable};
use crate::diag::Diagnostic;
use crate::program::{B, Cmp, Columns, CommonI, I, I2, Op, StateSlot, Type, V};
use crate::script::compile::Script;
use crate::script::limits;

/// An array at most this long is gone through one element after the other as if written out.
const MOST_WRITTEN_OUT: usize = 64;

/// The interpreter counts at most so many steps for each part of a script, so that whoever stays within
/// the limit by this count also does by that one.
const STEPS_PER_NODE: usize = 4;

/// A loop while its rounds are taken in.
struct Round {
    /// The lanes that are still in it.
    running: B,
    /// Those that have left more than this loop when they were asked whether to go on.
    away: B,
}

/// A name and where it is introduced.
type Named<'n> = (&'n str, Position);

/// Whether a script, or one that it imports, sets the velocity anywhere.
pub(super) fn sets_vel(script: &Script) -> bool {
    let mut found = false;
    script.ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && let Expr::Dot(dot, ..) = &assignment.1.lhs
            && let Some("vel") = first_property(&dot.rhs)
        {
            found = true;
        }
        !found
    });
    found || script.modules.iter().any(|(_, module)| sets_vel(module))
}

/// Whether a script, or one that it imports, sets a state anywhere: also where nothing is lowered.
fn may_set(script: &Script, state: &str) -> bool {
    let mut found = false;
    script.ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() {
            let mut target = &assignment.1.lhs;
            let mut is_state = false;
            while let Expr::Dot(parts, ..) | Expr::Index(parts, ..) = target {
                let next = match &parts.rhs {
                    Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
                    last => last,
                };
                match next {
                    Expr::Property(property, _) if is_state => found |= property.2 == state,
                    Expr::StringConstant(name, _) if is_state => found |= *name == state,
                    // A name that is made when it runs may be any.
                    Expr::Property(..) => {}
                    _ if is_state => found = true,
                    _ => {}
                }
                is_state = matches!(next, Expr::Property(property, _) if property.2 == "state");
                target = &parts.rhs;
            }
        }
        !found
    });
    found
        || script
            .modules
            .iter()
            .any(|(_, module)| may_set(module, state))
}

fn first_property(rhs: &Expr) -> Option<&str> {
    match rhs {
        Expr::Property(property, _) => Some(property.2.as_str()),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => first_property(&dot.lhs),
        _ => None,
    }
}

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
        if self
            .frames
            .iter()
            .any(|frame| frame.name == name && std::ptr::eq(frame.script, script))
        {
            return self.slow("a function that calls itself", position);
        }
        if self.frames.len() > limits::CALLS {
            return self.slow("calling this deep", position);
        }
        let parameters: Vec<String> = script.parameters(name, arguments.len());
        let ast = script.body(name, arguments.len());
        let mut path = self.frame().path.clone();
        if !is_outermost {
            path.push(spot(position));
        }
        let mut frame = Frame::new(script, name.to_owned(), path);
        let mut has_return = false;
        ast.walk(&mut |path| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Return(..))) => has_return = true,
                Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                    frame.assigned.extend(root(&assignment.1.lhs));
                }
                Some(ASTNode::Expr(Expr::Dot(dot, ..))) if changes(&dot.rhs) => {
                    frame.assigned.extend(root(&dot.lhs));
                }
                _ => {}
            }
            true
        });
        if has_return {
            // Cleared each time: the call may stand in a loop.
            let gone = self.emit.b();
            let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
            self.emit.blend(Columns::B(gone), Columns::B(no), yes);
            frame.gone = Some(gone);
        }
        self.frames.push(frame);
        for (name, value) in parameters.into_iter().zip(arguments) {
            self.introduce(&name, value, Position::NONE);
        }
        let last = self.block(ast.statements());
        // Lanes that come to the end return what stood last.
        let (returned, returns) = {
            let frame = self.frame();
            (frame.returned.clone(), frame.returns)
        };
        let result = if !returns {
            last
        } else {
            if self.active.is_some() {
                self.assign_home(&returned, &last, position);
            }
            let (now, ends) = (std::mem::take(&mut self.now), self.frame().ends.take());
            self.now = match ends {
                Some(ends) if self.active.is_some() => joined(now, ends),
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
                self.emit.op(Op::Fault { active });
            }
            self.active = Some(entered);
            self.read_home(&returned)
        };
        self.frames.pop();
        result
    }

    /// Statements one after another; the value of the last.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Val {
        let outer = self.frame().variables.len();
        let mut value = Val::nothing();
        for statement in statements {
            if self.active.is_none() {
                break;
            }
            value = self.statement(statement);
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
        let binding = if !self.frame().assigned.contains(name) {
            Binding::Fixed(value)
        } else if value.types().is_some() {
            let (line, column) = spot(position);
            let path = self.frame().path.clone();
            let key = Key::Variable(path, line, column, name.to_owned());
            self.assign_home(&key, &value, position);
            Binding::Home(key)
        } else {
            Binding::Known(value, active, loops)
        };
        self.frame().variables.push(Variable {
            name: name.to_owned(),
            is: binding,
        });
        // What is known of another of this name has nothing to do with it.
        let key = self.fixed_key(name);
        self.now.remove(&key);
    }

    fn introduce_named(&mut self, (name, position): Named<'_>, value: Val) {
        self.introduce(name, value, position);
    }

    fn statement(&mut self, statement: &Stmt) -> Val {
        self.nodes += 1;
        if self.nodes > super::MOST_NODES || self.emit.is_full() {
            return self.slow("the length of all this together", statement.position());
        }
        match statement {
            Stmt::Noop(_) => Val::nothing(),
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
                let operator = operator
                    .get_op_assignment_info()
                    .map(|(_, _, _, _, _, name)| name);
                self.assignment(operator, &sides.lhs, &sides.rhs);
                Val::nothing()
            }
            Stmt::If(flow, _) => {
                self.if_else(&flow.expr, flow.body.statements(), flow.branch.statements())
            }
            Stmt::While(flow, _) => self.while_loop(&flow.expr, flow.body.statements()),
            Stmt::For(inner, _) => {
                let (variable, counter, flow) = &**inner;
                let counter = counter
                    .as_ref()
                    .map(|counter| (counter.name.as_str(), counter.pos));
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
            let mask = if holds {
                self.emit.and(active, truth)
            } else {
                self.emit.and_not(active, truth)
            };
            self.now.clone_from(&before);
            self.active = Some(mask);
            let skip = self.emit.skip(mask);
            let value = way(self, holds);
            self.emit.land(skip);
            // Where all of this was skipped, what it left of the lanes is stale.
            let end = self.active.map(|end| {
                if end == mask {
                    mask
                } else {
                    self.emit.and(mask, end)
                }
            });
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
                self.active = Some(if unchanged {
                    active
                } else {
                    self.emit.or(a, b)
                });
                self.now = joined(yes_now, no_now);
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

    // Loops.

    /// Lets lanes go round until none is left: `head` says which go on, `tail` follows each round.
    fn go_round(
        &mut self,
        condition: Option<&Expr>,
        body: &[Stmt],
        mut head: impl FnMut(&mut Self) -> Option<B>,
        mut before: impl FnMut(&mut Self),
        mut after: impl FnMut(&mut Self, &Round),
    ) {
        let Some(entered) = self.active else { return };
        self.forget(condition, body);
        let known = self.now.clone();
        let nodes = self.nodes;
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        let running = self.emit.b();
        self.emit
            .blend(Columns::B(running), Columns::B(entered), yes);
        let away = self.emit.b();
        self.emit.blend(Columns::B(away), Columns::B(no), yes);
        let round = Round { running, away };
        let start = self.emit.here();
        self.emit.op(Op::Unfaulted {
            to: running,
            a: running,
        });
        let end = self.emit.skip(running);
        let cost = self.emit.i();
        let set_cost = self.emit.here();
        self.emit.op(Op::ConstI { to: cost, value: 0 });
        self.count(cost, running);
        let asked = self.emit.b();
        self.emit.blend(Columns::B(asked), Columns::B(running), yes);
        self.active = Some(asked);
        let Some(go_on) = head(self) else {
            self.emit.land(end);
            return;
        };
        self.lose(asked, &round);
        let stop = self.emit.and_not(running, go_on);
        self.emit.blend(Columns::B(running), Columns::B(no), stop);
        let out = self.emit.skip(running);
        let inside = self.emit.b();
        self.emit
            .blend(Columns::B(inside), Columns::B(running), yes);
        self.active = Some(inside);
        before(self);
        self.frame().loops.push(Loop { running });
        self.block(body);
        self.frame().loops.pop();
        after(self, &round);
        self.emit.op(Op::Jump { to: start });
        self.emit.land(end);
        self.emit.land(out);
        let steps = (self.nodes - nodes + 4) * STEPS_PER_NODE;
        if let Op::ConstI { value, .. } = &mut self.emit.program.body[set_cost] {
            *value = steps as i64;
        }
        self.now = known;
        let gone = self.frame().gone;
        let still = self.emit.and_not(entered, away);
        self.active = Some(match gone {
            Some(gone) => self.emit.and_not(still, gone),
            None => still,
        });
    }

    /// Takes those out of a loop who were asked whether to go on and did not come back: who returned, or
    /// left a loop further out.
    fn lose(&mut self, asked: B, round: &Round) {
        let lost = match self.active {
            Some(back) if back == asked => return,
            Some(back) => self.emit.and_not(asked, back),
            None => asked,
        };
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        self.emit
            .blend(Columns::B(round.running), Columns::B(no), lost);
        self.emit
            .blend(Columns::B(round.away), Columns::B(yes), lost);
    }

    /// Counts steps; who does too many ends up with the interpreter, which counts exactly.
    fn count(&mut self, cost: I, running: B) {
        let steps = match self.steps {
            Some(steps) => steps,
            None => {
                let steps = self.emit.i();
                self.emit.at_start(Op::ConstI {
                    to: steps,
                    value: 0,
                });
                self.steps = Some(steps);
                steps
            }
        };
        let more = self.emit.i2(I2::Add, steps, cost, running);
        self.emit
            .blend(Columns::I(steps), Columns::I(more), running);
        let most = self.emit.const_i(limits::OPERATIONS as i64);
        let over = self.emit.cmp_i(Cmp::Gt, more, most);
        let active = self.emit.and(over, running);
        self.emit.op(Op::Fault { active });
    }

    fn while_loop(&mut self, condition: &Expr, body: &[Stmt]) -> Val {
        let always = matches!(condition, Expr::Unit(_) | Expr::BoolConstant(true, _));
        self.go_round(
            Some(condition),
            body,
            |this| {
                if always {
                    Some(this.emit.const_b(true))
                } else {
                    this.truth(condition)
                }
            },
            |_| {},
            |_, _| {},
        );
        Val::nothing()
    }

    /// A loop that asks after each round; `continue` goes round without being asked.
    fn do_loop(&mut self, condition: &Expr, body: &[Stmt], until: bool) -> Val {
        self.go_round(
            Some(condition),
            body,
            |this| Some(this.emit.const_b(true)),
            |_| {},
            |this, round| {
                let Some(asked) = this.active else { return };
                let truth = this.truth(condition);
                this.lose(asked, round);
                let (Some(truth), Some(back)) = (truth, this.active) else {
                    return;
                };
                let stop = if until {
                    this.emit.and(back, truth)
                } else {
                    this.emit.and_not(back, truth)
                };
                let no = this.emit.const_b(false);
                this.emit
                    .blend(Columns::B(round.running), Columns::B(no), stop);
            },
        );
        Val::nothing()
    }

    fn for_loop(
        &mut self,
        variable: Named<'_>,
        counter: Option<Named<'_>>,
        flow: &FlowControl,
    ) -> Val {
        let over = self.expression(&flow.expr);
        let Some(active) = self.active else {
            return Val::never();
        };
        let body = flow.body.statements();
        let names = (variable, counter);
        match over {
            Val::Range {
                from,
                to,
                inclusive,
            } => {
                let last = if inclusive { Cmp::Le } else { Cmp::Lt };
                self.counted(names, body, (from, to, last), |_, at| Val::whole(at));
            }
            Val::Near(near) => {
                let list = self.emit.program.lists as u16;
                self.emit.program.lists += 1;
                let count = self.emit.i();
                self.emit.op(Op::List {
                    near,
                    list,
                    count,
                    active,
                });
                let zero = self.emit.const_i(0);
                self.counted(names, body, (zero, count, Cmp::Lt), |this, at| {
                    let row = this.emit.i();
                    this.emit.op(Op::Listed { list, at, row });
                    Val::one(Type::Agent, Columns::I(row))
                });
            }
            Val::Obstacles => {
                let zero = self.emit.const_i(0);
                let count = self.emit.common_i(CommonI::Obstacles);
                self.counted(names, body, (zero, count, Cmp::Lt), |_, at| {
                    Val::one(Type::Obstacle, Columns::I(at))
                });
            }
            Val::List(items) if items.len() <= MOST_WRITTEN_OUT => {
                self.written_out(names, body, items.to_vec());
            }
            Val::Constant(pick) if pick.at.is_none() => {
                let items: Option<rhai::Array> = pick
                    .among
                    .first()
                    .and_then(|value| value.read_lock::<rhai::Array>().map(|a| a.clone()));
                match items {
                    Some(items) if items.len() <= MOST_WRITTEN_OUT => {
                        let items = items.iter().map(|item| self.constant(item)).collect();
                        self.written_out(names, body, items);
                    }
                    _ => return self.slow("a loop over this", flow.expr.position()),
                }
            }
            Val::Any => self.written_out(names, body, vec![Val::Any]),
            Val::Alts(alts) if alts.is_empty() => return Val::never(),
            Val::Alts(_) => {
                let what = Diagnostic::error("a `for` loop cannot go through this")
                    .help("it can go through neighbourhoods, arrays and ranges like `0..10`");
                return self.fails(what, flow.expr.position());
            }
            _ => return self.slow("a loop over this", flow.expr.position()),
        }
        Val::nothing()
    }

    /// A loop with a count: from, to, and how the count compares to the end while it goes on.
    fn counted(
        &mut self,
        (variable, counter): (Named<'_>, Option<Named<'_>>),
        body: &[Stmt],
        (from, to, while_it): (I, I, Cmp),
        value: impl Fn(&mut Self, I) -> Val,
    ) {
        let (always, one) = (self.emit.const_b(true), self.emit.const_i(1));
        let at = self.emit.i();
        self.emit.blend(Columns::I(at), Columns::I(from), always);
        let to = match self.emit.copy(Columns::I(to)) {
            Columns::I(to) => to,
            _ => to,
        };
        let variables = self.frame().variables.len();
        self.go_round(
            None,
            body,
            |this| Some(this.emit.cmp_i(while_it, at, to)),
            |this| {
                this.frame().variables.truncate(variables);
                if let Some(counter) = counter {
                    let active = this.active.unwrap_or(always);
                    let n = this.emit.i2(I2::Sub, at, from, active);
                    this.introduce_named(counter, Val::whole(n));
                }
                let own = match this.emit.copy(Columns::I(at)) {
                    Columns::I(own) => own,
                    _ => at,
                };
                let value = value(this, own);
                this.introduce_named(variable, value);
            },
            |this, Round { running, .. }| {
                let running = *running;
                let next = this.emit.i2(I2::Add, at, one, running);
                this.emit.blend(Columns::I(at), Columns::I(next), running);
            },
        );
        self.frame().variables.truncate(variables);
    }

    /// A loop over what is known: the body once for each element.
    fn written_out(
        &mut self,
        (variable, counter): (Named<'_>, Option<Named<'_>>),
        body: &[Stmt],
        items: Vec<Val>,
    ) {
        let Some(entered) = self.active else { return };
        let yes = self.emit.const_b(true);
        let running = self.emit.b();
        self.emit
            .blend(Columns::B(running), Columns::B(entered), yes);
        self.frame().loops.push(Loop { running });
        let variables = self.frame().variables.len();
        self.forget(None, body);
        let known = self.now.clone();
        let mut ends = Vec::new();
        for (place, item) in items.into_iter().enumerate() {
            self.emit.op(Op::Unfaulted {
                to: running,
                a: running,
            });
            ends.push(self.emit.skip(running));
            let inside = self.emit.b();
            self.emit
                .blend(Columns::B(inside), Columns::B(running), yes);
            self.active = Some(inside);
            if let Some(counter) = counter {
                let place = self.emit.const_i(place as i64);
                self.introduce_named(counter, Val::whole(place));
            }
            self.introduce_named(variable, item);
            self.block(body);
            self.frame().variables.truncate(variables);
            self.now = known.clone();
        }
        self.frame().loops.pop();
        for end in ends {
            self.emit.land(end);
        }
        let gone = self.frame().gone;
        self.active = Some(match gone {
            Some(gone) => self.emit.and_not(entered, gone),
            None => entered,
        });
    }

    /// `break` or `continue`.
    fn leave_loop(&mut self, is_break: bool) {
        let (Some(active), Some(inner)) = (self.active, self.frame().loops.last()) else {
            return;
        };
        let running = inner.running;
        if is_break {
            let no = self.emit.const_b(false);
            self.emit.blend(Columns::B(running), Columns::B(no), active);
        }
        self.active = None;
    }

    /// `return`: these lanes have their value, and leave all loops.
    fn leave_function(&mut self, value: &Val, position: Position) {
        let Some(active) = self.active else { return };
        let returned = self.frame().returned.clone();
        if value.types().is_none() {
            self.slow("returning this before the end", position);
            return;
        }
        self.assign_home(&returned, value, position);
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        if let Some(gone) = self.frame().gone {
            self.emit.blend(Columns::B(gone), Columns::B(yes), active);
        }
        let running: Vec<B> = self
            .frame()
            .loops
            .iter()
            .map(|inner| inner.running)
            .collect();
        for running in running {
            self.emit.blend(Columns::B(running), Columns::B(no), active);
        }
        let now = std::mem::take(&mut self.now);
        let frame = self.frame();
        frame.ends = Some(match frame.ends.take() {
            Some(ends) => joined(now, ends),
            None => now,
        });
        frame.returns = true;
        self.active = None;
    }

    // What changes.

    /// Forgets what is known now of whatever the statements may change.
    fn forget(&mut self, condition: Option<&Expr>, statements: &[Stmt]) {
        let mut changed: BTreeSet<String> = BTreeSet::new();
        let mut path = Vec::new();
        let mut see = |path: &[ASTNode<'_>]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                    changed.extend(root(&assignment.1.lhs));
                }
                Some(ASTNode::Expr(Expr::Dot(dot, ..))) if changes(&dot.rhs) => {
                    changed.extend(root(&dot.lhs));
                }
                _ => {}
            }
            true
        };
        for statement in statements {
            statement.walk(&mut path, &mut see);
        }
        if let Some(condition) = condition {
            condition.walk(&mut path, &mut see);
        }
        let keys: Vec<Key> = self
            .frame()
            .variables
            .iter()
            .filter(|variable| changed.contains(&variable.name))
            .filter_map(|variable| match &variable.is {
                Binding::Home(key) => Some(key.clone()),
                _ => None,
            })
            .collect();
        let gone = self.frame().returned.clone();
        self.now
            .retain(|key, _| !keys.contains(key) && *key != gone && !matches!(key, Key::State(_)));
    }

    /// Gives something a new value in the lanes that get here.
    pub(super) fn assign_home(&mut self, key: &Key, value: &Val, position: Position) {
        let Some(active) = self.active else { return };
        if matches!(value, Val::Any) {
            self.seen.any.insert(key.clone());
            self.now.insert(key.clone(), BTreeSet::new());
            return;
        }
        let Val::Alts(alts) = value else {
            self.slow("keeping this in a variable that changes", position);
            return;
        };
        let types: BTreeSet<Type> = alts.iter().map(|alt| alt.is).collect();
        self.seen
            .types
            .entry(key.clone())
            .or_default()
            .extend(&types);
        let home = self.home(key);
        for alt in alts {
            let mask = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
            let Some(tag) = home.tag_of(alt.is) else {
                continue;
            };
            let tag = self.emit.const_i(tag);
            self.emit.blend(Columns::I(home.tag), Columns::I(tag), mask);
            let to = home
                .columns
                .iter()
                .find(|(is, _)| *is == alt.is)
                .map_or(Columns::None, |(_, columns)| *columns);
            self.emit.blend(to, alt.at, mask);
        }
        self.now.insert(key.clone(), types);
    }

    /// What something has by now.
    pub(super) fn read_home(&mut self, key: &Key) -> Val {
        let home: Home = self.home(key);
        let possible = self.now.get(key).cloned();
        let types: Vec<(Type, Columns)> = home
            .columns
            .iter()
            .filter(|(is, _)| possible.as_ref().is_none_or(|types| types.contains(is)))
            .copied()
            .collect();
        let is_state = matches!(key, Key::State(_));
        if types.is_empty() && self.seen.any.contains(key) {
            return Val::Any;
        }
        let single = types.len() == 1 && (!is_state || possible.is_some());
        let alts = types
            .into_iter()
            .map(|(is, columns)| {
                let mask = (!single).then(|| {
                    let tag = home.tag_of(is).unwrap_or(StateSlot::ABSENT);
                    let tag = self.emit.const_i(tag);
                    self.emit.cmp_i(Cmp::Eq, home.tag, tag)
                });
                Alt {
                    is,
                    mask,
                    at: self.emit.copy(columns),
                }
            })
            .collect();
        Val::Alts(alts)
    }

    fn assignment(&mut self, operator: Option<&str>, target: &Expr, expression: &Expr) {
        let new = self.expression(expression);
        if self.active.is_none() {
            return;
        }
        let position = target.position();
        match target {
            Expr::Variable(variable, ..) => {
                let name = variable.1.to_string();
                let new = match operator {
                    Some(operator) => {
                        let old = self.variable(&name, target.position());
                        self.binary(operator, old, new, position)
                    }
                    None => new,
                };
                self.assign_variable(&name, new, position);
            }
            Expr::Dot(dot, ..) => {
                let Expr::Variable(variable, ..) = &dot.lhs else {
                    self.slow("changing this", position);
                    return;
                };
                let name = variable.1.to_string();
                let base = self.variable(&name, dot.lhs.position());
                self.assign_part(&name, base, &dot.rhs, operator, new, position);
            }
            _ => {
                self.slow("changing an element", position);
            }
        }
    }

    fn assign_variable(&mut self, name: &str, new: Val, position: Position) {
        let Some(active) = self.active else { return };
        let loops = self.frame().loops.len();
        let found = self
            .frame()
            .variables
            .iter()
            .rposition(|variable| variable.name == name);
        let Some(place) = found else {
            self.slow("changing this", position);
            return;
        };
        match self.frame().variables[place].is.clone() {
            Binding::Home(key) => self.assign_home(&key, &new, position),
            Binding::Known(_, then, depth) if then == Some(active) && depth == loops => {
                if new.types().is_some() {
                    self.slow("a variable that is first this and then that", position);
                } else {
                    self.frame().variables[place].is = Binding::Known(new, then, depth);
                }
            }
            _ => {
                self.slow("changing this only for some agents", position);
            }
        }
    }

    /// `name.part = new`, where the part may be a part of a part.
    fn assign_part(
        &mut self,
        name: &str,
        base: Val,
        part: &Expr,
        operator: Option<&str>,
        new: Val,
        position: Position,
    ) {
        match (&base, part) {
            (Val::Me, Expr::Property(property, _)) if property.2 == "vel" => {
                let new = self.updated(operator, &base, part, new, position);
                self.set_vel(&new, part.position());
            }
            (Val::Me, Expr::Dot(dot, ..)) => match (&dot.lhs, &dot.rhs) {
                (Expr::Property(first, _), Expr::Dot(inner, ..)) if first.2 == "state" => {
                    let (Expr::Property(state, at), Expr::Property(axis, _)) =
                        (&inner.lhs, &inner.rhs)
                    else {
                        self.slow("changing a part of a state", inner.lhs.position());
                        return;
                    };
                    let old = self.read_state(&state.2, *at);
                    let new = self.with_axis(&old, &axis.2, operator, new, *at);
                    self.set_state(&state.2, &new, *at);
                }
                (Expr::Property(first, _), rest) if first.2 == "state" => {
                    let Expr::Property(state, at) = rest else {
                        self.slow("changing a part of a state", rest.position());
                        return;
                    };
                    let state = state.2.to_string();
                    let new = match operator {
                        Some(operator) => {
                            let old = self.read_state(&state, *at);
                            self.binary(operator, old, new, position)
                        }
                        None => new,
                    };
                    self.set_state(&state, &new, *at);
                }
                (Expr::Property(first, _), Expr::Property(axis, at)) if first.2 == "vel" => {
                    let old = Val::vector(self.vel());
                    let new = self.with_axis(&old, &axis.2, operator, new, *at);
                    self.set_vel(&new, *at);
                }
                _ => {
                    self.slow("changing this", position);
                }
            },
            (Val::Alts(_), Expr::Property(axis, at)) => {
                let new = self.with_axis(&base, &axis.2, operator, new, *at);
                if self.active.is_some() {
                    self.assign_variable(name, new, position);
                }
            }
            _ => {
                self.slow("changing this", position);
            }
        }
    }

    fn updated(
        &mut self,
        operator: Option<&str>,
        base: &Val,
        part: &Expr,
        new: Val,
        position: Position,
    ) -> Val {
        match (operator, part) {
            (Some(operator), Expr::Property(property, at)) => {
                let old = self.property(base, &property.2, *at);
                self.binary(operator, old, new, position)
            }
            _ => new,
        }
    }

    /// A vector with another x or y.
    fn with_axis(
        &mut self,
        base: &Val,
        axis: &str,
        operator: Option<&str>,
        new: Val,
        position: Position,
    ) -> Val {
        let Some(V(x, y)) = self.as_vector(base, "this", position) else {
            return Val::never();
        };
        let new = match operator {
            Some(operator) => {
                let old = Val::number(if axis == "x" { x } else { y });
                self.binary(operator, old, new, position)
            }
            None => new,
        };
        let Some(new) = self.as_number(&new, "this", position) else {
            return Val::never();
        };
        match axis {
            "x" => self.finite(V(new, y)),
            "y" => self.finite(V(x, new)),
            _ => {
                let what = Diagnostic::error(format!("a vector has no `{axis}`"));
                self.fails(what.suggest(axis, ["x", "y"]), position)
            }
        }
    }

    /// The agent's own velocity by now.
    pub(super) fn vel(&mut self) -> V {
        if !self.sets_vel {
            return self.vel;
        }
        match self.emit.copy(Columns::V(self.vel)) {
            Columns::V(vel) => vel,
            _ => self.vel,
        }
    }

    fn set_vel(&mut self, new: &Val, position: Position) {
        let Some(new) = self.as_vector(new, "`me.vel`", position) else {
            return;
        };
        if let Some(active) = self.active {
            self.emit
                .blend(Columns::V(self.vel), Columns::V(new), active);
        }
    }

    pub(super) fn read_state(&mut self, name: &str, position: Position) -> Val {
        let key = Key::State(name.to_owned());
        let Some(active) = self.active else {
            return Val::never();
        };
        let names: Vec<String> = self.states();
        let is_set = self
            .seen
            .types
            .get(&key)
            .is_some_and(|types| !types.is_empty());
        let outermost = self.frames[0].script;
        if !is_set && (self.seen.any.contains(&key) || may_set(outermost, name)) {
            return self.slow("what this state holds", position);
        }
        if !is_set {
            let what = Diagnostic::error(format!("`me.state.{name}` has not been set"))
                .suggest(name, names.iter().map(String::as_str))
                .help("give it a first value in `fn init(me)`");
            return self.fails(what, position);
        }
        let value = self.read_home(&key);
        if !self.now.contains_key(&key) {
            let home = self.home(&key);
            let absent = self.emit.const_i(StateSlot::ABSENT);
            let missing = self.emit.cmp_i(Cmp::Eq, home.tag, absent);
            let active = self.emit.and(active, missing);
            self.emit.op(Op::Fault { active });
        }
        value
    }

    /// The names of all states that are set anywhere.
    fn states(&self) -> Vec<String> {
        let states = self.seen.types.keys();
        states
            .filter_map(|key| match key {
                Key::State(name) => Some(name.clone()),
                _ => None,
            })
            .collect()
    }

    fn set_state(&mut self, name: &str, value: &Val, position: Position) {
        if value.types().is_none() {
            self.seen.any.insert(Key::State(name.to_owned()));
            self.slow("keeping this in a state", position);
            return;
        }
        let active = self.active;
        // Numbers that are kept must be finite.
        if let Val::Alts(alts) = value {
            for alt in alts {
                if let (Columns::F(x), Some(active)) = (alt.at, active) {
                    let active = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
                    self.emit.op(Op::Finite { a: V(x, x), active });
                }
                if matches!(alt.is, Type::Obstacle | Type::Path) {
                    self.seen.any.insert(Key::State(name.to_owned()));
                    self.slow("keeping this in a state", position);
                    return;
                }
            }
        }
        let key = Key::State(name.to_owned());
        self.assign_home(&key, value, position);
        if let Some(slot) = self.state.iter_mut().find(|slot| *slot.name == *name) {
            slot.written = true;
        }
    }
}

fn find(alts: &[Alt], is: Type) -> Option<Alt> {
    alts.iter().copied().find(|alt| alt.is == is)
}

/// What is known where two ways meet: the types of either.
pub(super) fn joined(a: Known, mut b: Known) -> Known {
    let mut both = Known::new();
    for (key, types) in a {
        if let Some(others) = b.remove(&key) {
            both.insert(key, types.union(&others).copied().collect());
        }
    }
    both
}

/// The variable that an assignment changes, or a part of it.
fn root(target: &Expr) -> Option<String> {
    match target {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => root(&dot.lhs),
        _ => None,
    }
}

/// Whether a method changes what it is called on.
fn changes(rhs: &Expr) -> bool {
    const CHANGING: &[&str] = &[
        "push",
        "append",
        "insert",
        "pop",
        "shift",
        "remove",
        "clear",
        "truncate",
        "sort",
        "sort_desc",
        "sort_by",
        "reverse",
        "drain",
        "retain",
        "pad",
        "splice",
        "chop",
        "extract",
        "dedup",
        "set",
        "fill_with",
        "mixin",
    ];
    match rhs {
        Expr::MethodCall(call, _) => CHANGING.contains(&call.name.as_str()),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => changes(&dot.lhs) || changes(&dot.rhs),
        _ => false,
    }
}

fn spot(position: Position) -> (u16, u16) {
    (
        position.line().unwrap_or(0) as u16,
        position.position().unwrap_or(0) as u16,
    )
}
