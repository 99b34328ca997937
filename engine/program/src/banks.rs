//! The columns of a block, and the operations that need nothing else.
//!
//! Every loop here runs over whole chunks of lanes, and must load everything that it reads of a chunk before it stores.
//! It is inlined into a function that is compiled for the widest vectors of the processor. The results in lanes
//! after the last agent are meaningless.

use std::fmt::Debug;
use std::ops::Range;

use super::width::Width;
use super::{B, Columns, F, I, I2, Many, V};
use crate::math::{Binary, Compare, Unary, Vec2};
use crate::world::{MeanColumns, MeanSums};

/// The values of a column in one chunk.
pub(super) type Chunk<T, W> = <W as Width>::Chunk<T>;

/// A column: one value for each lane, in chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<T: Copy + Debug, W: Width>(pub(super) W::Chunks<T>);

/// A boolean in a column.
pub(super) type Mask = u32;

const TRUE: Mask = !0;

/// All columns of a block.
#[derive(Debug)]
pub(crate) struct Banks<W: Width = Many> {
    pub(super) f: Vec<Column<f32, W>>,
    i: Vec<Column<i64, W>>,
    b: Vec<Column<Mask, W>>,
    /// The lanes that hold agents.
    live: Column<Mask, W>,
    /// The lanes that are faulted.
    fault: Column<Mask, W>,
    lanes: usize,
}

#[inline(always)]
pub(super) fn mask(boolean: bool) -> Mask {
    Mask::from(boolean).wrapping_neg()
}

impl<T: Copy + Debug, W: Width> Column<T, W> {
    #[inline(always)]
    pub(super) fn of(value: T) -> Self {
        Self(W::chunks(W::each(|_| value)))
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> T {
        self.0[lane / W::CHUNK][lane % W::CHUNK]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, value: T) {
        self.0[lane / W::CHUNK][lane % W::CHUNK] = value;
    }
}

impl<T: Copy + Debug, W: Width> Column<T, W> {
    /// Sets consecutive lanes, from one element for each.
    #[inline(always)]
    fn set_run<U>(&mut self, lanes: Range<usize>, from: &[U], of: impl Fn(&U) -> T) {
        let mut lane = lanes.start;
        for from in from.chunks(W::CHUNK) {
            if from.len() == W::CHUNK && lane.is_multiple_of(W::CHUNK) {
                self.0[lane / W::CHUNK] = W::each(|l| of(&from[l]));
            } else {
                from.iter().enumerate().for_each(|(l, from)| self.set(lane + l, of(from)));
            }
            lane += from.len();
        }
    }
}

/// Fills the first lanes of a column, one for each element of a slice.
pub(super) fn load<T: Copy + Debug, S: Copy, W: Width>(
    column: &mut Column<T, W>,
    from: &[S],
    of: impl Fn(S) -> T,
) {
    for (k, from) in from.chunks(W::CHUNK).enumerate() {
        if from.len() == W::CHUNK {
            column.0[k] = W::each(|l| of(from[l]));
        } else {
            for (l, &from) in from.iter().enumerate() {
                column.0[k][l] = of(from);
            }
        }
    }
}

/// Reads single lanes.
impl<W: Width> Banks<W> {
    /// Returns whether a lane is faulted.
    pub(crate) fn is_faulted(&self, lane: usize) -> bool {
        self.fault.lane(lane) != 0
    }

    pub(crate) fn number(&self, column: F, lane: usize) -> f32 {
        self.f[usize::from(column.0)].lane(lane)
    }

    pub(crate) fn integer(&self, column: I, lane: usize) -> i64 {
        self.i[usize::from(column.0)].lane(lane)
    }

    pub(crate) fn boolean(&self, column: B, lane: usize) -> bool {
        self.b[usize::from(column.0)].lane(lane) != 0
    }

    pub(crate) fn vector(&self, column: V, lane: usize) -> Vec2 {
        Vec2::new(self.number(column.0, lane), self.number(column.1, lane))
    }

    /// Returns whether a lane is in a mask and not faulted. Expensive operations run only for these lanes. Without a
    /// mask, all lanes take part.
    #[inline(always)]
    pub(super) fn takes_part(&self, mask: Option<B>, lane: usize) -> bool {
        mask.is_none_or(|active| self.boolean(active, lane) && !self.is_faulted(lane))
    }

    /// Returns whether any lane takes part.
    #[inline(always)]
    pub(super) fn any(&self, active: B) -> bool {
        let active = &self.b[usize::from(active.0)];
        self.chunks().any(|k| {
            let (active, live, fault) = (active.0[k], self.live.0[k], self.fault.0[k]);
            any::<W>(&W::each(|l| active[l] & live[l] & !fault[l]))
        })
    }
}

/// Writes single lanes.
impl<W: Width> Banks<W> {
    pub(super) fn new() -> Self {
        Self {
            f: Vec::new(),
            i: Vec::new(),
            b: Vec::new(),
            live: Column::of(0),
            fault: Column::of(0),
            lanes: 0,
        }
    }

    /// Makes sure that there are at least this many columns in each bank.
    pub(super) fn fit(&mut self, (f, i, b): (usize, usize, usize)) {
        fn fit<T: Copy + Debug, W: Width>(bank: &mut Vec<Column<T, W>>, columns: usize, zero: T) {
            if bank.len() < columns {
                bank.reserve_exact(columns - bank.len());
                bank.resize(columns, Column::of(zero));
            }
        }
        fit(&mut self.f, f, 0.0);
        fit(&mut self.i, i, 0);
        fit(&mut self.b, b, 0);
    }

    /// Begins a block with a number of lanes, and sets the column `live` in these lanes. All lanes are faulted or none.
    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: usize, live: Option<B>, faulted: bool) {
        assert!(lanes <= W::LANES, "a block of {lanes} agents");
        self.lanes = lanes;
        for k in self.chunks() {
            self.fault.0[k] = W::each(|_| mask(faulted));
            self.live.0[k] = W::each(|l| mask(k * W::CHUNK + l < lanes));
            if let Some(live) = live {
                self.b[usize::from(live.0)].0[k] = self.live.0[k];
            }
        }
    }

    pub(super) fn fail(&mut self, lane: usize) {
        self.fault.set(lane, TRUE);
    }

    #[inline(always)]
    pub(super) fn set_number(&mut self, column: F, lane: usize, value: f32) {
        self.f[usize::from(column.0)].set(lane, value);
    }

    #[inline(always)]
    pub(super) fn set_integer(&mut self, column: I, lane: usize, value: i64) {
        self.i[usize::from(column.0)].set(lane, value);
    }

    #[inline(always)]
    pub(super) fn set_boolean(&mut self, column: B, lane: usize, value: bool) {
        self.b[usize::from(column.0)].set(lane, mask(value));
    }

    #[inline(always)]
    pub(super) fn set_vector(&mut self, column: V, lane: usize, value: Vec2) {
        self.set_number(column.0, lane, value.x);
        self.set_number(column.1, lane, value.y);
    }

    /// Sets both coordinates of a vector in some lanes.
    pub(super) fn set_vectors(&mut self, to: V, lanes: Range<usize>, of: impl Fn(usize) -> Vec2) {
        let [x, y] = several(&mut self.f, [to.0, to.1]);
        for lane in lanes {
            let v = of(lane);
            x.set(lane, v.x);
            y.set(lane, v.y);
        }
    }

    /// Sets the sums over neighbors in some lanes.
    pub(super) fn set_means(
        &mut self,
        (count, offsets, velocities): (I, V, V),
        lanes: Range<usize>,
        of: impl Fn(usize) -> MeanSums,
    ) {
        let counts = &mut self.i[usize::from(count.0)];
        let [ox, oy, vx, vy] =
            several(&mut self.f, [offsets.0, offsets.1, velocities.0, velocities.1]);
        for lane in lanes {
            let sum = of(lane);
            counts.set(lane, i64::from(sum.count));
            ox.set(lane, sum.offsets.x);
            oy.set(lane, sum.offsets.y);
            vx.set(lane, sum.velocities.x);
            vy.set(lane, sum.velocities.y);
        }
    }

    /// Copies the sums over neighbors of consecutive slots, one for each lane.
    pub(super) fn copy_means(
        &mut self,
        (count, offsets, velocities): (I, V, V),
        lanes: Range<usize>,
        of: &MeanColumns<'_>,
        run: Range<usize>,
    ) {
        self.copy_vectors(offsets, lanes.clone(), of.offsets, run.clone());
        self.copy_vectors(velocities, lanes.clone(), of.vel, run.clone());
        let to = &mut self.i[usize::from(count.0)];
        to.set_run(lanes, &of.count[run], |&count| i64::from(count));
    }

    /// Copies the vectors of consecutive slots, one for each lane.
    pub(super) fn copy_vectors(
        &mut self,
        to: V,
        lanes: Range<usize>,
        of: [&[f32]; 2],
        run: Range<usize>,
    ) {
        for (to, of) in [to.0, to.1].into_iter().zip(of) {
            let to = &mut self.f[usize::from(to.0)];
            to.set_run(lanes.clone(), &of[run.clone()], |&x| x);
        }
    }

    /// Stores the vectors of all lanes.
    pub(super) fn store_vectors(&self, of: V, to: &mut [Vec2]) {
        let (x, y) = (&self.f[usize::from(of.0.0)], &self.f[usize::from(of.1.0)]);
        for (k, to) in to.chunks_mut(W::CHUNK).enumerate() {
            let (x, y) = (x.0[k], y.0[k]);
            if to.len() == W::CHUNK {
                for l in 0..W::CHUNK {
                    to[l] = Vec2::new(x[l], y[l]);
                }
            } else {
                for (l, to) in to.iter_mut().enumerate() {
                    *to = Vec2::new(x[l], y[l]);
                }
            }
        }
    }

    /// Returns whether any lane is faulted.
    pub(super) fn has_faulted_lane(&self) -> bool {
        self.chunks().any(|k| {
            let (live, fault) = (self.live.0[k], self.fault.0[k]);
            any::<W>(&W::each(|l| live[l] & fault[l]))
        })
    }

    #[inline(always)]
    pub(super) fn copy(&mut self, to: F, from: &Column<f32, W>) {
        for k in self.chunks() {
            self.f[usize::from(to.0)].0[k] = from.0[k];
        }
    }

    /// Sets one lane of an operand. Returns false if the operand is of another kind than the value.
    pub(super) fn set(&mut self, columns: Columns, lane: usize, value: CellValue) -> bool {
        match (columns, value) {
            (Columns::None, CellValue::Nothing) => {}
            (Columns::F(to), CellValue::Number(x)) => self.set_number(to, lane, x),
            (Columns::I(to), CellValue::Integer(x)) => self.set_integer(to, lane, x),
            (Columns::B(to), CellValue::Boolean(x)) => self.set_boolean(to, lane, x),
            (Columns::V(to), CellValue::Vector(x)) => self.set_vector(to, lane, x),
            _ => return false,
        }
        true
    }
}

/// Returns several columns of numbers, which must be different.
fn several<T: Copy + Debug, W: Width, const N: usize>(
    bank: &mut [Column<T, W>],
    columns: [F; N],
) -> [&mut Column<T, W>; N] {
    bank.get_disjoint_mut(columns.map(|column| usize::from(column.0)))
        .unwrap_or_else(|_| unreachable!("results have different columns"))
}

/// The value of one operand in one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellValue {
    Nothing,
    Number(f32),
    Integer(i64),
    Boolean(bool),
    Vector(Vec2),
}

/// Makes the loop over the chunks for one operation, from the column to write, the columns to read (each with a name)
/// and an expression for one lane.
macro_rules! lanes {
    ($self:ident, $to_bank:ident[$to:expr] = |$($bank:ident[$column:expr] as $name:ident),*| $value:expr) => {
        for k in $self.chunks() {
            $(let $name = $self.$bank[usize::from($column.0)].0[k];)*
            $self.$to_bank[usize::from($to.0)].0[k] = W::each(|l| {
                $(let $name = $name[l];)*
                $value
            });
        }
    };
}

/// Makes a separate loop for each of these functions. In each loop the function is a constant; if it were a variable,
/// each lane would have to look it up.
macro_rules! apart {
    ($function:ident as $constant:ident: $of:ident in $($name:ident)* $each:block $(else $rest:block)?) => {
        match $function {
            $($of::$name => {
                const $constant: $of = $of::$name;
                $each
            })*
            $(_ => $rest)?
        }
    };
}

pub(super) use apart;

/// Operations that run in all lanes at once.
impl<W: Width> Banks<W> {
    /// Returns the chunks that contain agents.
    #[inline(always)]
    pub(super) fn chunks(&self) -> Range<usize> {
        0..self.lanes.div_ceil(W::CHUNK).min(W::CHUNKS)
    }

    #[inline(always)]
    pub(super) fn mask(&self, of: B, k: usize) -> Chunk<Mask, W> {
        self.b[usize::from(of.0)].0[k]
    }

    #[inline(always)]
    pub(super) fn put_mask(&mut self, to: B, k: usize, mask: Chunk<Mask, W>) {
        self.b[usize::from(to.0)].0[k] = mask;
    }

    /// Marks the lanes of `active` in which `wrong` is set as faulted.
    #[inline(always)]
    fn mark_faults(&mut self, k: usize, active: B, wrong: Chunk<Mask, W>) {
        let active = self.b[usize::from(active.0)].0[k];
        let fault = self.fault.0[k];
        self.fault.0[k] = W::each(|l| fault[l] | (active[l] & wrong[l]));
    }

    #[inline(always)]
    pub(super) fn const_f(&mut self, to: F, value: f32) {
        for k in self.chunks() {
            self.f[usize::from(to.0)].0[k] = W::each(|_| value);
        }
    }

    #[inline(always)]
    pub(super) fn const_i(&mut self, to: I, value: i64) {
        for k in self.chunks() {
            self.i[usize::from(to.0)].0[k] = W::each(|_| value);
        }
    }

    #[inline(always)]
    pub(super) fn const_b(&mut self, to: B, value: bool) {
        for k in self.chunks() {
            self.b[usize::from(to.0)].0[k] = W::each(|_| mask(value));
        }
    }

    #[inline(always)]
    pub(super) fn select_f(&mut self, to: F, (m, yes, no): (B, F, F)) {
        lanes!(
            self,
            f[to] = |b[m] as m, f[yes] as yes, f[no] as no| if m != 0 { yes } else { no }
        );
    }

    #[inline(always)]
    pub(super) fn select_i(&mut self, to: I, (m, yes, no): (B, I, I)) {
        lanes!(
            self,
            i[to] = |b[m] as m, i[yes] as yes, i[no] as no| if m != 0 { yes } else { no }
        );
    }

    #[inline(always)]
    pub(super) fn select_b(&mut self, to: B, (m, yes, no): (B, B, B)) {
        lanes!(
            self,
            b[to] = |b[m] as m, b[yes] as yes, b[no] as no| (m & yes) | (!m & no)
        );
    }

    #[inline(always)]
    pub(super) fn blend_f(&mut self, to: F, (from, m): (F, B)) {
        self.select_f(to, (m, from, to));
    }

    #[inline(always)]
    pub(super) fn blend_i(&mut self, to: I, (from, m): (I, B)) {
        self.select_i(to, (m, from, to));
    }

    #[inline(always)]
    pub(super) fn blend_b(&mut self, to: B, (from, m): (B, B)) {
        self.select_b(to, (m, from, to));
    }

    #[inline(always)]
    pub(super) fn unary(&mut self, function: Unary, to: F, a: F) {
        apart!(function as FUNCTION: Unary in Neg Abs Floor Ceiling Round Fraction Sqrt Exp {
            lanes!(self, f[to] = |f[a] as a| FUNCTION.apply(a));
        } else {
            self.unary_called(function, to, a);
        });
    }

    #[inline(always)]
    pub(super) fn binary(&mut self, function: Binary, to: F, (a, b): (F, F)) {
        apart!(function as FUNCTION: Binary in Add Sub Mul Div Min Max {
            lanes!(self, f[to] = |f[a] as a, f[b] as b| FUNCTION.apply(a, b));
        } else {
            self.binary_called(function, to, a, b);
        });
    }

    /// For functions that are not instructions of a processor, the loop over lanes costs little in comparison.
    #[inline(never)]
    fn unary_called(&mut self, function: Unary, to: F, a: F) {
        for lane in 0..self.lanes {
            self.set_number(to, lane, function.apply(self.number(a, lane)));
        }
    }

    #[inline(never)]
    pub(super) fn binary_called(&mut self, function: Binary, to: F, a: F, b: F) {
        for lane in 0..self.lanes {
            let (a, b) = (self.number(a, lane), self.number(b, lane));
            self.set_number(to, lane, function.apply(a, b));
        }
    }

    /// Computes a function of two integers that also returns whether it failed.
    #[inline(always)]
    fn i2_of(&mut self, to: I, a: I, b: I, active: B, op: impl Fn(i64, i64) -> (i64, bool)) {
        for k in self.chunks() {
            let x = self.i[usize::from(a.0)].0[k];
            let y = self.i[usize::from(b.0)].0[k];
            self.i[usize::from(to.0)].0[k] = W::each(|l| op(x[l], y[l]).0);
            self.mark_faults(k, active, W::each(|l| mask(op(x[l], y[l]).1)));
        }
    }

    #[inline(never)]
    fn i2_called(
        &mut self,
        to: I,
        a: I,
        b: I,
        active: B,
        op: impl Fn(i64, i64) -> Option<i64> + Copy,
    ) {
        for lane in 0..self.lanes {
            let result = op(self.integer(a, lane), self.integer(b, lane));
            self.set_integer(to, lane, result.unwrap_or(0));
            if result.is_none() && self.boolean(active, lane) {
                self.fail(lane);
            }
        }
    }

    #[inline(always)]
    pub(super) fn i2(&mut self, function: I2, to: I, (a, b): (I, I), active: B) {
        match function {
            // A sum has overflowed if its sign is that of neither operand. A difference has overflowed if the signs
            // of the operands differ and its sign is not that of the first.
            I2::Add => self.i2_of(to, a, b, active, |a, b| {
                let sum = a.wrapping_add(b);
                (sum, (a ^ sum) & (b ^ sum) < 0)
            }),
            I2::Sub => self.i2_of(to, a, b, active, |a, b| {
                let difference = a.wrapping_sub(b);
                (difference, (a ^ b) & (a ^ difference) < 0)
            }),
            I2::Min => lanes!(self, i[to] = |i[a] as a, i[b] as b| a.min(b)),
            I2::Max => lanes!(self, i[to] = |i[a] as a, i[b] as b| a.max(b)),
            I2::Mul => self.i2_called(to, a, b, active, i64::checked_mul),
            I2::Rem => self.i2_called(to, a, b, active, i64::checked_rem),
            I2::Pow => self.i2_called(to, a, b, active, |base, exponent| {
                base.checked_pow(u32::try_from(exponent).ok()?)
            }),
        }
    }

    #[inline(always)]
    pub(super) fn neg_i(&mut self, to: I, a: I, active: B) {
        self.i2_of(to, a, a, active, |a, _| (a.wrapping_neg(), a == i64::MIN));
    }

    #[inline(always)]
    pub(super) fn abs_i(&mut self, to: I, a: I, active: B) {
        self.i2_of(to, a, a, active, |a, _| (a.wrapping_abs(), a == i64::MIN));
    }

    #[inline(always)]
    pub(super) fn number_of(&mut self, to: F, a: I) {
        lanes!(self, f[to] = |i[a] as a| a as f32);
    }

    #[inline(always)]
    pub(super) fn integer_of(&mut self, to: I, a: F, active: B) {
        for k in self.chunks() {
            let x = self.f[usize::from(a.0)].0[k];
            self.i[usize::from(to.0)].0[k] = W::each(|l| x[l] as i64);
            self.mark_faults(k, active, W::each(|l| mask(!x[l].is_finite())));
        }
    }

    #[inline(always)]
    pub(super) fn compare_f(&mut self, how: Compare, to: B, (a, b): (F, F)) {
        apart!(how as HOW: Compare in Eq Ne Lt Le Gt Ge {
            lanes!(self, b[to] = |f[a] as a, f[b] as b| mask(HOW.holds(a, b)));
        });
    }

    #[inline(always)]
    pub(super) fn compare_i(&mut self, how: Compare, to: B, (a, b): (I, I)) {
        apart!(how as HOW: Compare in Eq Ne Lt Le Gt Ge {
            lanes!(self, b[to] = |i[a] as a, i[b] as b| mask(HOW.holds(a, b)));
        });
    }

    #[inline(always)]
    pub(super) fn not(&mut self, to: B, a: B) {
        lanes!(self, b[to] = |b[a] as a| !a);
    }

    #[inline(always)]
    pub(super) fn logic(&mut self, to: B, (a, b): (B, B), of: impl Fn(Mask, Mask) -> Mask) {
        lanes!(self, b[to] = |b[a] as a, b[b] as b| of(a, b));
    }

    #[inline(always)]
    pub(super) fn finite(&mut self, a: V, active: B) {
        for k in self.chunks() {
            let x = self.f[usize::from(a.0.0)].0[k];
            let y = self.f[usize::from(a.1.0)].0[k];
            self.mark_faults(k, active, W::each(|l| mask(!(x[l].is_finite() & y[l].is_finite()))));
        }
    }

    #[inline(always)]
    pub(super) fn fault(&mut self, active: B) {
        for k in self.chunks() {
            self.mark_faults(k, active, W::each(|_| TRUE));
        }
    }

    #[inline(always)]
    pub(super) fn unfaulted(&mut self, to: B, a: B) {
        for k in self.chunks() {
            let a = self.b[usize::from(a.0)].0[k];
            let fault = self.fault.0[k];
            self.b[usize::from(to.0)].0[k] = W::each(|l| a[l] & !fault[l]);
        }
    }
}

#[inline(always)]
pub(super) fn any<W: Width>(lanes: &Chunk<Mask, W>) -> bool {
    (0..W::CHUNK).fold(0, |found, l| found | lanes[l]) != 0
}
