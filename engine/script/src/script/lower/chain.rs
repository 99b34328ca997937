//! Chains such as `a.b(c).d[e]`, and elements of arrays and maps.

use std::rc::Rc;

use rhai::{ASTFlags, Dynamic, Expr, Position};

use super::analysis::ConstantPart;
use super::assignments::is_mutating;
use super::loops::{MAX_UNROLLED, Sequence};
use super::value::{ConstantPick, LoweredValue, TypeCase, type_name};
use super::{Lowering, definitions};
use crate::math::{Compare, Vec2};
use crate::program::{B, Columns, F, I, I2, Type, V};
use crate::script::api::define::Attribute;
use crate::script::problem;
use crate::sim::ValueKind;

/// The tables that constants of one type are picked from.
#[derive(Clone, Copy)]
pub(super) enum ConstantTable {
    Integers(u16),
    Floats(u16),
    Vectors(u16, u16),
    /// Maps are in no table, but their fields may be.
    Maps,
    /// The constants have several types, or a type without columns.
    Other,
}

/// Returns the place of an index in an array, where -1 means its last element; `None` if it is outside.
fn from_either_end(index: i64, length: usize) -> Option<usize> {
    let place = if index < 0 { index.checked_add(length as i64)? } else { index };
    usize::try_from(place).ok().filter(|&place| place < length)
}

impl Lowering<'_> {
    pub(super) fn chain(
        &mut self,
        root: &Expr,
        rest: &Expr,
        is_index: bool,
        flags: ASTFlags,
    ) -> LoweredValue {
        // As in Rhai, all arguments in the chain are evaluated before its first step.
        let mut arguments = Vec::new();
        self.evaluate_arguments(rest, is_index, flags, &mut arguments);
        arguments.reverse();
        let base = match root {
            // Such a method does not fail if elements that earlier calls have added are missing.
            Expr::Variable(variable, _, at) if variable.2.is_empty() && is_mutating(rest) => {
                self.declared_value(&variable.1, *at)
            }
            _ => self.expression(root),
        };
        self.evaluate_chain(base, rest, is_index, flags, &mut arguments)
    }

    fn evaluate_arguments(
        &mut self,
        rest: &Expr,
        is_index: bool,
        flags: ASTFlags,
        all: &mut Vec<Vec<LoweredValue>>,
    ) {
        self.nodes += 1;
        match rest {
            Expr::Dot(parts, own, _) | Expr::Index(parts, own, _)
                if !is_index || !flags.contains(ASTFlags::BREAK) =>
            {
                self.evaluate_arguments_of(&parts.lhs, is_index, all);
                let next = matches!(rest, Expr::Index(..));
                self.evaluate_arguments(&parts.rhs, next, *own, all);
            }
            one => self.evaluate_arguments_of(one, is_index, all),
        }
    }

    fn evaluate_arguments_of(
        &mut self,
        one: &Expr,
        is_index: bool,
        all: &mut Vec<Vec<LoweredValue>>,
    ) {
        match one {
            Expr::MethodCall(call, _) if !is_index => {
                let mut values = Vec::with_capacity(call.args.len());
                for argument in &call.args {
                    values.push(match argument {
                        Expr::Map(scores, _) if Self::is_chooser(&call.name) => {
                            self.scores(&scores.0)
                        }
                        Expr::Map(state, _) if Self::takes_state(&call.name) => {
                            self.new_state(&state.0)
                        }
                        _ => match self.closure(argument) {
                            Some(closure) => closure,
                            None => self.expression(argument),
                        },
                    });
                }
                all.push(values);
            }
            Expr::Property(..) if !is_index => {}
            index => {
                let value = self.expression(index);
                all.push(vec![value]);
            }
        }
    }

    fn evaluate_chain(
        &mut self,
        base: LoweredValue,
        rest: &Expr,
        is_index: bool,
        flags: ASTFlags,
        arguments: &mut Vec<Vec<LoweredValue>>,
    ) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        // `a?.b` is `()` where `a` is `()`.
        if flags.contains(ASTFlags::NEGATED)
            && let LoweredValue::Typed(cases) = &base
            && let Some(nothing) = cases.iter().find(|case| case.ty == Type::Nothing)
        {
            let there = cases.iter().filter(|case| case.ty != Type::Nothing);
            let mut there: Vec<TypeCase> = there.copied().collect();
            let Some(missing) = nothing.mask.filter(|_| !there.is_empty()) else {
                return LoweredValue::nothing();
            };
            if let [only] = &mut there[..] {
                only.mask = None;
            }
            self.active = Some(self.emit.and_not(active, missing));
            let flags = flags - ASTFlags::NEGATED;
            let value =
                self.evaluate_chain(LoweredValue::Typed(there), rest, is_index, flags, arguments);
            self.active = Some(active);
            return self.merge(missing, LoweredValue::nothing(), value, rest.position());
        }
        match rest {
            Expr::Dot(parts, own, _) | Expr::Index(parts, own, _)
                if !is_index || !flags.contains(ASTFlags::BREAK) =>
            {
                let next = self.evaluate_step(base, &parts.lhs, is_index, arguments);
                self.evaluate_chain(
                    next,
                    &parts.rhs,
                    matches!(rest, Expr::Index(..)),
                    *own,
                    arguments,
                )
            }
            one => {
                let value = self.evaluate_step(base, one, is_index, arguments);
                if let (Expr::Property(_, position), false) = (one, is_index) {
                    self.note_value(&value, *position, ValueKind::Result);
                }
                value
            }
        }
    }

    fn evaluate_step(
        &mut self,
        base: LoweredValue,
        one: &Expr,
        is_index: bool,
        arguments: &mut Vec<Vec<LoweredValue>>,
    ) -> LoweredValue {
        if self.active.is_none() {
            return LoweredValue::never();
        }
        match one {
            Expr::MethodCall(call, position) if !is_index => {
                let mut values = vec![base];
                values.extend(arguments.pop().unwrap_or_default());
                let found = definitions::find(&call.name, &values);
                // Counting a query too many is harmless: at worst the interpreter takes a turn that it need not
                // take.
                let is_open = matches!(
                    values[0],
                    LoweredValue::Me | LoweredValue::World | LoweredValue::Neighborhood(_)
                );
                self.queries +=
                    usize::from(found.map_or(is_open, |one| one.has(Attribute::Queries)));
                if self.script_defines(&call.name, values.len() - 1) {
                    return self.leave_with_help(
                        "calling a function of the script as a method",
                        "write `f(x)` instead of `x.f()`",
                        *position,
                    );
                }
                let value = self.native(&call.name, values, *position);
                self.note_types(&value, *position);
                self.note_value(&value, *position, ValueKind::Result);
                value
            }
            Expr::Property(property, position) if !is_index => {
                let found = definitions::find_property(&property.2, &base);
                let is_open = matches!(base, LoweredValue::World | LoweredValue::Neighborhood(_));
                self.queries +=
                    usize::from(found.map_or(is_open, |one| one.has(Attribute::Queries)));
                let value = self.property(&base, &property.2, *position);
                self.note_types(&value, *position);
                value
            }
            index => {
                self.queries += usize::from(matches!(base, LoweredValue::Neighborhood(_)));
                let place = arguments.pop().and_then(|mut values| values.pop());
                let position = index.start_position();
                match place {
                    Some(place) => self.element(&base, &place, position),
                    None => self.leave_to_interpreter("this element", position),
                }
            }
        }
    }

    /// Returns whether the script has a function of this name and number of parameters.
    pub(super) fn script_defines(&self, name: &str, parameters: usize) -> bool {
        let frame = self.frames.last();
        frame.is_some_and(|frame| frame.analysis.defines(name, parameters))
    }

    /// Lowers `base[place]`.
    fn element(
        &mut self,
        base: &LoweredValue,
        place: &LoweredValue,
        position: Position,
    ) -> LoweredValue {
        if self.active.is_none() {
            return LoweredValue::never();
        }
        if let (
            LoweredValue::State
            | LoweredValue::OtherState(_)
            | LoweredValue::Params
            | LoweredValue::Inputs
            | LoweredValue::Shared,
            LoweredValue::Typed(cases),
        ) = (base, place)
            && let [case] = &cases[..]
            && case.ty == Type::String
            && let Some(name) = self.known_string_at(case.columns)
        {
            return self.property(base, &name, position);
        }
        if matches!(base, LoweredValue::Interpreted) || matches!(place, LoweredValue::Interpreted) {
            return LoweredValue::Interpreted;
        }
        let LoweredValue::Typed(cases) = place else {
            return self.leave_computed_index(base, position);
        };
        let [TypeCase { ty: Type::Int, columns: Columns::I(at), .. }] = cases[..] else {
            let is_array = matches!(base, LoweredValue::Array(_) | LoweredValue::List(_))
                || matches!(base, LoweredValue::Constant(pick) if pick.candidates.iter().all(Dynamic::is_array));
            return match cases[..] {
                [TypeCase { ty, .. }] if is_array && ty != Type::Nothing => {
                    self.fail(problem::mismatch(type_name(ty), "an integer"), position)
                }
                _ => self.leave_computed_index(base, position),
            };
        };
        match base {
            LoweredValue::Array(items) => {
                if let Some(place) = self.known_integer(at) {
                    return match from_either_end(place, items.len()) {
                        Some(place) => items[place].clone(),
                        None => self.outside_array(items.len(), place, position),
                    };
                }
                self.picked_item(items, at, position)
            }
            LoweredValue::Constant(pick) if pick.index.is_none() => {
                self.constant_element(pick, at, position)
            }
            LoweredValue::Typed(cases) if cases.is_empty() => LoweredValue::never(),
            LoweredValue::List(_) | LoweredValue::Neighborhood(_) | LoweredValue::Obstacles => {
                match self.sequence(base) {
                    Some(sequence) => self.picked_element(&sequence, at),
                    None => LoweredValue::never(),
                }
            }
            _ => self.leave_element(base, position),
        }
    }

    /// Lowers an element of a constant that is an array.
    fn constant_element(
        &mut self,
        constant: &ConstantPick,
        at: I,
        position: Position,
    ) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        let Some(items) = self.elements(&constant.candidates) else {
            return self.leave_element(&LoweredValue::Constant(constant.clone()), position);
        };
        if let Some(place) = self.known_integer(at) {
            return match from_either_end(place, items.len()) {
                Some(place) => self.constant_at(&items, place),
                None => self.outside_array(items.len(), place, position),
            };
        }
        if let ConstantTable::Other = self.constant_table(&items)
            && items.len() <= MAX_UNROLLED
        {
            let all: Vec<LoweredValue> =
                (0..items.len()).map(|place| self.constant_at(&items, place)).collect();
            return self.picked_item(&all, at, position);
        }
        // This faults the lanes whose index is out of range, while the length is known.
        let table = self.index_table(items.len());
        let place = self.emit.look_up_i(table, at, active);
        self.picked_constant(ConstantPick { candidates: items, index: Some(place) }, position)
    }

    /// Leaves an element of a value that has none, or none that is known here, to the interpreter.
    fn leave_element(&mut self, base: &LoweredValue, position: Position) -> LoweredValue {
        let what = format!("an element of {}", base.description());
        self.leave_to_interpreter(&what, position)
    }

    /// Returns the element of a sequence that each lane picks. Lanes with an index outside of it are faulted.
    fn picked_element(&mut self, sequence: &Sequence, at: I) -> LoweredValue {
        let (Some(active), Some(count)) = (self.active, sequence.count()) else {
            return LoweredValue::never();
        };
        let zero = self.emit.const_i(0);
        let from_end = self.emit.i2(I2::Add, at, count, active);
        let is_negative = self.emit.cmp_i(Compare::Lt, at, zero);
        let selected = self.emit.select(is_negative, Columns::I(from_end), Columns::I(at));
        let Columns::I(index) = selected else {
            return LoweredValue::never();
        };
        let is_not_before = self.emit.cmp_i(Compare::Ge, index, zero);
        let is_not_after = self.emit.cmp_i(Compare::Lt, index, count);
        let is_inside = self.emit.and(is_not_before, is_not_after);
        let outside = self.emit.and_not(active, is_inside);
        self.emit.fault(outside);
        self.element_of(sequence, index)
    }

    fn outside_array(&mut self, length: usize, place: i64, position: Position) -> LoweredValue {
        self.fail_for_value(problem::outside_array(length, place), position)
    }

    /// Leaves an index that is not surely an integer to the interpreter.
    fn leave_computed_index(&mut self, base: &LoweredValue, position: Position) -> LoweredValue {
        let (what, help) = match base {
            LoweredValue::State => {
                ("a state whose name is computed", "write the name, as in `me.state.x`")
            }
            LoweredValue::OtherState(_) => {
                ("a state whose name is computed", "write the name, as in `other.state.x`")
            }
            LoweredValue::Shared => {
                ("a shared value whose name is computed", "write the name, as in `world.shared.x`")
            }
            LoweredValue::Params => {
                ("a param whose name is computed", "write the name, as in `me.params.x`")
            }
            LoweredValue::Inputs => {
                ("an input whose name is computed", "write the name, as in `world.inputs.x`")
            }
            _ => (
                "an index that may not be an integer",
                "convert it with `to_int()`; the field of a map is `map.field`",
            ),
        };
        self.leave_with_help(what, help, position)
    }

    /// Returns the element of a list that each lane picks. Lanes with an index outside of it are faulted.
    fn picked_item(&mut self, items: &[LoweredValue], at: I, position: Position) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        if items.is_empty() || items.len() > MAX_UNROLLED {
            return self.leave_with_help(
                &format!("a computed index into an array without elements or with more than {MAX_UNROLLED}"),
                "make it a `const` array",
                position,
            );
        }
        // This faults the lanes whose index is out of range.
        let table = self.index_table(items.len());
        let at = self.emit.look_up_i(table, at, active);
        let mut masks = Vec::with_capacity(items.len());
        for place in 0..items.len() {
            let place = self.emit.const_i(place as i64);
            masks.push(self.emit.cmp_i(Compare::Eq, at, place));
        }
        match self.picked_of(items, &masks) {
            Some(item) => item,
            None => self.leave_with_help(
                "a computed index into an array of arrays of different lengths, neighborhoods or maps",
                "choose with `switch`",
                position,
            ),
        }
    }

    /// Returns for each lane the item whose mask holds; `None` if columns cannot hold that.
    fn picked_of(&mut self, items: &[LoweredValue], masks: &[B]) -> Option<LoweredValue> {
        let mut results = Vec::with_capacity(items.len());
        let mut lists = Vec::new();
        for (item, &here) in items.iter().zip(masks) {
            match item {
                LoweredValue::Typed(cases) => {
                    for case in cases {
                        let mask = case.mask.map_or(here, |own| self.emit.and(here, own));
                        results.push((Some(mask), case.ty, case.columns));
                    }
                }
                other => lists.push(self.items_of(other)?),
            }
        }
        if lists.is_empty() {
            return Some(self.combined_cases(results));
        }
        let length = lists[0].len();
        if !results.is_empty() || lists.iter().any(|list| list.len() != length) {
            return None;
        }
        let mut picked = Vec::with_capacity(length);
        for place in 0..length {
            let column: Vec<LoweredValue> = lists.iter().map(|list| list[place].clone()).collect();
            picked.push(self.picked_of(&column, masks)?);
        }
        self.nodes += length * items.len();
        Some(LoweredValue::Array(Rc::new(picked)))
    }

    /// Returns the elements of an array of known length, if there are not too many.
    pub(super) fn items_of(&mut self, array: &LoweredValue) -> Option<Vec<LoweredValue>> {
        match array {
            LoweredValue::Array(items) if items.len() <= MAX_UNROLLED => Some(items.to_vec()),
            LoweredValue::Constant(pick) if pick.index.is_none() => {
                let items = self.elements(&pick.candidates)?;
                let all = 0..items.len();
                (all.len() <= MAX_UNROLLED)
                    .then(|| all.map(|place| self.constant_at(&items, place)).collect())
            }
            _ => None,
        }
    }

    /// Returns the elements of a constant array.
    pub(super) fn elements(&self, candidates: &Rc<Vec<Dynamic>>) -> Option<Rc<Vec<Dynamic>>> {
        let elements = |candidates: &[Dynamic]| -> Option<Vec<Dynamic>> {
            let array = candidates.first()?.read_lock::<rhai::Array>()?;
            Some(array.clone())
        };
        let is_array = candidates.first().is_some_and(Dynamic::is_array);
        is_array.then(|| {
            self.analyses.constant_part(candidates, ConstantPart::Elements, |candidates| {
                elements(candidates).unwrap_or_default()
            })
        })
    }

    /// Returns one of several constants, by an index that is known before the run.
    pub(super) fn constant_at(&mut self, items: &Rc<Vec<Dynamic>>, place: usize) -> LoweredValue {
        match items.get(place) {
            Some(item) if item.is_array() || item.is_map() => {
                let one = |items: &[Dynamic]| vec![items[place].clone()];
                let candidates = self.analyses.constant_part(items, ConstantPart::One(place), one);
                LoweredValue::Constant(ConstantPick { candidates, index: None })
            }
            Some(item) => self.constant(item),
            None => LoweredValue::never(),
        }
    }

    /// Returns one of several constants, in columns if all have one type.
    pub(super) fn picked_constant(
        &mut self,
        pick: ConstantPick,
        position: Position,
    ) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        let Some(at) = pick.index else {
            return match pick.candidates.first() {
                Some(_) => self.constant_at(&pick.candidates, 0),
                None => self.leave_to_interpreter("this element", position),
            };
        };
        match self.constant_table(&pick.candidates) {
            ConstantTable::Integers(table) => {
                LoweredValue::integer(self.emit.look_up_i(table, at, active))
            }
            ConstantTable::Floats(table) => LoweredValue::number(self.look_up(table, at)),
            ConstantTable::Vectors(x, y) => {
                LoweredValue::vector(V(self.look_up(x, at), self.look_up(y, at)))
            }
            ConstantTable::Maps => LoweredValue::Constant(pick),
            ConstantTable::Other => self.leave_with_help(
                "a computed index into an array of strings, booleans, arrays or several types",
                "use one `const` array for each type",
                position,
            ),
        }
    }

    fn look_up(&mut self, table: u16, at: I) -> F {
        match self.active {
            Some(active) => self.emit.look_up_f(table, at, active),
            None => self.emit.new_f(),
        }
    }

    /// Returns the table of a list of constants. It is made once.
    fn constant_table(&mut self, candidates: &Rc<Vec<Dynamic>>) -> ConstantTable {
        if let Some(&(_, table)) = self.tables.get(&Rc::as_ptr(candidates)) {
            return table;
        }
        self.constants_copied += candidates.len();
        let all =
            |test: fn(&Dynamic) -> bool| !candidates.is_empty() && candidates.iter().all(test);
        let vector = |v: &Dynamic| v.read_lock::<Vec2>().map(|v| *v);
        let table = if all(Dynamic::is_int) {
            let numbers = candidates.iter().filter_map(|x| x.as_int().ok());
            ConstantTable::Integers(self.emit.table_i(numbers.collect()))
        } else if all(Dynamic::is_float) {
            let numbers = candidates.iter().filter_map(|x| x.as_float().ok());
            ConstantTable::Floats(self.emit.table_f(numbers.collect()))
        } else if all(Dynamic::is::<Vec2>) {
            let vectors: Vec<Vec2> = candidates.iter().filter_map(vector).collect();
            let x = self.emit.table_f(vectors.iter().map(|v| v.x).collect());
            let y = self.emit.table_f(vectors.iter().map(|v| v.y).collect());
            ConstantTable::Vectors(x, y)
        } else if all(Dynamic::is_map) {
            ConstantTable::Maps
        } else {
            ConstantTable::Other
        };
        self.tables.insert(Rc::as_ptr(candidates), (Rc::clone(candidates), table));
        table
    }

    /// Returns the table that maps each index below a count to itself. It is made once.
    fn index_table(&mut self, count: usize) -> u16 {
        if let Some(&table) = self.index_tables.get(&count) {
            return table;
        }
        self.constants_copied += count;
        let table = self.emit.table_i((0..count as i64).collect());
        self.index_tables.insert(count, table);
        table
    }

    /// Returns the string that a column of strings is known to hold.
    pub(super) fn known_string_at(&self, at: Columns) -> Option<String> {
        let Columns::I(at) = at else { return None };
        if self.group_column == Some(at) {
            self.uses_group_name.set(true);
            return self.facts.group_name().map(ToString::to_string);
        }
        let place = usize::try_from(self.known_integer(at)?).ok()?;
        self.emit.program.strings.get(place).map(ToString::to_string)
    }

    /// Returns the integer that a column is known to hold.
    pub(super) fn known_integer(&self, at: I) -> Option<i64> {
        self.emit.constant_i(at)
    }
}
