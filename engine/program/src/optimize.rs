//! Makes programs shorter without changing what they compute: the same bits, and the same faulted lanes.
//!
//! The program as it was lowered remains for explanations, which follow it operation by operation.

use std::collections::{HashMap, HashSet};

use super::columns::{Columns, Operand, OperandSlots, Operands, Slot};
use super::{B, Bank, F, LoweredView, Near, Op, OpKind, OpProperty, Program, V};
use crate::math::Binary;

/// Returns a shorter program that gives the same results. It has no marks for explanations.
pub fn optimize(program: &Program) -> Program {
    let mut code = Code::of(program);
    code.simplify();
    code.drop_implied_checks();
    code.drop_unused();
    code.join_coordinates();
    code.finish()
}

/// A column: its bank and its index.
type Column = (Bank, usize);

/// A program that is being made shorter.
struct Code {
    program: Program,
    /// The operations of the body that are left, in their old places, which jumps refer to.
    body: Vec<Option<Op>>,
    /// For each column, the number of operations that write it. Loading an agent counts too.
    writes: HashMap<Column, u32>,
    /// For each place in the body, the first place after it that may be reached without it.
    until: Vec<usize>,
    /// The places that jumps go to.
    targets: Vec<usize>,
    /// The places that jumps go back to.
    loops: Vec<usize>,
}

/// An operation by what its results depend on: its kind, its operands, its mask, and how often those of them that change
/// have been written before.
type Expression = (OpKind, OperandSlots, Option<B>, Vec<u32>);

impl Code {
    fn of(program: &Program) -> Self {
        let mut program = program.clone();
        let body: Vec<Option<Op>> =
            std::mem::take(&mut program.body).into_iter().map(Some).collect();
        let mut writes = HashMap::new();
        let all = program.prologue.iter().chain(body.iter().flatten());
        for column in all.flat_map(written).chain(loaded(&program)) {
            *writes.entry(column).or_insert(0) += 1;
        }
        let mut until = vec![usize::MAX; body.len()];
        let (mut targets, mut loops) = (Vec::new(), Vec::new());
        for (at, op) in body.iter().flatten().enumerate() {
            let mut kind = op.kind;
            if let Some(&mut to) = kind.target_mut() {
                targets.push(to);
                if to <= at {
                    loops.push(to);
                } else {
                    until[at + 1..to].iter_mut().for_each(|until| *until = to.min(*until));
                }
            }
        }
        Self { program, body, writes, until, targets, loops }
    }

    /// Returns whether a column never changes once it is set.
    fn is_fixed(&self, column: Column) -> bool {
        self.writes.get(&column).is_none_or(|&writes| writes <= 1)
    }

    fn are_fixed(&self, slots: &[Slot]) -> bool {
        slots.iter().copied().flat_map(Slot::each).all(|column| self.is_fixed(column))
    }

    /// Replaces what is known before, computes equal things once, and moves what is the same for all agents to the
    /// prologue.
    fn simplify(&mut self) {
        let mut known = Known::of(&self.program);
        let shared = self.program.prologue.iter().flat_map(written);
        known.common.extend(shared);
        for at in 0..self.body.len() {
            if self.loops.contains(&at) {
                known.change_all();
            }
            let Some(mut op) = self.body[at].take() else { continue };
            known.replace(&mut op);
            let is_fixed = self.are_fixed(&op.written);
            if is_fixed
                && let Some(same) = known.operand(&mut op)
                && self.are_fixed(&[same])
            {
                known.alias(&op.written, &[same]);
                continue;
            }
            let reads_fixed = read(&op).all(|column| self.is_fixed(column));
            let reads_common = read(&op).all(|column| known.common.contains(&column));
            let moves = reads_fixed
                && reads_common
                && match op.kind {
                    // It fails for all agents or for none, and every agent gets there.
                    OpKind::Fault => self.until[at] == usize::MAX,
                    kind => kind.has(OpProperty::Pure) && is_fixed,
                };
            let key =
                (is_fixed && is_expression(op.kind)).then(|| known.expression(&op, reads_fixed));
            if let Some(key) = &key
                && let Some((until, written)) = known.expressions.get(key)
                && at < *until
            {
                let written = *written;
                known.alias(&op.written, &written);
                continue;
            }
            if let Some(key) = key {
                let until = if moves { usize::MAX } else { self.until[at] };
                known.expressions.insert(key, (until, op.written));
            }
            if moves {
                known.common.extend(written(&op));
                self.program.prologue.push(op);
            } else {
                known.change(&op);
                self.body[at] = Some(op);
            }
        }
        known.replace_in(&mut self.program);
    }

    /// Removes checks for finite vectors that later checks repeat: a sum, a difference or a product with a number that is
    /// not finite is not finite either.
    fn drop_implied_checks(&mut self) {
        /// The mask of the next check, and the columns that it checks.
        type Next = (B, HashSet<Column>);
        let mut next: Option<Next> = None;
        for at in (0..self.body.len()).rev() {
            let Some(op) = self.body[at] else { continue };
            match (op.kind, op.mask, &mut next) {
                (OpKind::CallStart(_) | OpKind::CallEnd(_), ..) => {}
                (OpKind::Finite, Some(mask), Some((of, checked))) if mask == *of => {
                    if operands(&op).all(|column| checked.contains(&column)) {
                        self.body[at] = None;
                    } else if self.are_fixed(&op.read) {
                        checked.extend(operands(&op));
                    }
                }
                (OpKind::Finite, Some(mask), next) => {
                    let checked = self.are_fixed(&op.read).then(|| operands(&op).collect());
                    *next = checked.filter(|_| self.is_fixed(column(mask))).map(|all| (mask, all));
                }
                (OpKind::Binary(function), _, Some((_, checked))) => {
                    let count = match function {
                        Binary::Add | Binary::Sub | Binary::Mul => 2,
                        Binary::Div => 1,
                        _ => 0,
                    };
                    let is_checked = written(&op).all(|column| checked.contains(&column));
                    if is_checked && self.are_fixed(&op.read) {
                        checked.extend(operands(&op).take(count));
                    }
                }
                // Operations that run in some lanes only must not run with numbers that fail an earlier check; and a
                // jump may leave out the later one.
                (kind, mask, next) => {
                    let mut kind = kind;
                    if mask.is_some() || kind.target_mut().is_some() {
                        *next = None;
                    }
                }
            }
        }
    }

    /// Removes operations whose results nobody reads, and the marks for explanations.
    fn drop_unused(&mut self) {
        for op in &mut self.body {
            op.take_if(|op| matches!(op.kind, OpKind::CallStart(_) | OpKind::CallEnd(_)));
        }
        self.program.calls.clear();
        let mut used: HashSet<Column> = results(&self.program).collect();
        let is_used = |op: &Op, used: &HashSet<Column>| {
            has_effects(op.kind) || written(op).any(|column| used.contains(&column))
        };
        loop {
            let before = used.len();
            for op in self.program.prologue.iter().chain(self.body.iter().flatten()) {
                if is_used(op, &used) {
                    used.extend(read(op));
                    let near = op.kind.near().map(|near| &self.program.nears[usize::from(near)]);
                    used.extend(near.into_iter().flat_map(columns_of));
                }
            }
            if used.len() == before {
                break;
            }
        }
        self.program.prologue.retain(|op| is_used(op, &used));
        for op in &mut self.body {
            op.take_if(|op| !is_used(op, &used));
        }
        // A jump over nothing.
        for at in (0..self.body.len()).rev() {
            if let Some(Op { kind: OpKind::SkipIfNone(to), .. }) = self.body[at]
                && at < to
                && self.body[at + 1..to].iter().all(Option::is_none)
            {
                self.body[at] = None;
            }
        }
    }

    /// Makes one operation on vectors of operations that do the same with two numbers and follow each other.
    fn join_coordinates(&mut self) {
        let mut reads: HashMap<Column, u32> = HashMap::new();
        for column in self.body.iter().flatten().flat_map(read).chain(results(&self.program)) {
            *reads.entry(column).or_insert(0) += 1;
        }
        let is_read_once = |column| reads.get(&column) == Some(&1);
        // The places of the operations before, as long as no jump goes between them.
        let mut before: Vec<usize> = Vec::new();
        for at in 0..self.body.len() {
            if self.targets.contains(&at) {
                before.clear();
            }
            let Some(op) = self.body[at] else { continue };
            before.push(at);
            if let [.., a, b, _] = before[..]
                && let (Some(first), Some(second)) = (self.body[a], self.body[b])
                && written(&first).chain(written(&second)).all(is_read_once)
                && let Some(joined) = join_comparisons(&first, &second, &op)
            {
                (self.body[a], self.body[b], self.body[at]) = (Some(joined), None, None);
                before.truncate(before.len() - 2);
            } else if let [.., a, _] = before[..]
                && let Some(first) = self.body[a]
                && let Some(joined) = join(&first, &op)
            {
                (self.body[a], self.body[at]) = (Some(joined), None);
                before.pop();
            }
        }
    }

    fn finish(self) -> Program {
        let Self { mut program, body, .. } = self;
        let mut places = Vec::with_capacity(body.len() + 1);
        let mut left = 0;
        for op in &body {
            places.push(left);
            left += usize::from(op.is_some());
        }
        places.push(left);
        program.body = body.into_iter().flatten().collect();
        let own: Vec<Column> = program.vel.into_iter().flat_map(|vel| vel.slot().each()).collect();
        program.sets_vel &=
            program.body.iter().flat_map(written).any(|column| own.contains(&column));
        for to in program.body.iter_mut().filter_map(|op| op.kind.target_mut()) {
            *to = places[*to];
        }
        program
    }
}

/// The facts that are known at a place in a program.
struct Known {
    live: Option<usize>,
    /// Columns that always hold the same as another one.
    aliases: HashMap<Column, usize>,
    /// Columns with the same value for all agents of a group.
    common: HashSet<Column>,
    /// The computed expressions: the place up to which each one holds, and the results.
    expressions: HashMap<Expression, (usize, OperandSlots)>,
    /// The number of times that something that changes has been written so far.
    changes: HashMap<Column, u32>,
    /// The number of times that anything may have changed.
    all_changes: u32,
    /// The number of times that the progress on paths may have changed.
    progress_changes: u32,
}

impl Known {
    fn of(program: &Program) -> Self {
        Self {
            live: program.live.map(|live| usize::from(live.0)),
            aliases: HashMap::new(),
            common: HashSet::new(),
            expressions: HashMap::new(),
            changes: HashMap::new(),
            all_changes: 0,
            progress_changes: 0,
        }
    }

    fn is_live(&self, slot: Slot) -> bool {
        slot.each().eq(self.live.map(|live| (Bank::B, live)))
    }

    fn slot(&self, slot: Slot) -> Slot {
        slot.map(|bank, at| self.aliases.get(&(bank, at)).copied().unwrap_or(at))
    }

    /// Replaces the slots that an operation reads by those that hold the same. Slots that it changes in place have no
    /// alias.
    fn replace(&self, op: &mut Op) {
        op.read = op.read.map(|slot| self.slot(slot));
        op.mask = op.mask.map(|mask| B::of(self.slot(mask.slot())));
    }

    /// Replaces columns outside of the operations.
    fn replace_in(&self, program: &mut Program) {
        let vector = |v: V| V::of(self.slot(v.slot()));
        let number = |x: F| F::of(self.slot(x.slot()));
        program.force = program.force.map(vector);
        for near in &mut program.nears {
            near.radius = number(near.radius);
            near.around = near.around.map(vector);
            near.most = near.most.map(number);
            if let LoweredView::Over(angle) = near.view {
                near.view = LoweredView::Over(number(angle));
            }
        }
    }

    /// Returns the operand that an operation is sure to give. Makes the operation simpler if it can.
    fn operand(&self, op: &mut Op) -> Option<Slot> {
        let [a, b, c, ..] = op.read;
        match op.kind {
            OpKind::And if self.is_live(a) || a == b => Some(b),
            OpKind::And if self.is_live(b) => Some(a),
            OpKind::Or if a == b || self.is_live(a) => Some(a),
            OpKind::Or if self.is_live(b) => Some(b),
            OpKind::AndNot if self.is_live(a) => {
                op.kind = OpKind::Not;
                op.read = b.columns().row();
                None
            }
            OpKind::SelectF | OpKind::SelectI | OpKind::SelectB if b == c || self.is_live(a) => {
                Some(b)
            }
            _ => None,
        }
    }

    fn alias(&mut self, written: &[Slot], same: &[Slot]) {
        let (written, same) = (written.iter().copied(), same.iter().copied());
        for ((bank, of), (_, same)) in written.flat_map(Slot::each).zip(same.flat_map(Slot::each)) {
            self.aliases.insert((bank, of), same);
        }
    }

    fn expression(&self, op: &Op, is_fixed: bool) -> Expression {
        let mut changes = Vec::new();
        if !is_fixed {
            changes.push(self.all_changes);
            changes.extend(read(op).map(|column| self.changes.get(&column).copied().unwrap_or(0)));
        }
        if op.kind.has(OpProperty::Progress) {
            changes.push(self.progress_changes);
        }
        (op.kind, op.read, op.mask, changes)
    }

    /// Notes what an operation changes.
    fn change(&mut self, op: &Op) {
        let moves_on = op.kind.has(OpProperty::Progress) && op.kind.has(OpProperty::Changes);
        self.progress_changes += u32::from(moves_on);
        for column in written(op) {
            *self.changes.entry(column).or_insert(0) += 1;
        }
    }

    /// Notes that operations may run again.
    fn change_all(&mut self) {
        self.all_changes += 1;
        self.progress_changes += 1;
    }
}

fn column(mask: B) -> Column {
    (Bank::B, usize::from(mask.0))
}

/// Returns the operands of an operation, column by column.
fn operands(op: &Op) -> impl Iterator<Item = Column> + use<> {
    op.read.into_iter().flat_map(Slot::each)
}

/// Returns all columns that an operation reads, except those of its neighborhood.
fn read(op: &Op) -> impl Iterator<Item = Column> + use<> {
    operands(op).chain(op.mask.map(column))
}

/// Returns the columns that an operation writes.
fn written(op: &Op) -> impl Iterator<Item = Column> + use<> {
    op.written.into_iter().flat_map(Slot::each)
}

/// Returns the columns of a neighborhood.
fn columns_of(near: &Near) -> Vec<Column> {
    let angle = match near.view {
        LoweredView::Fixed(_) => None,
        LoweredView::Over(angle) => Some(angle.slot()),
    };
    let numbers = [near.radius.slot()].into_iter().chain(angle).chain(near.most.map(F::slot));
    numbers.chain(near.around.map(V::slot)).flat_map(Slot::each).collect()
}

/// Returns the columns that a machine sets before the body runs.
fn loaded(program: &Program) -> impl Iterator<Item = Column> + '_ {
    let own = [program.vel.map(V::slot), program.live.map(B::slot)];
    let state = program
        .state
        .iter()
        .flat_map(|slot| slot.types.iter().map(|(_, at)| at.slot()).chain([slot.tag.slot()]));
    own.into_iter().flatten().chain(state).flat_map(Slot::each)
}

/// Returns the columns that a machine reads after the body has run.
fn results(program: &Program) -> impl Iterator<Item = Column> + '_ {
    program.force.into_iter().flat_map(|force| force.slot().each()).chain(loaded(program))
}

/// Returns whether an operation does more than to write columns.
fn has_effects(mut kind: OpKind) -> bool {
    let is_in_place = matches!(
        kind,
        OpKind::BlendF | OpKind::BlendI | OpKind::BlendB | OpKind::BlendV | OpKind::Unfaulted
    );
    let changes = kind.has(OpProperty::Changes) && !is_in_place;
    kind.has(OpProperty::Faults) || changes || kind.target_mut().is_some()
}

/// Returns whether the results of an operation depend only on its operands, its mask, what does not change while it runs,
/// and the progress on paths.
fn is_expression(kind: OpKind) -> bool {
    let reads_list = matches!(kind, OpKind::Listed(_) | OpKind::LoadF(_) | OpKind::LoadI(_));
    !kind.has(OpProperty::Changes) && !reads_list && kind.near().is_none()
}

/// Returns one operation for two that do the same with two numbers, if there is one.
fn join(x: &Op, y: &Op) -> Option<Op> {
    let kind = match (x.kind, y.kind) {
        (OpKind::Binary(a), OpKind::Binary(b)) if a == b => OpKind::BinaryV(a),
        (OpKind::SelectF, OpKind::SelectF) if x.read[0] == y.read[0] => OpKind::SelectV,
        (OpKind::BlendF, OpKind::BlendF) if x.read[1] == y.read[1] => OpKind::BlendV,
        _ => return None,
    };
    let depends = operands(y).any(|of| written(x).any(|to| to == of));
    let same =
        written(y).any(|to| written(x).any(|other| to == other) || operands(x).any(|of| to == of));
    if depends || same {
        return None;
    }
    let (read, written) = (pairs(&x.read, &y.read)?, pairs(&x.written, &y.written)?);
    Some(Op::new(kind, read, written, None))
}

/// Returns one operation for two comparisons of numbers that both have to hold, if there is one.
fn join_comparisons(x: &Op, y: &Op, and: &Op) -> Option<Op> {
    let (OpKind::CompareF(how), OpKind::CompareF(other), OpKind::And) = (x.kind, y.kind, and.kind)
    else {
        return None;
    };
    let is_of_both = and.read[..2] == [x.written[0], y.written[0]];
    if how != other || !is_of_both {
        return None;
    }
    Some(Op::new(OpKind::BothF(how), pairs(&x.read, &y.read)?, and.written, None))
}

/// Makes vectors of numbers, operand by operand. Operands that are not numbers must be the same.
fn pairs(x: &OperandSlots, y: &OperandSlots) -> Option<OperandSlots> {
    let mut all = OperandSlots::default();
    for ((to, x), y) in all.iter_mut().zip(x).zip(y) {
        *to = match (x.columns(), y.columns()) {
            (Columns::F(x), Columns::F(y)) => V(x, y).slot(),
            (a, b) if a == b => *x,
            _ => return None,
        };
    }
    Some(all)
}
