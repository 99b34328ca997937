//! The values that a turn of one agent gives to the variables and calls of its script, for editors.
//!
//! The interpreter runs the turn once more, with a copy of the script whose text hands each of these values to a function that
//! notes it. The copy must decide the same as the script; otherwise there are no values.

mod annotate;

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{Array, Dynamic, FuncRegistration, INT, ImmutableString, Module, Shared};

use super::api::{AgentHandle, MeHandle, NeighborhoodHandle, ScriptType};
use super::compile::Script;
use super::interpreter::{self, FunctionBody, Interpreter};
use super::{Scripts, messages, turn, value};
use crate::math::{self, Vec2};
use crate::sim::{Turn, TurnValue};
use crate::world::{Mind, Progress, Values, World};
use annotate::{Slot, annotated};

/// Notes a value and returns it. A script cannot call it by accident.
const VALUE: &str = "flockwork__value";
/// Notes a value and returns nothing.
const NOTE: &str = "flockwork__note";

/// Maximum number of elements of an array that are shown.
const MAX_ITEMS: usize = 6;

/// What was noted for a slot.
#[derive(Clone)]
struct Noted {
    /// The last value as text.
    text: String,
    /// How many there were.
    count: u32,
    /// How many other slots had a value before.
    order: u32,
}

thread_local! {
    static NOTED: RefCell<Vec<Option<Noted>>> = const { RefCell::new(Vec::new()) };
}

/// A script that notes its values.
#[derive(Debug)]
pub(super) struct WatchedScript {
    script: Script,
    steer: FunctionBody,
    slots: Vec<Slot>,
}

impl WatchedScript {
    /// Returns the copy of a script that notes its values. `None` if there is none: then its values are not known.
    pub(super) fn of(script: &Script) -> Option<Self> {
        let mut slots = Vec::new();
        let mut texts = Scripts::new();
        for (name, one) in script.with_imports() {
            texts = texts.with(&name, annotated(one, &mut slots)?);
        }
        let script = Script::compile_with("", &texts, Some(&functions())).ok()?;
        let steer = FunctionBody::of(&script, "steer");
        Some(Self { script, steer, slots })
    }

    /// Returns the values of the turn of an agent that has a given state and progress before it, in the order of the text.
    /// Empty if the copy decides something else than the script itself.
    pub(super) fn values(
        &self,
        (script, steer): (&Script, &FunctionBody),
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Vec<TurnValue> {
        let decided = take((script, steer), world, row, mind);
        NOTED.with_borrow_mut(|noted| {
            noted.clear();
            noted.resize(self.slots.len(), None);
        });
        let decided_here = take((&self.script, &self.steer), world, row, mind);
        let noted = NOTED.take();
        if decided != decided_here {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (slot, noted) in self.slots.iter().zip(noted) {
            let Some(Noted { text, count, order }) = noted else { continue };
            let of = |place: &crate::diag::Place| TurnValue {
                place: place.clone(),
                kind: slot.kind,
                order,
                text: text.clone(),
                count,
            };
            all.extend(slot.places.iter().map(of));
        }
        all
    }
}

/// Takes a turn and returns the force and the velocity that it gives; `None` if it fails.
fn take(
    (script, steer): (&Script, &FunctionBody),
    world: &Arc<World>,
    row: usize,
    (state, progress): (&Values, &[Progress]),
) -> Option<(Vec2, Vec2)> {
    let (mut state, mut progress) = (state.clone(), progress.to_vec());
    let (mut force, mut vel) = (Vec2::ZERO, world.agents.vel(row));
    let mind = Mind { state: &mut state, progress: &mut progress };
    let slot = world.agents.motions.slot(row);
    let mut turn = Turn { row, slot, mind, force: &mut force, vel: &mut vel };
    let mut interpreter = Interpreter::new(script, steer, world);
    let returned = interpreter.run(world, &mut turn, &mut Vec::new()).ok()?;
    Some((interpreter::force(script, &returned).ok()?, vel))
}

/// Returns the functions that note values.
fn functions() -> Shared<Module> {
    let mut module = Module::new();
    FuncRegistration::new(VALUE).set_into_module(&mut module, |slot: INT, value: Dynamic| {
        note(slot, &value);
        value
    });
    FuncRegistration::new(NOTE)
        .set_into_module(&mut module, |slot: INT, value: Dynamic| note(slot, &value));
    module.build_index();
    module.into()
}

fn note(slot: INT, value: &Dynamic) {
    let Some(text) = shown(value) else { return };
    NOTED.with_borrow_mut(|noted| {
        // Only the first value of a slot has to be counted among the others.
        let is_first = |slot: usize| noted.get(slot).is_some_and(Option::is_none);
        let others = match usize::try_from(slot) {
            Ok(slot) if is_first(slot) => noted.iter().flatten().count() as u32,
            _ => 0,
        };
        if let Some(noted) = usize::try_from(slot).ok().and_then(|slot| noted.get_mut(slot)) {
            let (count, order) = noted.as_ref().map_or((0, others), |one| (one.count, one.order));
            *noted = Some(Noted { text, count: count.saturating_add(1), order });
        }
    });
}

/// Returns a value as a short text; `None` if it is always the same, such as `me`.
fn shown(value: &Dynamic) -> Option<String> {
    let value = &value.flatten_clone();
    if value.is_unit() {
        return Some("()".to_owned());
    }
    if let Ok(x) = value.as_bool() {
        return Some(x.to_string());
    }
    if let Ok(x) = value.as_int() {
        return Some(x.to_string());
    }
    if let Some(x) = value::number(value) {
        return Some(math::short(x));
    }
    if let Some(v) = value::vector(value) {
        return Some(math::short_vector(v));
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Some(messages::printable(&format!("{:?}", text.as_str())));
    }
    if let Some(agent) = value.read_lock::<AgentHandle>() {
        return Some(messages::agent(agent.0));
    }
    if let Some(near) = value.read_lock::<NeighborhoodHandle>().map(|near| near.0) {
        let mut count = 0;
        let counted = turn::with(|turn| {
            turn.me().each_neighbor(&near, |_| count += 1);
            Ok(())
        });
        let s = if count == 1 { "" } else { "s" };
        return counted.ok().map(|()| format!("{count} neighbor{s}"));
    }
    if let Some(items) = value.read_lock::<Array>() {
        let mut all: Vec<String> = items.iter().take(MAX_ITEMS).map(item_shown).collect();
        if items.len() > MAX_ITEMS {
            all.push(format!("… {} in all", items.len()));
        }
        return Some(format!("[{}]", all.join(", ")));
    }
    if let Some(items) = value.read_lock::<rhai::Map>() {
        let mut all: Vec<String> = items
            .iter()
            .take(MAX_ITEMS)
            .map(|(name, item)| format!("{name}: {}", item_shown(item)))
            .collect();
        if items.len() > MAX_ITEMS {
            all.push(format!("… {} in all", items.len()));
        }
        return Some(messages::printable(&format!("#{{{}}}", all.join(", "))));
    }
    let kind = ScriptType::of_type(value.type_id())?;
    let is_always_same =
        value.is::<MeHandle>() || ["world", "params", "state"].contains(&kind.name);
    (!is_always_same).then(|| value::kind(value))
}

/// Returns an element of an array or a map as a short text.
fn item_shown(value: &Dynamic) -> String {
    if value.is::<Array>() || value.is::<rhai::Map>() {
        return "…".to_owned();
    }
    shown(value).unwrap_or_else(|| value::kind(value))
}
