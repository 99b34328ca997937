//! Functions without a name, and the functions of arrays and neighborhoods that call one for each element: `map`,
//! `filter`, `some`, `all` and `reduce`. They become loops with a result that is kept from round to round.

use std::rc::Rc;

use rhai::{Dynamic, Expr, FnPtr, Position, Stmt};

use super::loops::Sequence;
use super::tracked::Tracked;
use super::value::{Closure, List, LoweredValue, StoredElements, TypeCase};
use super::{CallFrame, Lowering};
use crate::math::{Binary, Compare};
use crate::program::{B, Columns, I, I2, Type};
use crate::script::limits::ELEMENTS_PER_ENTRY;
use crate::script::meter::ELEMENTS_PER_WEIGHT;

/// How much each element adds to the weight of a step, at most.
const WEIGHT_PER_ELEMENT: f32 = ELEMENTS_PER_ENTRY as f32 / ELEMENTS_PER_WEIGHT as f32;

/// Maximum weight of a step, so that variables surely hold less data than the interpreter allows.
const MAX_STEP_WEIGHT: i64 = 50;

/// A call of a closure for each element of an array or a neighborhood.
#[derive(Clone, Copy)]
struct Callback<'c> {
    closure: &'c Closure,
    /// Whether the closure also takes the index of the element.
    takes_index: bool,
    position: Position,
}

impl Lowering<'_> {
    /// Returns the closure that an argument is, if it is one.
    ///
    /// Other uses of a closure with captured variables are left to the interpreter: such a variable may change before
    /// the closure is called.
    pub(super) fn closure(&mut self, argument: &Expr) -> Option<LoweredValue> {
        let Expr::Stmt(block) = argument else {
            return None;
        };
        let [Stmt::Share(_), Stmt::Expr(_) | Stmt::FnCall(..)] = block.statements() else {
            return None;
        };
        let call = match &block.statements()[1] {
            Stmt::FnCall(call, _) => &**call,
            Stmt::Expr(expression) => match &**expression {
                Expr::FnCall(call, _) => &**call,
                _ => return None,
            },
            _ => return None,
        };
        let [Expr::DynamicConstant(function, _), variables @ ..] = &call.args[..] else {
            return None;
        };
        let name = closure_name(function).filter(|_| call.name == "curry")?;
        let ids = self.constant_ids(variables);
        let values = variables.iter().map(|variable| self.expression(variable));
        let captured = values.zip(ids).collect();
        Some(LoweredValue::Closure(Rc::new(Closure { name, captured })))
    }

    /// Returns a constant as a closure that captures nothing, if it is one.
    pub(super) fn closure_of(value: &Dynamic) -> Option<LoweredValue> {
        let closure = Closure { name: closure_name(value)?, captured: Vec::new() };
        Some(LoweredValue::Closure(Rc::new(closure)))
    }

    /// Leaves a closure to the interpreter.
    pub(super) fn leave_closure(&mut self, position: Position) -> LoweredValue {
        self.leave_with_help(
            "a closure that is not written in the call of `map`, `filter`, `some`, `all` or `reduce`",
            "write it there, or write a `for` loop or a function with a name",
            position,
        )
    }

    /// Lowers a function that calls a closure for each element; `None` for other functions.
    pub(super) fn call_with_closure(
        &mut self,
        name: &str,
        values: &[LoweredValue],
        position: Position,
    ) -> Option<LoweredValue> {
        let (of, closure, initial) = match values {
            [of, LoweredValue::Closure(closure)] => (of, closure, None),
            [of, LoweredValue::Closure(closure), initial] if name == "reduce" => {
                (of, closure, Some(initial))
            }
            _ => return None,
        };
        let is_neighborhood = matches!(of, LoweredValue::Neighborhood(_));
        let elements = match name {
            "map" | "filter" => 1,
            "some" | "all" if !is_neighborhood => 1,
            "reduce" if !is_neighborhood => 2,
            _ => return None,
        };
        let parameters = self.own_parameters(closure)?;
        let takes_index = parameters == elements + 1 && !is_neighborhood;
        if parameters != elements && !takes_index {
            return None;
        }
        let callback = Callback { closure, takes_index, position };
        let sequence = self.sequence(of)?;
        Some(match name {
            "map" => self.map(&sequence, callback),
            "filter" => self.filter(&sequence, callback, is_neighborhood),
            "reduce" => {
                let first = initial.cloned().unwrap_or_else(LoweredValue::nothing);
                self.reduce(&sequence, callback, &first)
            }
            name => self.search(&sequence, callback, name == "all"),
        })
    }

    /// Returns the number of parameters of a closure without the captured variables; `None` if it assigns to one of
    /// these. Assignments to parts of `me` change the agent.
    fn own_parameters(&mut self, closure: &Closure) -> Option<usize> {
        let analysis = Rc::clone(&self.frame().analysis);
        let captured = closure.captured.len();
        let parameters =
            (captured..captured + 4).find(|&all| analysis.defines(&closure.name, all))?;
        let body = analysis.body(&closure.name, parameters);
        let mut known = body.parameters.iter().zip(&closure.captured);
        let is_kept = known.all(|(name, (value, _))| match value {
            LoweredValue::Me => !body.changed_as_whole.contains(name),
            _ => !body.assigned.contains(name),
        });
        is_kept.then(|| parameters - captured)
    }

    /// Calls a closure with some values before the index.
    fn call_closure(
        &mut self,
        callback: Callback<'_>,
        own: impl IntoIterator<Item = LoweredValue>,
        index: I,
    ) -> LoweredValue {
        let Some(CallFrame { script, .. }) = self.frames.last() else {
            return LoweredValue::never();
        };
        let script = *script;
        let Closure { name, captured } = callback.closure;
        let (mut values, ids): (Vec<_>, Vec<_>) = captured.iter().cloned().unzip();
        values.extend(own);
        if callback.takes_index {
            values.push(LoweredValue::integer(index));
        }
        self.inline_call(script, name, values, &ids, callback.position)
    }

    fn map(&mut self, sequence: &Sequence, callback: Callback<'_>) -> LoweredValue {
        let count = match (sequence, sequence.count()) {
            (Sequence::Items(items), _) => return self.map_items(items, callback),
            (_, Some(count)) => self.emit.copy(Columns::I(count)),
            _ => Columns::None,
        };
        let Columns::I(count) = count else {
            return LoweredValue::never();
        };
        let mut stored = None;
        let mut is_interpreted = false;
        self.for_each(sequence, &[], |this, index, item, _| {
            let value = this.call_closure(callback, [item], index);
            let Some(active) = this.active else { return };
            match single(&value) {
                Some(case) => {
                    let elements = this.emit.array(case.columns.bank());
                    this.emit.store(elements, index, case.columns, active);
                    stored = Some((case.ty, elements));
                }
                None => is_interpreted |= this.is_left(&value, callback),
            }
        });
        if is_interpreted {
            return self.give_up();
        }
        self.list(count, stored)
    }

    /// Lowers `map` of elements that are known one by one.
    fn map_items(&mut self, items: &[LoweredValue], callback: Callback<'_>) -> LoweredValue {
        let mut results = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let index = self.emit.const_i(index as i64);
            results.push(self.call_closure(callback, [item.clone()], index));
            self.nodes += ELEMENTS_PER_ENTRY;
            if self.active.is_none() {
                return LoweredValue::never();
            }
        }
        LoweredValue::Array(Rc::new(results))
    }

    fn filter(
        &mut self,
        sequence: &Sequence,
        callback: Callback<'_>,
        needs_boolean: bool,
    ) -> LoweredValue {
        let Some(entered) = self.active else {
            return LoweredValue::never();
        };
        let (zero, one) = (self.emit.const_i(0), self.emit.const_i(1));
        let kept = self.emit.new_i();
        self.emit.blend(Columns::I(kept), Columns::I(zero), entered);
        let mut stored: Option<(Type, StoredElements)> = None;
        let mut is_interpreted = false;
        self.for_each(sequence, &[], |this, index, item, _| {
            let value = this.call_closure(callback, [item.clone()], index);
            let Some(active) = this.active else { return };
            let (Some(truth), Some(case)) = (this.holds(&value, needs_boolean), single(&item))
            else {
                is_interpreted |= this.is_left(&value, callback);
                return;
            };
            let (_, elements) =
                *stored.get_or_insert_with(|| (case.ty, this.emit.array(case.columns.bank())));
            if stored.is_some_and(|(ty, _)| ty != case.ty) {
                is_interpreted |= this.is_left(&item, callback);
                return;
            }
            let pass = this.emit.and(active, truth);
            this.emit.store(elements, kept, case.columns, pass);
            let next = this.emit.i2(I2::Add, kept, one, pass);
            this.emit.blend(Columns::I(kept), Columns::I(next), pass);
        });
        if is_interpreted {
            return self.give_up();
        }
        self.list(kept, stored)
    }

    /// Lowers `some`, or `all`.
    fn search(
        &mut self,
        sequence: &Sequence,
        callback: Callback<'_>,
        is_all: bool,
    ) -> LoweredValue {
        let Some(entered) = self.active else {
            return LoweredValue::never();
        };
        let (yes, no) = (self.emit.const_b(true), self.emit.const_b(false));
        let is_found = self.emit.new_b();
        self.emit.blend(Columns::B(is_found), Columns::B(no), entered);
        let mut is_interpreted = false;
        self.for_each(sequence, &[], |this, index, item, running| {
            let value = this.call_closure(callback, [item], index);
            let Some(active) = this.active else { return };
            let Some(truth) = this.holds(&value, false) else {
                is_interpreted |= this.is_left(&value, callback);
                return;
            };
            let found = if is_all {
                this.emit.and_not(active, truth)
            } else {
                this.emit.and(active, truth)
            };
            this.emit.blend(Columns::B(is_found), Columns::B(yes), found);
            this.emit.blend(Columns::B(running), Columns::B(no), found);
        });
        if is_interpreted {
            return self.give_up();
        }
        LoweredValue::boolean(if is_all { self.emit.not(is_found) } else { is_found })
    }

    fn reduce(
        &mut self,
        sequence: &Sequence,
        callback: Callback<'_>,
        first: &LoweredValue,
    ) -> LoweredValue {
        let position = callback.position;
        let call_path = self.frame().call_path;
        let key = Tracked::Variable(call_path, super::tracked::spot(position), "reduce".to_owned());
        let id = self.inferred.tracked.id(key);
        self.assign_stored(id, first, position);
        if first.types().is_none() {
            return LoweredValue::Interpreted;
        }
        self.narrowed_types.remove(id);
        self.for_each(sequence, &[], |this, index, item, _| {
            let so_far = this.read_stored(id);
            let value = this.call_closure(callback, [so_far, item], index);
            if this.active.is_some() {
                this.assign_stored(id, &value, position);
            }
            this.narrowed_types.remove(id);
        });
        self.narrowed_types.remove(id);
        self.read_stored(id)
    }

    /// Returns where a result of a closure is `true`; `None` if only the interpreter knows. Other values than booleans
    /// are faults if a boolean is needed, otherwise they count as `false`.
    fn holds(&mut self, value: &LoweredValue, needs_boolean: bool) -> Option<B> {
        let LoweredValue::Typed(cases) = value else {
            return None;
        };
        let boolean = cases.iter().find_map(|case| match case.columns {
            Columns::B(truth) => Some((truth, case.mask)),
            _ => None,
        });
        let Some((truth, mask)) = boolean else {
            return (!needs_boolean && !cases.is_empty()).then(|| self.emit.const_b(false));
        };
        let Some(mask) = mask else { return Some(truth) };
        if let Some(active) = self.active.filter(|_| needs_boolean) {
            let other = self.emit.and_not(active, mask);
            self.emit.fault(other);
        }
        Some(self.emit.and(truth, mask))
    }

    /// Leaves lanes to the interpreter because of a value that no column of one type holds. Returns whether there are
    /// any.
    fn is_left(&mut self, value: &LoweredValue, callback: Callback<'_>) -> bool {
        if !value.is_never() && !matches!(value, LoweredValue::Interpreted) {
            self.leave_with_help(
                "a closure whose values may have several types",
                "let it always return a number, or always a vector, a boolean or an agent",
                callback.position,
            );
        }
        !value.is_never()
    }

    /// Returns a new array as a value, with the type and the arrays of its elements. If it has none, lanes with
    /// elements do not get here.
    fn list(&mut self, count: I, stored: Option<(Type, StoredElements)>) -> LoweredValue {
        self.count_elements(count);
        match stored {
            Some((ty, elements)) => LoweredValue::List(Rc::new(List { count, ty, elements })),
            None => LoweredValue::Array(Rc::default()),
        }
    }

    /// Returns the column that steps are multiplied by, if there may be arrays of any length.
    pub(super) fn step_weight(&mut self) -> Option<I> {
        if self.step_weight.is_none() && self.analyses.has_closures() {
            let weight = self.emit.new_i();
            self.emit.set_at_start(weight, 1);
            self.step_weight = Some(weight);
        }
        self.step_weight
    }

    /// Counts the elements of a new array: while variables hold it, each step of the interpreter counts more. Lanes in
    /// which variables may hold too much are faulted.
    fn count_elements(&mut self, count: I) {
        let (Some(active), Some(weight)) = (self.active, self.step_weight()) else {
            return;
        };
        let before = self.emit.new_i();
        self.emit.set_at_start(before, 0);
        let number = self.emit.as_f(count);
        let share = self.const_f(WEIGHT_PER_ELEMENT);
        let added = self.emit.f2(Binary::Mul, number, share);
        let added = self.emit.as_i(added, active);
        let one = self.emit.const_i(1);
        let added = self.emit.i2(I2::Add, added, one, active);
        let difference = self.emit.i2(I2::Sub, added, before, active);
        let sum = self.emit.i2(I2::Add, weight, difference, active);
        self.emit.blend(Columns::I(before), Columns::I(added), active);
        self.emit.blend(Columns::I(weight), Columns::I(sum), active);
        let most = self.emit.const_i(MAX_STEP_WEIGHT);
        let over = self.emit.cmp_i(Compare::Gt, sum, most);
        let over = self.emit.and(active, over);
        self.emit.fault(over);
    }
}

/// Returns the only type that a value has, and its columns.
fn single(value: &LoweredValue) -> Option<TypeCase> {
    match value {
        LoweredValue::Typed(cases) => match cases[..] {
            [case @ TypeCase { mask: None, .. }] => Some(case),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the name of the function that a closure is.
fn closure_name(value: &Dynamic) -> Option<String> {
    let function = value.read_lock::<FnPtr>()?;
    let is_closure = function.is_anonymous() && function.curry().is_empty();
    is_closure.then(|| function.fn_name().to_owned())
}
