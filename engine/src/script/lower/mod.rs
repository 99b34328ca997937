//! Scripts lowered to programs over columns: read once, run for all agents of a group.
//!
//! The lowering follows the script as the interpreter would, for all agents at once: values are columns,
//! a branch is a mask over lanes, functions are taken in where they are called. What it knows of types
//! it also uses to find what would fail. What it cannot express (closures, say) it leaves to the
//! interpreter: lanes that come by are *at fault*, and whoever runs the program has their whole turn
//! done by the interpreter instead. So lowering is never a question of meaning, only of speed.

mod analysis;
mod assignments;
mod calls;
mod chain;
mod columns;
mod conversions;
mod definitions;
mod discarded;
mod emit;
mod expr;
mod facts;
mod flow;
mod loops;
mod operators;
mod primitives;
mod properties;
mod reading;
mod sure_failures;
mod suspicious;
mod switch;
mod tracked;
mod unused;
mod value;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rhai::{Dynamic, Position};

pub(super) use facts::{GroupFacts, GroupKind};
pub(super) use reading::{ColumnCall, ColumnResult, NotLowered};

use super::compile::Script;
use crate::diag::{Code, Diagnostic, Severity};
use crate::program::{B, Columns, F, I, Program, StateSlot, Strings, Type, V};
use crate::script::error;
use crate::script::trial::TrialWorld;
use analysis::{Analyses, FunctionBody, ScriptAnalysis};
use emit::Emitter;
use tracked::{CallPath, NarrowedTypes, Tracked, TrackedId, TrackedIds, TypeSet};
use value::{LoweredValue, TypeCase};

/// A script lowered for one group.
pub(super) struct Lowered {
    /// `None` where every agent would end up with the interpreter.
    pub(super) program: Option<Program>,
    /// Whether it knows the group by its name, and so is of no use to others of its kind.
    pub(super) uses_group_name: bool,
    /// What will fail, or may fail, or is of no use, once a lane comes by.
    pub(super) findings: Vec<Diagnostic>,
    /// What the interpreter has to do, and where.
    pub(super) interpreted: Vec<Diagnostic>,
}

/// What was seen anywhere in a script, and in earlier rounds through it.
#[derive(Default)]
struct Inference {
    tracked: TrackedIds,
    /// Types that variables and states have had, and whether one was a value that only the interpreter
    /// knows, by the numbers of their keys.
    types: Vec<(TypeSet, bool)>,
    /// Strings by their place: what `init` keeps, `steer` must know.
    strings: Strings,
    /// Whether there is more than before the round.
    has_grown: bool,
    /// Statements and expressions taken in, in all rounds.
    nodes: usize,
}

impl Inference {
    fn types(&self, id: TrackedId) -> TypeSet {
        self.types.get(id.place()).copied().unwrap_or_default().0
    }

    fn is_interpreted(&self, id: TrackedId) -> bool {
        self.types.get(id.place()).is_some_and(|(_, any)| *any)
    }

    fn note_types(&mut self, id: TrackedId, types: TypeSet) {
        self.note(id, types, false);
    }

    fn note_interpreted(&mut self, id: TrackedId) {
        self.note(id, TypeSet::default(), true);
    }

    fn note(&mut self, id: TrackedId, types: TypeSet, any: bool) {
        if self.types.len() <= id.place() {
            self.types.resize(id.place() + 1, Default::default());
        }
        let known = &mut self.types[id.place()];
        let new = (known.0.union(types), known.1 || any);
        self.has_grown |= *known != new;
        *known = new;
    }
}

/// Lowers `init`, if there is one, and `steer`. With a stage to try things on, it finds out what is sure to
/// fail.
pub(super) fn lower(
    script: &Script,
    facts: &GroupFacts,
    stage: Option<&TrialWorld>,
) -> (Option<Lowered>, Lowered) {
    let mut strings = Strings::of(&facts.names);
    for text in &facts.kind.strings {
        strings.add(text);
    }
    let mut inferred = Inference { strings, ..Inference::default() };
    let analyses = Analyses::new(script);
    // Types flow from assignments to earlier reads (in loops, from tick to tick), until nothing is new.
    for _ in 0..MAX_PASSES {
        inferred.has_grown = false;
        let mut init = None;
        if script.defines("init") {
            let lowered = Lowering::new(script, &analyses, facts, stage, inferred).run("init");
            (init, inferred) = (Some(lowered.0), lowered.1);
        }
        let (mut steer, after_steer) =
            Lowering::new(script, &analyses, facts, stage, inferred).run("steer");
        inferred = after_steer;
        if !inferred.has_grown {
            steer.findings.extend(unused::statements(script));
            steer.findings.extend(unused::variables(script));
            return (init, steer);
        }
        if inferred.nodes > MAX_NODES_TOTAL {
            break;
        }
    }
    let nothing = |function: &str| Lowered {
        program: None,
        uses_group_name: false,
        findings: Vec::new(),
        interpreted: vec![too_large(script, function)],
    };
    let init = script.defines("init").then(|| nothing("init"));
    (init, nothing("steer"))
}

/// What keeps a function that is too large to the interpreter.
fn too_large(script: &Script, function: &str) -> Diagnostic {
    let what = format!(
        "`{function}` is too large to be lowered and needs the interpreter, which is slower"
    );
    Diagnostic::note(what)
        .code(Code::Interpreted)
        .at(&script.source, script.place_of(function))
        .help(
            "a function counts wherever it is called, and what a loop does counts for each element of an \
             array that is written in the script",
        )
}

/// Types only ever get more; there are nine of them.
const MAX_PASSES: usize = 30;

/// Statements and expressions for one turn beyond which a script is left to the interpreter, those of a
/// function counted for each call.
const MAX_NODES: usize = 30_000;

/// The same of all rounds together.
const MAX_NODES_TOTAL: usize = 8 * MAX_NODES;

/// Constants copied or put into tables beyond which a script is left to the interpreter.
const MAX_CONSTANTS: usize = 1_000_000;

/// Statements and expressions within one another, calls included, beyond which a script is left to the
/// interpreter: so deep the stack is for sure.
const MAX_DEPTH: usize = 256;

/// Findings beyond which the next go without the nearest of all names: looking for it takes time.
const MAX_SUGGESTIONS: usize = 100;

/// A script on its way to becoming a program.
struct Lowering<'a> {
    facts: &'a GroupFacts,
    analyses: &'a Analyses<'a>,
    /// Where to try what may fail; only if findings are asked for.
    stage: Option<&'a TrialWorld>,
    inferred: Inference,
    emit: Emitter,
    /// The lanes that get here; `None` where none do.
    active: Option<B>,
    frames: Vec<CallFrame<'a>>,
    /// What is known of types now, beyond what has been seen anywhere.
    narrowed_types: NarrowedTypes,
    vel: V,
    state: Vec<StateSlot>,
    /// The places of states among these.
    slots: HashMap<TrackedId, usize>,
    storages: HashMap<TrackedId, Rc<Storage>>,
    /// Steps done in loops so far, made where the first loop is.
    steps: Option<I>,
    nodes: usize,
    /// Questions about the surroundings that it has, where they are lowered.
    questions: usize,
    /// Statements and expressions that are being taken in.
    depth: usize,
    /// Whether it is left to the interpreter because of its length.
    is_too_large: bool,
    /// The column of the group's own name.
    group_column: Option<I>,
    /// Whether the name in it has been asked for.
    uses_group_name: Cell<bool>,
    /// Tables by the constants in them, which stay where they are.
    tables: HashMap<*const Vec<Dynamic>, (Rc<Vec<Dynamic>>, chain::ConstantTable)>,
    /// Tables of places by their length.
    index_tables: HashMap<usize, u16>,
    /// Constants copied, and put into tables.
    constants_copied: usize,
    sets_vel: bool,
    /// Numbers that have been checked where the same lanes come by: not negative, or also not infinite.
    checked: HashSet<(F, B, bool)>,
    /// Whether every agent ends up with the interpreter.
    always_interpreted: bool,
    /// What has been warned of, by the lanes in which it is nothing.
    warned: HashSet<B>,
    findings: Vec<Diagnostic>,
    interpreted: Vec<Diagnostic>,
}

/// A function being taken in.
struct CallFrame<'a> {
    script: &'a Script,
    analysis: Rc<ScriptAnalysis<'a>>,
    name: String,
    body: Option<Rc<FunctionBody>>,
    variables: Vec<Variable>,
    returned: TrackedId,
    /// Lanes that have returned, once there are any.
    returned_lanes: Option<B>,
    /// Whether a value has been returned before the end.
    has_returned: bool,
    /// What was known of types where it returned.
    types_at_return: Option<NarrowedTypes>,
    loops: Vec<Loop>,
    /// The calls that lead here.
    call_path: CallPath,
}

/// A loop being taken in: the lanes still in it.
struct Loop {
    running: B,
}

struct Variable {
    name: String,
    binding: VariableBinding,
    /// By what conditions tell about it is kept, if it never changes.
    id: TrackedId,
}

#[derive(Clone)]
enum VariableBinding {
    /// Never assigned to again.
    Constant(LoweredValue),
    /// Changes lane by lane.
    Stored(TrackedId),
    /// Is no columns, and can be changed only where all lanes of its making come by.
    NotInColumns(LoweredValue, Option<B>, usize),
}

/// Where something that changes is: a column for each type, and a tag that says which counts.
#[derive(Clone)]
struct Storage {
    tag: I,
    columns: Vec<(Type, Columns)>,
}

impl Storage {
    fn tag_of(&self, is: Type) -> Option<i64> {
        let place = self.columns.iter().position(|(of, _)| *of == is)?;
        i64::try_from(place).ok()
    }
}

impl<'a> Lowering<'a> {
    fn new(
        script: &'a Script,
        analyses: &'a Analyses<'a>,
        facts: &'a GroupFacts,
        stage: Option<&'a TrialWorld>,
        mut inferred: Inference,
    ) -> Self {
        let mut emit = Emitter::default();
        let vel = emit.new_v();
        let live = emit.new_b();
        emit.program.live = Some(live);
        emit.program.vel = Some(vel);
        emit.program.texts = inferred.strings.clone();
        let outermost = CallFrame {
            script,
            analysis: analyses.of(script),
            name: String::new(),
            body: None,
            variables: Vec::new(),
            returned: inferred.tracked.id(Tracked::Returned(CallPath::default())),
            returned_lanes: None,
            has_returned: false,
            types_at_return: None,
            loops: Vec::new(),
            call_path: CallPath::default(),
        };
        Self {
            facts,
            analyses,
            stage,
            inferred,
            emit,
            active: Some(live),
            frames: vec![outermost],
            narrowed_types: NarrowedTypes::default(),
            vel,
            state: Vec::new(),
            slots: HashMap::new(),
            storages: HashMap::new(),
            steps: None,
            nodes: 0,
            questions: 0,
            depth: 0,
            is_too_large: false,
            group_column: None,
            uses_group_name: Cell::new(false),
            tables: HashMap::new(),
            index_tables: HashMap::new(),
            constants_copied: 0,
            sets_vel: analyses.sets_vel(),
            checked: HashSet::new(),
            always_interpreted: false,
            warned: HashSet::new(),
            findings: Vec::new(),
            interpreted: Vec::new(),
        }
    }

    /// Lowers a function.
    fn run(mut self, function: &str) -> (Lowered, Inference) {
        let script = self.frames[0].script;
        let result = self.inline_function(script, function, vec![LoweredValue::Me], Position::NONE);
        let unreached = result.is_never() || self.is_too_large;
        if function == "steer" && !unreached {
            let force = self.force(result);
            self.emit.program.force = force;
        }
        self.is_too_large |= self.is_over_limit();
        if self.is_too_large {
            self.interpreted = vec![too_large(script, function)];
        }
        let is_interpreted = self.is_too_large
            || self.always_interpreted
            || (function == "steer" && self.emit.program.force.is_none());
        self.inferred.has_grown |= self.inferred.strings.len() < self.emit.program.texts.len();
        self.inferred.strings.clone_from(&self.emit.program.texts);
        let mut program = self.emit.finish();
        program.state = self.state;
        program.sets_vel = self.sets_vel;
        self.findings.sort_by_key(|found| found.place.as_ref().map_or(0, |place| place.span.start));
        // What follows from an error is not worth a warning.
        if self.findings.iter().any(|one| one.severity == Severity::Error) {
            self.findings.retain(|one| one.code != Code::MayBeNothing);
        }
        self.findings.dedup();
        self.interpreted.dedup();
        let lowered = Lowered {
            program: (!is_interpreted).then_some(program),
            uses_group_name: self.uses_group_name.get(),
            findings: self.findings,
            interpreted: self.interpreted,
        };
        self.inferred.nodes += self.nodes;
        (lowered, self.inferred)
    }

    /// Whether there is more than is lowered.
    fn is_over_limit(&self) -> bool {
        self.nodes > MAX_NODES || self.constants_copied > MAX_CONSTANTS || self.emit.is_over_limit()
    }

    /// Takes in a part, unless there is too much of it: then nothing gets anywhere any more.
    fn within_limits(&mut self, take: impl FnOnce(&mut Self) -> LoweredValue) -> LoweredValue {
        if self.is_too_large || self.is_over_limit() || self.depth >= MAX_DEPTH {
            self.is_too_large = true;
            self.active = None;
            return LoweredValue::never();
        }
        self.depth += 1;
        let value = take(self);
        self.depth -= 1;
        value
    }

    /// What `steer` gives: a vector, or nothing, which is no force.
    fn force(&mut self, result: LoweredValue) -> Option<V> {
        self.active = self.emit.program.live;
        let live = self.active?;
        let script = self.frames[0].script;
        let wrong = |severity, code, what: String| Diagnostic {
            severity,
            code,
            ..Diagnostic::error(what).at(&script.source, script.place_of("steer")).help(
                "its last expression is what it has_returned; `()` or `vec(0, 0)` is no force",
            )
        };
        let cases = match &result {
            LoweredValue::Interpreted => return None,
            LoweredValue::Typed(cases) => &cases[..],
            _ => &[],
        };
        let is_force = |case: &&TypeCase| matches!(case.ty, Type::Vector | Type::Nothing);
        // Something that may be nothing is not returned for being nothing.
        let is_other = |case: &TypeCase| !is_force(&case);
        let is_vector = |case: &TypeCase| case.ty == Type::Vector;
        if cases.is_empty() || (cases.iter().any(is_other) && !cases.iter().any(is_vector)) {
            let kind = cases.iter().find(|case| is_other(case));
            let kind = kind.map_or(result.description(), |case| value::type_name(case.ty));
            let wrong = error::not_a_force(kind);
            self.findings.push(wrong.at(&script.source, script.place_of("steer")));
            return None;
        }
        for other in cases.iter().filter(|case| !is_force(case)) {
            let active = other.mask.map_or(live, |mask| self.emit.and(live, mask));
            self.emit.fault(active);
        }
        if let Some(other) = cases.iter().find(|case| !is_force(case)) {
            let what = format!(
                "`steer` must return a vector, and on some way has_returned {}",
                value::type_name(other.ty)
            );
            self.findings.push(wrong(Severity::Warning, Code::NotAlwaysForce, what));
        }
        let zero = self.const_f(0.0);
        let vector = cases.iter().find_map(|case| match case.columns {
            Columns::V(v) if case.ty == Type::Vector => Some((case.mask, v)),
            _ => None,
        });
        Some(match vector {
            Some((Some(is_vector), V(x, y)))
                if cases.iter().any(|case| case.ty == Type::Nothing) =>
            {
                V(self.emit.select_f(is_vector, x, zero), self.emit.select_f(is_vector, y, zero))
            }
            Some((_, v)) => v,
            None => {
                // What is left to the interpreter may return one.
                if !self.sets_vel && self.interpreted.is_empty() && self.findings.is_empty() {
                    let what = "`steer` never has_returned a force, and sets no velocity";
                    self.findings.push(wrong(Severity::Warning, Code::NeverForce, what.into()));
                }
                V(zero, zero)
            }
        })
    }

    fn frame(&mut self) -> &mut CallFrame<'a> {
        match self.frames.last_mut() {
            Some(frame) => frame,
            None => unreachable!("the outermost frame stays"),
        }
    }

    /// A message at a place of the script that is being taken in.
    fn locate(&self, what: Diagnostic, position: Position) -> Diagnostic {
        match self.frames.last() {
            Some(frame) => frame.script.sources().place(what, position),
            None => what,
        }
    }

    /// Something that will fail for every agent that comes by.
    fn fail(&mut self, what: Diagnostic, position: Position) -> LoweredValue {
        if self.active.is_some() && !self.is_too_large {
            let what = self.locate(what, position);
            self.findings.push(what);
        }
        self.give_up()
    }

    /// Something that only the interpreter can do.
    fn leave_to_interpreter(&mut self, what: &str, position: Position) -> LoweredValue {
        if self.active.is_some() && !self.is_too_large {
            let what = Diagnostic::note(format!("{what} needs the interpreter, which is slower"))
                .code(Code::Interpreted);
            let what = self.locate(what, position);
            self.interpreted.push(what);
        }
        self.give_up()
    }

    /// Leaves the lanes that get here to the interpreter, and goes on as if they were not: what follows
    /// may be worth a message too.
    fn give_up(&mut self) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        self.always_interpreted |= self.emit.program.live == Some(active);
        self.emit.fault(active);
        LoweredValue::Interpreted
    }

    /// Leaves the lanes that get here to the interpreter.
    fn stop_here(&mut self) -> LoweredValue {
        if let Some(active) = self.active.take() {
            self.emit.fault(active);
        }
        LoweredValue::never()
    }

    /// The home of what changes, with columns for all types seen so far.
    fn storage(&mut self, id: TrackedId) -> Rc<Storage> {
        let types = self.inferred.types(id);
        let known = self.storages.get(&id).cloned();
        if let Some(known) = &known
            && types.iter().all(|is| known.tag_of(is).is_some())
        {
            return Rc::clone(known);
        }
        let is_known = known.is_some();
        let mut storage = known.map_or_else(
            || Storage { tag: self.emit.new_i(), columns: Vec::new() },
            |known| Storage::clone(&known),
        );
        for is in types.iter() {
            if storage.tag_of(is).is_none() {
                let columns = self.emit.columns(is);
                storage.columns.push((is, columns));
            }
        }
        if let Some(&slot) = self.slots.get(&id) {
            self.state[slot].types.clone_from(&storage.columns);
        } else if let Some(name) = self.inferred.tracked.state(id) {
            self.slots.insert(id, self.state.len());
            self.state.push(StateSlot {
                name: name.into(),
                tag: storage.tag,
                types: storage.columns.clone(),
                written: false,
            });
        } else if !is_known {
            self.emit.set_at_start(storage.tag, StateSlot::ABSENT);
        }
        let storage = Rc::new(storage);
        self.storages.insert(id, Rc::clone(&storage));
        storage
    }

    /// A number that is known now.
    fn const_f(&mut self, value: f32) -> F {
        self.emit.const_f(value)
    }
}
