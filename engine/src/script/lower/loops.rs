//! Loops: lanes go round until none is left.

use std::collections::BTreeSet;

use rhai::{ASTFlags, ASTNode, Expr, FlowControl, Position, Stmt};

use super::digest::see_changes;
use super::flow::Named;
use super::keys::Id;
use super::value::Val;
use super::{Binding, Loop, Lower, Variable};
use crate::math::Compare;
use crate::program::{self, B, Columns, I, I2, SharedInteger, Type};
use crate::script::{error, meter};

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

impl Lower<'_> {
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
        let (nodes, questions) = (self.nodes, self.questions);
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        let running = self.emit.b();
        self.emit.blend(Columns::B(running), Columns::B(entered), yes);
        let away = self.emit.b();
        self.emit.blend(Columns::B(away), Columns::B(no), yes);
        let round = Round { running, away };
        let start = self.emit.here();
        self.emit.drop_faulted(running);
        let end = self.emit.skip(running);
        let cost = self.emit.i();
        self.count(cost, running);
        let asked = self.emit.b();
        self.emit.blend(Columns::B(asked), Columns::B(running), yes);
        self.active = Some(asked);
        let Some(go_on) = head(self) else {
            self.emit.starts_as(cost, 0);
            self.emit.land(end);
            return;
        };
        self.lose(asked, &round);
        let stop = self.emit.and_not(running, go_on);
        self.emit.blend(Columns::B(running), Columns::B(no), stop);
        let out = self.emit.skip(running);
        let inside = self.emit.b();
        self.emit.blend(Columns::B(inside), Columns::B(running), yes);
        self.active = Some(inside);
        before(self);
        self.frame().loops.push(Loop { running });
        self.block(body);
        self.frame().loops.pop();
        after(self, &round);
        self.emit.jump(start);
        self.emit.land(end);
        self.emit.land(out);
        let steps = (self.nodes - nodes + 4) * STEPS_PER_NODE * self.weight();
        let round = SharedInteger::Round {
            steps: u32::try_from(steps).unwrap_or(u32::MAX),
            questions: (self.questions - questions) as u32,
        };
        self.emit.starts_as_common(cost, round);
        self.now = known;
        let gone = self.frame().gone;
        let still = self.emit.and_not(entered, away);
        self.active = Some(match gone {
            Some(gone) => self.emit.and_not(still, gone),
            None => still,
        });
    }

    /// Returns how much a step weighs at most for the interpreter: by what is written in the script, and by its
    /// variables.
    fn weight(&self) -> usize {
        meter::weight(self.frames[0].script.elements + self.nodes) as usize
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
        self.emit.blend(Columns::B(round.running), Columns::B(no), lost);
        self.emit.blend(Columns::B(round.away), Columns::B(yes), lost);
    }

    /// Counts steps; who does too many ends up with the interpreter, which counts exactly.
    fn count(&mut self, cost: I, running: B) {
        let steps = match self.steps {
            Some(steps) => steps,
            None => {
                let steps = self.emit.i();
                self.emit.starts_as(steps, 0);
                self.steps = Some(steps);
                steps
            }
        };
        let more = self.emit.i2(I2::Add, steps, cost, running);
        self.emit.blend(Columns::I(steps), Columns::I(more), running);
        let most = self.emit.const_i(program::MAX_STEPS as i64);
        let over = self.emit.cmp_i(Compare::Gt, more, most);
        let active = self.emit.and(over, running);
        self.emit.fault(active);
    }

    pub(super) fn while_loop(
        &mut self,
        condition: &Expr,
        body: &[Stmt],
        position: Position,
    ) -> Val {
        let always = matches!(condition, Expr::Unit(_) | Expr::BoolConstant(true, _));
        if always && !can_leave(body) {
            self.fails(error::endless(), position);
            return Val::Any;
        }
        self.go_round(
            Some(condition),
            body,
            |this| {
                if always { Some(this.emit.const_b(true)) } else { this.truth(condition) }
            },
            |_| {},
            |_, _| {},
        );
        Val::nothing()
    }

    /// A loop that asks after each round; `continue` goes round without being asked.
    pub(super) fn do_loop(&mut self, condition: &Expr, body: &[Stmt], until: bool) -> Val {
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
                let stop =
                    if until { this.emit.and(back, truth) } else { this.emit.and_not(back, truth) };
                let no = this.emit.const_b(false);
                this.emit.blend(Columns::B(round.running), Columns::B(no), stop);
            },
        );
        Val::nothing()
    }

    pub(super) fn for_loop(
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
            Val::Range { from, to, inclusive } => {
                let last = if inclusive { Compare::Le } else { Compare::Lt };
                self.counted(names, body, (from, to, last), |_, at| Val::whole(at));
            }
            Val::Near(near) => {
                self.questions += 1;
                let (list, count) = self.emit.list(near, active);
                let zero = self.emit.const_i(0);
                self.counted(names, body, (zero, count, Compare::Lt), |this, at| {
                    let row = this.emit.listed(list, at);
                    Val::one(Type::Agent, Columns::I(row))
                });
            }
            Val::Obstacles => {
                let zero = self.emit.const_i(0);
                let count = self.emit.common_i(SharedInteger::Obstacles);
                self.counted(names, body, (zero, count, Compare::Lt), |_, at| {
                    Val::one(Type::Obstacle, Columns::I(at))
                });
            }
            Val::List(items) if items.len() <= MOST_WRITTEN_OUT => {
                self.written_out(names, body, items.to_vec());
            }
            Val::Constant(pick) if pick.at.is_none() => match self.elements(&pick.among) {
                Some(items) if items.len() <= MOST_WRITTEN_OUT => {
                    let all = 0..items.len();
                    let items = all.map(|place| self.one_of(&items, place)).collect();
                    self.written_out(names, body, items);
                }
                _ => return self.slow("a loop over this", flow.expr.position()),
            },
            Val::Any => self.written_out(names, body, vec![Val::Any]),
            Val::Alts(alts) if alts.is_empty() => return Val::never(),
            Val::Alts(_) => {
                return self.fails(error::no_loop_over(), flow.expr.position());
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
        (from, to, while_it): (I, I, Compare),
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
        self.emit.blend(Columns::B(running), Columns::B(entered), yes);
        self.frame().loops.push(Loop { running });
        let variables = self.frame().variables.len();
        self.forget(None, body);
        let known = self.now.clone();
        let mut ends = Vec::new();
        for (place, item) in items.into_iter().enumerate() {
            self.emit.drop_faulted(running);
            ends.push(self.emit.skip(running));
            let inside = self.emit.b();
            self.emit.blend(Columns::B(inside), Columns::B(running), yes);
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
    pub(super) fn leave_loop(&mut self, is_break: bool) {
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

    /// Forgets what is known now of whatever the statements may change.
    fn forget(&mut self, condition: Option<&Expr>, statements: &[Stmt]) {
        let changed = self.frame().digest.changed(statements);
        let mut asked = BTreeSet::new();
        if let Some(condition) = condition {
            condition.walk(&mut Vec::new(), &mut see_changes(&mut asked));
        }
        let is_changed = |variable: &&Variable| {
            [&*changed, &asked].iter().any(|all| all.contains(&variable.name))
        };
        let frame = self.frame();
        let mut forgotten: Vec<Id> = frame
            .variables
            .iter()
            .filter(is_changed)
            .filter_map(|variable| match variable.is {
                Binding::Home(id) => Some(id),
                _ => None,
            })
            .collect();
        forgotten.push(frame.returned);
        let states = self.seen.keys.states().iter().map(|(id, _)| *id);
        for id in forgotten.into_iter().chain(states) {
            self.now.remove(id);
        }
    }
}

/// Whether anything in the body of a loop may leave it.
fn can_leave(body: &[Stmt]) -> bool {
    let mut found = false;
    for statement in body {
        statement.walk(&mut Vec::new(), &mut |path| {
            found |= match path.last() {
                Some(ASTNode::Stmt(Stmt::Return(..))) => true,
                Some(ASTNode::Stmt(Stmt::BreakLoop(_, flags, _))) => {
                    flags.contains(ASTFlags::BREAK)
                }
                _ => false,
            };
            !found
        });
    }
    found
}
