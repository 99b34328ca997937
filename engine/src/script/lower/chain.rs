//! Chains: `a.b(c).d[e]`, and elements of what is known.

use std::rc::Rc;

use rhai::{ASTFlags, Dynamic, Expr, Position};

use super::digest::Part;
use super::value::{Alt, Pick, Val, name};
use super::{Lower, definitions};
use crate::math::Vec2;
use crate::program::{Columns, F, I, Type, V};
use crate::script::api::define::Attribute;
use crate::script::error;

/// Where constants of one type are that are picked from.
#[derive(Clone, Copy)]
pub(super) enum Table {
    Integers(u16),
    Floats(u16),
    Vectors(u16, u16),
    /// In no table: a field of them may be.
    Maps,
    /// Of different kinds, or of one that no column can hold.
    Mixed,
}

impl Lower<'_> {
    pub(super) fn parts(
        &mut self,
        root: &Expr,
        rest: &Expr,
        is_index: bool,
        flags: ASTFlags,
    ) -> Val {
        // All arguments on the way come before the first step.
        let mut arguments = Vec::new();
        self.gather(rest, is_index, flags, &mut arguments);
        arguments.reverse();
        let base = self.expression(root);
        self.walk_on(base, rest, is_index, flags, &mut arguments)
    }

    fn gather(&mut self, rest: &Expr, is_index: bool, flags: ASTFlags, all: &mut Vec<Vec<Val>>) {
        self.nodes += 1;
        match rest {
            Expr::Dot(parts, own, _) | Expr::Index(parts, own, _)
                if !is_index || !flags.contains(ASTFlags::BREAK) =>
            {
                self.gather_one(&parts.lhs, is_index, all);
                let next = matches!(rest, Expr::Index(..));
                self.gather(&parts.rhs, next, *own, all);
            }
            one => self.gather_one(one, is_index, all),
        }
    }

    fn gather_one(&mut self, one: &Expr, is_index: bool, all: &mut Vec<Vec<Val>>) {
        match one {
            Expr::MethodCall(call, _) if !is_index => {
                let mut values = Vec::with_capacity(call.args.len());
                for argument in &call.args {
                    values.push(self.expression(argument));
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

    fn walk_on(
        &mut self,
        base: Val,
        rest: &Expr,
        is_index: bool,
        flags: ASTFlags,
        arguments: &mut Vec<Vec<Val>>,
    ) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        // `a?.b` is nothing where `a` is.
        if flags.contains(ASTFlags::NEGATED)
            && let Val::Alts(alts) = &base
            && let Some(nothing) = alts.iter().find(|alt| alt.is == Type::Nothing)
        {
            let there = alts.iter().filter(|alt| alt.is != Type::Nothing);
            let mut there: Vec<Alt> = there.copied().collect();
            let Some(missing) = nothing.mask.filter(|_| !there.is_empty()) else {
                return Val::nothing();
            };
            if let [only] = &mut there[..] {
                only.mask = None;
            }
            self.active = Some(self.emit.and_not(active, missing));
            let flags = flags - ASTFlags::NEGATED;
            let value = self.walk_on(Val::Alts(there), rest, is_index, flags, arguments);
            self.active = Some(active);
            return self.merge(missing, Val::nothing(), value, rest.position());
        }
        match rest {
            Expr::Dot(parts, own, _) | Expr::Index(parts, own, _)
                if !is_index || !flags.contains(ASTFlags::BREAK) =>
            {
                let next = self.step(base, &parts.lhs, is_index, arguments);
                self.walk_on(next, &parts.rhs, matches!(rest, Expr::Index(..)), *own, arguments)
            }
            one => self.step(base, one, is_index, arguments),
        }
    }

    fn step(
        &mut self,
        base: Val,
        one: &Expr,
        is_index: bool,
        arguments: &mut Vec<Vec<Val>>,
    ) -> Val {
        if self.active.is_none() {
            return Val::never();
        }
        match one {
            Expr::MethodCall(call, position) if !is_index => {
                let mut values = vec![base];
                values.extend(arguments.pop().unwrap_or_default());
                let found = definitions::find(&call.name, &values);
                // One too many only has the interpreter take a turn that could do without it.
                let is_open = matches!(values[0], Val::Me | Val::World | Val::Near(_));
                self.questions += usize::from(found.map_or(is_open, |one| one.has(Attribute::Queries)));
                if self.script_defines(&call.name, values.len() - 1) {
                    return self.slow("a function of the script called on something", *position);
                }
                self.native(&call.name, values, *position)
            }
            Expr::Property(property, position) if !is_index => {
                let found = definitions::find_property(&property.2, &base);
                let is_open = matches!(base, Val::World | Val::Near(_));
                self.questions += usize::from(found.map_or(is_open, |one| one.has(Attribute::Queries)));
                self.property(&base, &property.2, *position)
            }
            index => {
                let place = arguments.pop().and_then(|mut values| values.pop());
                let position = index.position();
                match place {
                    Some(place) => self.element(&base, &place, position),
                    None => self.slow("this", position),
                }
            }
        }
    }

    /// Whether the script has a function of this name and number of parameters.
    pub(super) fn script_defines(&self, name: &str, parameters: usize) -> bool {
        let frame = self.frames.last();
        frame.is_some_and(|frame| frame.digest.defines(name, parameters))
    }

    /// `base[place]`.
    fn element(&mut self, base: &Val, place: &Val, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        if let (Val::State | Val::Params, Val::Alts(alts)) = (base, place)
            && let [alt] = &alts[..]
            && alt.is == Type::Text
            && let Some(name) = self.known_text(alt.at)
        {
            return self.property(base, &name, position);
        }
        if matches!(base, Val::Any) || matches!(place, Val::Any) {
            return Val::Any;
        }
        let Val::Alts(alts) = place else {
            return self.slow("looking up an element by this", position);
        };
        let [Alt { is: Type::Int, at: Columns::I(at), .. }] = alts[..] else {
            let is_array = matches!(base, Val::List(_))
                || matches!(base, Val::Constant(pick) if pick.among.iter().all(Dynamic::is_array));
            return match alts[..] {
                [Alt { is, .. }] if is_array && is != Type::Nothing => {
                    self.fails(error::mismatch(name(is), "an integer"), position)
                }
                _ => self.slow("looking up an element by this", position),
            };
        };
        match base {
            Val::List(items) => {
                if let Some(place) = self.known_whole(at) {
                    let place = usize::try_from(place).ok();
                    return match place.and_then(|place| items.get(place)) {
                        Some(item) => item.clone(),
                        None => self.no_element(items.len(), at, position),
                    };
                }
                self.slow("an element whose place differs from agent to agent", position)
            }
            Val::Constant(pick) if pick.at.is_none() => {
                let Some(items) = self.elements(&pick.among) else {
                    return self.slow("an element of this", position);
                };
                if let Some(place) = self.known_whole(at) {
                    let place = usize::try_from(place).ok();
                    return match place.filter(|&place| place < items.len()) {
                        Some(place) => self.one_of(&items, place),
                        None => self.no_element(items.len(), at, position),
                    };
                }
                // Whoever is out of range is looked up in vain here, where the place is known.
                let table = self.places(items.len());
                let place = self.emit.look_up_i(table, at, active);
                self.picked(Pick { among: items, at: Some(place) }, position)
            }
            Val::Alts(alts) if alts.is_empty() => Val::never(),
            _ => self.slow("an element of this", position),
        }
    }

    /// An element before the first or after the last one; from the end they count as -1, -2 and so on.
    fn no_element(&mut self, length: usize, at: I, position: Position) -> Val {
        let place = self.known_whole(at).unwrap_or_default();
        if usize::try_from(place.unsigned_abs()).is_ok_and(|back| place < 0 && back <= length) {
            return self.slow("an element counted from the end", position);
        }
        self.fails(error::outside_array(length, place), position)
    }

    /// The elements of a constant array.
    pub(super) fn elements(&self, among: &Rc<Vec<Dynamic>>) -> Option<Rc<Vec<Dynamic>>> {
        let elements = |among: &[Dynamic]| -> Option<Vec<Dynamic>> {
            let array = among.first()?.read_lock::<rhai::Array>()?;
            Some(array.clone())
        };
        let is_array = among.first().is_some_and(Dynamic::is_array);
        is_array.then(|| {
            self.digests.part(among, Part::Elements, |among| elements(among).unwrap_or_default())
        })
    }

    /// One of several constants, by a place that is known.
    pub(super) fn one_of(&mut self, items: &Rc<Vec<Dynamic>>, place: usize) -> Val {
        match items.get(place) {
            Some(item) if item.is_array() || item.is_map() => {
                let one = |items: &[Dynamic]| vec![items[place].clone()];
                let among = self.digests.part(items, Part::One(place), one);
                Val::Constant(Pick { among, at: None })
            }
            Some(item) => self.constant(item),
            None => Val::never(),
        }
    }

    /// One of several constants: as columns where they are of one type.
    pub(super) fn picked(&mut self, pick: Pick, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        let Some(at) = pick.at else {
            return match pick.among.first() {
                Some(_) => self.one_of(&pick.among, 0),
                None => self.slow("this", position),
            };
        };
        match self.table(&pick.among) {
            Table::Integers(table) => Val::whole(self.emit.look_up_i(table, at, active)),
            Table::Floats(table) => Val::number(self.look_up(table, at)),
            Table::Vectors(x, y) => Val::vector(V(self.look_up(x, at), self.look_up(y, at))),
            Table::Maps => Val::Constant(pick),
            Table::Mixed => self.slow("constants of different kinds in one array", position),
        }
    }

    fn look_up(&mut self, table: u16, at: I) -> F {
        match self.active {
            Some(active) => self.emit.look_up_f(table, at, active),
            None => self.emit.f(),
        }
    }

    /// The table of some constants, which is made once.
    fn table(&mut self, among: &Rc<Vec<Dynamic>>) -> Table {
        if let Some(&(_, table)) = self.tables.get(&Rc::as_ptr(among)) {
            return table;
        }
        self.work += among.len();
        let all = |is: fn(&Dynamic) -> bool| !among.is_empty() && among.iter().all(is);
        let vector = |v: &Dynamic| v.read_lock::<Vec2>().map(|v| *v);
        let table = if all(Dynamic::is_int) {
            let numbers = among.iter().filter_map(|x| x.as_int().ok());
            Table::Integers(self.emit.table_i(numbers.collect()))
        } else if all(Dynamic::is_float) {
            let numbers = among.iter().filter_map(|x| x.as_float().ok());
            Table::Floats(self.emit.table_f(numbers.collect()))
        } else if all(Dynamic::is::<Vec2>) {
            let vectors: Vec<Vec2> = among.iter().filter_map(vector).collect();
            let x = self.emit.table_f(vectors.iter().map(|v| v.x).collect());
            let y = self.emit.table_f(vectors.iter().map(|v| v.y).collect());
            Table::Vectors(x, y)
        } else if all(Dynamic::is_map) {
            Table::Maps
        } else {
            Table::Mixed
        };
        self.tables.insert(Rc::as_ptr(among), (Rc::clone(among), table));
        table
    }

    /// The table of so many places, which is made once.
    fn places(&mut self, count: usize) -> u16 {
        if let Some(&table) = self.place_tables.get(&count) {
            return table;
        }
        self.work += count;
        let table = self.emit.table_i((0..count as i64).collect());
        self.place_tables.insert(count, table);
        table
    }

    /// The text that a column of texts is known to hold.
    pub(super) fn known_text(&self, at: Columns) -> Option<String> {
        let Columns::I(at) = at else { return None };
        if self.group == Some(at) {
            self.knows_group.set(true);
            return self.facts.group_name().map(ToString::to_string);
        }
        let place = usize::try_from(self.known_whole(at)?).ok()?;
        self.emit.program.texts.get(place).map(ToString::to_string)
    }

    /// The integer that a column is known to hold.
    pub(super) fn known_whole(&self, at: I) -> Option<i64> {
        self.emit.constant_i(at)
    }
}
