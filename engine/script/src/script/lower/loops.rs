//! Loops: lanes go round until none is left in the loop.

use std::collections::BTreeSet;

use rhai::{ASTFlags, ASTNode, Expr, FlowControl, Position, Stmt};

use super::analysis::collect_assigned;
use super::flow::DeclaredName;
use super::tracked::TrackedId;
use super::value::{List, LoweredValue};
use super::{Loop, Lowering, Variable, VariableBinding};
use crate::diag::{Code, Diagnostic};
use crate::math::Compare;
use crate::program::{self, B, Columns, I, I2, SharedInteger, Type};
use crate::script::limits::BYTES_PER_ELEMENT;
use crate::script::{meter, problem};

/// Maximum length of an array whose loop is unrolled, or whose elements agents pick one by one.
pub(super) const MAX_UNROLLED: usize = 64;

/// The most steps that the interpreter counts for one node of the syntax tree. So an agent that stays within
/// the limit by this count also does by the interpreter's.
const STEPS_PER_NODE: usize = 4;

/// The elements that a loop goes through.
pub(super) enum Sequence {
    /// The agents of a neighborhood, in a list of the program.
    Neighbors {
        list: u16,
        count: I,
    },
    /// The obstacles that are there now; their number.
    Obstacles(I),
    List(List),
    /// Elements that are known one by one.
    Items(Vec<LoweredValue>),
}

impl Sequence {
    /// Returns the column with the number of elements; `None` if they are known one by one.
    pub(super) fn count(&self) -> Option<I> {
        match *self {
            Self::Neighbors { count, .. }
            | Self::Obstacles(count)
            | Self::List(List { count, .. }) => Some(count),
            Self::Items(_) => None,
        }
    }
}

/// The masks of a loop while it is lowered.
struct LoopMasks {
    /// The lanes that are still in the loop.
    running: B,
    /// The lanes that left more than this loop while the condition was evaluated.
    away: B,
}

impl Lowering<'_> {
    /// Lowers a loop. `head` returns the lanes that go on, `round` lowers a round. The condition and the statements
    /// are those that the loop runs.
    fn lower_loop(
        &mut self,
        condition: Option<&Expr>,
        body: &[Stmt],
        mut head: impl FnMut(&mut Self) -> Option<B>,
        mut round: impl FnMut(&mut Self, &LoopMasks),
    ) {
        let Some(entered) = self.active else { return };
        self.forget_types(condition, body);
        let known = self.narrowed_types.clone();
        let (nodes, queries, ways) = (self.nodes, self.queries, self.emit.ways);
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        let running = self.emit.new_b();
        self.emit.blend(Columns::B(running), Columns::B(entered), yes);
        let away = self.emit.new_b();
        self.emit.blend(Columns::B(away), Columns::B(no), yes);
        let masks = LoopMasks { running, away };
        let start = self.emit.here();
        self.emit.drop_faulted(running);
        let end = self.emit.skip(running);
        let cost = self.emit.new_i();
        self.count_steps(cost, running);
        let evaluated = self.emit.new_b();
        self.emit.blend(Columns::B(evaluated), Columns::B(running), yes);
        self.active = Some(evaluated);
        let Some(go_on) = head(self) else {
            self.emit.set_at_start(cost, 0);
            self.emit.end_skip(end);
            return;
        };
        self.remove_lost(evaluated, &masks);
        let stop = self.emit.and_not(running, go_on);
        self.emit.blend(Columns::B(running), Columns::B(no), stop);
        let out = self.emit.skip(running);
        let inside = self.emit.new_b();
        self.emit.blend(Columns::B(inside), Columns::B(running), yes);
        self.active = Some(inside);
        round(self, &masks);
        self.emit.jump(start);
        self.emit.end_skip(end);
        self.emit.end_skip(out);
        let ways = self.emit.ways - ways;
        self.loops_ask_ways |= ways > 0;
        let steps = (self.nodes - nodes + 4) * STEPS_PER_NODE * self.max_step_weight();
        let round = SharedInteger::Round {
            steps: u32::try_from(steps).unwrap_or(u32::MAX),
            queries: (self.queries - queries) as u32,
            ways: ways as u32,
        };
        self.emit.set_common_at_start(cost, round);
        self.narrowed_types = known;
        let returned_lanes = self.frame().returned_lanes;
        let still = self.emit.and_not(entered, away);
        self.active = Some(match returned_lanes {
            Some(returned_lanes) => self.emit.and_not(still, returned_lanes),
            None => still,
        });
    }

    /// Lowers the statements of a loop for one round.
    fn loop_body(&mut self, body: &[Stmt], running: B) {
        self.frame().loops.push(Loop { running });
        self.block(body);
        self.frame().loops.pop();
    }

    /// Returns how much one step of the interpreter weighs at most. This depends on what is written in the
    /// script and on its variables.
    fn max_step_weight(&self) -> usize {
        let script = &self.frames[0].script;
        let weight = meter::weight(script.elements + self.nodes) as usize;
        let of_text = meter::steps_of_text(script.elements * BYTES_PER_ELEMENT);
        if script.holds_data { weight + of_text } else { weight }
    }

    /// Removes lanes from the loop that did not come back from the condition, because they returned or left
    /// an outer loop.
    fn remove_lost(&mut self, evaluated: B, round: &LoopMasks) {
        let lost = match self.active {
            Some(back) if back == evaluated => return,
            Some(back) => self.emit.and_not(evaluated, back),
            None => evaluated,
        };
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        self.emit.blend(Columns::B(round.running), Columns::B(no), lost);
        self.emit.blend(Columns::B(round.away), Columns::B(yes), lost);
    }

    /// Counts steps. Lanes beyond the limit are faulted, and the interpreter counts theirs exactly.
    fn count_steps(&mut self, cost: I, running: B) {
        let steps = match self.steps {
            Some(steps) => steps,
            None => {
                let steps = self.emit.new_i();
                self.emit.set_at_start(steps, 0);
                self.steps = Some(steps);
                steps
            }
        };
        let cost = match self.step_weight() {
            Some(weight) => self.emit.i2(I2::Mul, cost, weight, running),
            None => cost,
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
    ) -> LoweredValue {
        let always = matches!(condition, Expr::Unit(_) | Expr::BoolConstant(true, _));
        if always && !can_leave(body) {
            let wrong = Diagnostic::error("this loop never ends").code(Code::Endless);
            self.fail(wrong, position);
            return LoweredValue::Interpreted;
        }
        if !always {
            self.warn_of_unchanged_condition(condition, body);
        }
        self.lower_loop(
            Some(condition),
            body,
            |this| {
                if always { Some(this.emit.const_b(true)) } else { this.condition(condition) }
            },
            |this, masks| this.loop_body(body, masks.running),
        );
        self.value_of_loop(body)
    }

    /// Lowers a loop whose condition follows each round; `continue` goes to the next round without evaluating
    /// it.
    pub(super) fn do_loop(&mut self, condition: &Expr, body: &[Stmt], until: bool) -> LoweredValue {
        self.warn_of_unchanged_condition(condition, body);
        self.lower_loop(
            Some(condition),
            body,
            |this| Some(this.emit.const_b(true)),
            |this, masks| {
                this.loop_body(body, masks.running);
                let Some(evaluated) = this.active else { return };
                let truth = this.condition(condition);
                this.remove_lost(evaluated, masks);
                let (Some(truth), Some(back)) = (truth, this.active) else {
                    return;
                };
                let stop =
                    if until { this.emit.and(back, truth) } else { this.emit.and_not(back, truth) };
                let no = this.emit.const_b(false);
                this.emit.blend(Columns::B(masks.running), Columns::B(no), stop);
            },
        );
        self.value_of_loop(body)
    }

    /// Returns the value of a loop that has ended: `()`, unless `break` gives it another one. The lanes where it does
    /// are left to the interpreter, but findings are about all lanes.
    fn value_of_loop(&self, body: &[Stmt]) -> LoweredValue {
        let gives_value = |leaves: &Stmt| matches!(leaves, Stmt::BreakLoop(Some(_), ..));
        if self.trial_world.is_some() && any_statement(body, gives_value) {
            LoweredValue::Interpreted
        } else {
            LoweredValue::nothing()
        }
    }

    pub(super) fn for_loop(
        &mut self,
        variable: DeclaredName<'_>,
        counter: Option<DeclaredName<'_>>,
        flow: &FlowControl,
    ) -> LoweredValue {
        let over = self.expression(&flow.expr);
        if self.active.is_none() {
            return LoweredValue::never();
        }
        let body = flow.body.statements();
        let each = |this: &mut Self, index: Option<I>, item: LoweredValue, running: B| {
            let variables = this.frame().variables.len();
            if let (Some(counter), Some(index)) = (counter, index) {
                this.declare_named(counter, LoweredValue::integer(index));
            }
            this.declare_named(variable, item);
            this.loop_body(body, running);
            this.frame().variables.truncate(variables);
        };
        match &over {
            &LoweredValue::Range { from, to, inclusive } => {
                let last = if inclusive { Compare::Le } else { Compare::Lt };
                let always = self.emit.const_b(true);
                self.counted_loop(body, (from, to, last), |this, at, running| {
                    let active = this.active.unwrap_or(always);
                    let index = counter.map(|_| this.emit.i2(I2::Sub, at, from, active));
                    each(this, index, LoweredValue::integer(at), running);
                });
            }
            LoweredValue::Interpreted => {
                let items = Sequence::Items(vec![LoweredValue::Interpreted]);
                self.for_each(&items, body, |this, index, item, running| {
                    each(this, Some(index), item, running);
                });
            }
            LoweredValue::Constant(pick)
                if pick.index.is_none() && self.elements(&pick.candidates).is_none() =>
            {
                return self.leave_with_help(
                    "a loop over a map",
                    "use a `const` array",
                    flow.expr.position(),
                );
            }
            LoweredValue::Array(_) | LoweredValue::Constant(_)
                if self.items_of(&over).is_none() && is_single(&over) =>
            {
                let what = format!("a loop over an array of more than {MAX_UNROLLED} elements");
                return self.leave_with_help(
                    &what,
                    "loop over a range, and look the elements up in a `const` array",
                    flow.expr.position(),
                );
            }
            LoweredValue::Typed(cases) if cases.is_empty() => return LoweredValue::never(),
            LoweredValue::Typed(cases) if cases.iter().any(|case| case.ty == Type::String) => {
                return self.leave_to_interpreter("a loop over a string", flow.expr.position());
            }
            LoweredValue::Typed(_) => {
                return self.fail(problem::not_iterable(), flow.expr.position());
            }
            other => {
                if matches!(other, LoweredValue::Neighborhood(_)) {
                    self.queries += 1;
                }
                let Some(sequence) = self.sequence(other) else {
                    let what = format!("a loop over {}", other.description());
                    return self.leave_to_interpreter(&what, flow.expr.position());
                };
                self.for_each(&sequence, body, |this, index, item, running| {
                    each(this, Some(index), item, running);
                });
            }
        }
        self.value_of_loop(body)
    }

    /// Returns the elements that a loop over a value goes through; `None` if it cannot be lowered.
    pub(super) fn sequence(&mut self, of: &LoweredValue) -> Option<Sequence> {
        let active = self.active?;
        Some(match of {
            LoweredValue::Neighborhood(near) => {
                let (list, count) = self.emit.list(*near, active);
                Sequence::Neighbors { list, count }
            }
            LoweredValue::Obstacles => {
                Sequence::Obstacles(self.emit.common_i(SharedInteger::Obstacles))
            }
            LoweredValue::List(list) => Sequence::List(**list),
            other => Sequence::Items(self.items_of(other)?),
        })
    }

    /// Returns the element of a sequence at an index that is in range.
    pub(super) fn element_of(&mut self, sequence: &Sequence, index: I) -> LoweredValue {
        match *sequence {
            Sequence::Neighbors { list, .. } => {
                LoweredValue::of_type(Type::Agent, Columns::I(self.emit.listed(list, index)))
            }
            Sequence::Obstacles(_) => {
                let obstacle = self.emit.present_obstacle(index);
                LoweredValue::of_type(Type::Obstacle, Columns::I(obstacle))
            }
            Sequence::List(List { ty, elements, .. }) => {
                LoweredValue::of_type(ty, self.emit.load(elements, index))
            }
            Sequence::Items(_) => LoweredValue::Interpreted,
        }
    }

    /// Lowers a loop over the elements of a sequence, which runs some statements. `round` gets the index, the element
    /// and the mask of the lanes in the loop, from which it may remove some.
    pub(super) fn for_each(
        &mut self,
        sequence: &Sequence,
        body: &[Stmt],
        mut round: impl FnMut(&mut Self, I, LoweredValue, B),
    ) {
        if let Sequence::Items(items) = sequence {
            return self.unrolled_loop(items, body, round);
        }
        let Some(count) = sequence.count() else { return };
        let zero = self.emit.const_i(0);
        self.counted_loop(body, (zero, count, Compare::Lt), |this, index, running| {
            let element = this.element_of(sequence, index);
            round(this, index, element, running);
        });
    }

    /// Lowers a loop with a counter: from, to, and the comparison with `to` that holds while it goes on.
    fn counted_loop(
        &mut self,
        body: &[Stmt],
        (from, to, while_it): (I, I, Compare),
        mut round: impl FnMut(&mut Self, I, B),
    ) {
        let (always, one) = (self.emit.const_b(true), self.emit.const_i(1));
        let at = self.emit.new_i();
        self.emit.blend(Columns::I(at), Columns::I(from), always);
        let to = match self.emit.copy(Columns::I(to)) {
            Columns::I(to) => to,
            _ => to,
        };
        self.lower_loop(
            None,
            body,
            |this| Some(this.emit.cmp_i(while_it, at, to)),
            |this, &LoopMasks { running, .. }| {
                round(this, at, running);
                let next = this.emit.i2(I2::Add, at, one, running);
                this.emit.blend(Columns::I(at), Columns::I(next), running);
            },
        );
    }

    /// Unrolls a loop over known elements: its round is lowered once for each.
    fn unrolled_loop(
        &mut self,
        items: &[LoweredValue],
        body: &[Stmt],
        mut round: impl FnMut(&mut Self, I, LoweredValue, B),
    ) {
        let Some(entered) = self.active else { return };
        let yes = self.emit.const_b(true);
        let running = self.emit.new_b();
        self.emit.blend(Columns::B(running), Columns::B(entered), yes);
        self.forget_types(None, body);
        let known = self.narrowed_types.clone();
        let mut ends = Vec::new();
        for (index, item) in items.iter().enumerate() {
            self.emit.drop_faulted(running);
            ends.push(self.emit.skip(running));
            let inside = self.emit.new_b();
            self.emit.blend(Columns::B(inside), Columns::B(running), yes);
            self.active = Some(inside);
            let index = self.emit.const_i(index as i64);
            round(self, index, item.clone(), running);
            self.narrowed_types = known.clone();
        }
        for end in ends {
            self.emit.end_skip(end);
        }
        let returned_lanes = self.frame().returned_lanes;
        self.active = Some(match returned_lanes {
            Some(returned_lanes) => self.emit.and_not(entered, returned_lanes),
            None => entered,
        });
    }

    /// Lowers `break` or `continue`.
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

    /// Forgets the narrowed types of everything that the statements may change.
    fn forget_types(&mut self, condition: Option<&Expr>, statements: &[Stmt]) {
        let changed = self.frame().analysis.assigned_in(statements);
        let mut in_condition = BTreeSet::new();
        if let Some(condition) = condition {
            condition.walk(&mut Vec::new(), &mut collect_assigned(&mut in_condition));
        }
        let is_changed = |variable: &&Variable| {
            [&*changed, &in_condition].iter().any(|all| all.contains(&variable.name))
        };
        let frame = self.frame();
        let mut forgotten: Vec<TrackedId> = frame
            .variables
            .iter()
            .filter(is_changed)
            .filter_map(|variable| match variable.binding {
                VariableBinding::Stored(id) => Some(id),
                _ => None,
            })
            .collect();
        forgotten.push(frame.returned);
        let states = self.inferred.tracked.states().iter().map(|(id, _)| *id);
        for id in forgotten.into_iter().chain(states) {
            self.narrowed_types.remove(id);
        }
    }
}

/// Returns whether a value is an array that is the same for all agents.
fn is_single(array: &LoweredValue) -> bool {
    !matches!(array, LoweredValue::Constant(pick) if pick.index.is_some())
}

/// Returns whether anything in the body of a loop may leave it.
pub(super) fn can_leave(body: &[Stmt]) -> bool {
    any_statement(body, |statement| match statement {
        Stmt::Return(..) => true,
        Stmt::BreakLoop(_, flags, _) => flags.contains(ASTFlags::BREAK),
        _ => false,
    })
}

/// Returns whether a condition holds for any of some statements and those in them.
fn any_statement(statements: &[Stmt], is_it: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path| {
            found |= matches!(path.last(), Some(ASTNode::Stmt(one)) if is_it(one));
            !found
        });
    }
    found
}
