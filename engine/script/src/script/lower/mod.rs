//! Lowers scripts to programs over columns. A program is made once and runs for all agents of a group.
//!
//! The lowering walks through the script as the interpreter would, but for all agents at once. A value
//! becomes columns, with one place, a *lane*, for each agent. A branch becomes a mask over lanes, and the
//! body of a function is inlined where it is called. The types that it infers on the way also serve to find
//! errors before anything runs.
//!
//! Code that cannot be lowered (sorting an array, for example) is left to the interpreter: lanes that reach it are
//! marked as *faulted*, and the caller has the interpreter take the whole turns of these agents. So whether something
//! is lowered must only decide how fast it runs, never what it means.

mod analysis;
mod assignments;
mod calls;
mod chain;
mod changes;
mod choices;
mod closures;
mod columns;
mod conversions;
mod definitions;
mod discarded;
mod emit;
mod expr;
mod facts;
mod flow;
mod inferred;
mod known;
mod learn;
mod leave;
mod loops;
mod map_keys;
mod notes;
mod operators;
mod options;
mod powers;
mod primitives;
mod properties;
mod public;
mod reading;
mod recursion;
mod sure_failures;
mod suspicious;
mod switch;
mod text;
mod tracked;
mod unchanged;
mod unused;
mod value;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rhai::{Dynamic, Position};

pub(super) use assignments::assigned_state;
pub(super) use facts::{GroupFacts, GroupKind};
pub use inferred::InferredType;
pub(super) use inferred::types;

use super::compile::Script;
use crate::diag::{Code, Diagnostic, Place, Severity, leading_zeros};
use crate::program::{self, B, Columns, F, I, Program, StateSlot, Strings, Type, V};
use crate::script::problem;
use crate::script::trial::TrialWorld;
use crate::tokens::Language;
use analysis::{Analyses, FunctionAnalysis, ScriptAnalysis};
use emit::Emitter;
use inferred::TypesAt;
use learn::LearnedTypes;
use notes::BracketPairs;
use tracked::{CallPath, NarrowedTypes, Tracked, TrackedId, TrackedIds, TypeSet};
use value::{LoweredValue, TypeCase};

/// The result of lowering one function of a script for one kind of group.
pub(super) struct Lowered {
    /// The program; `None` if every agent would end up with the interpreter.
    pub(super) program: Option<Program>,
    /// Whether it uses the name of its group. Then it is of no use for other groups of the same kind.
    pub(super) uses_group_name: bool,
    /// Errors and warnings about what agents would reach.
    pub(super) findings: Vec<Diagnostic>,
    /// A note for each place that needs the interpreter.
    pub(super) interpreted: Vec<Diagnostic>,
}

/// The facts inferred about a script, kept from one pass to the next.
#[derive(Default)]
struct Inference {
    tracked: TrackedIds,
    /// By tracked id: the types that it can have, and whether it can also be a value that only the
    /// interpreter knows.
    types: Vec<(TypeSet, bool)>,
    /// The strings of the program so far. The index of a string means the same in `init` and `steer`.
    strings: Strings,
    /// Whether this pass has found anything that the passes before had not.
    has_grown: bool,
    /// Number of statements and expressions lowered in all passes.
    nodes: usize,
    /// The types at the places of the script, if they are asked for.
    types_at: Option<TypesAt>,
    /// The brackets of the scripts so far, if the program is to note values.
    noted_brackets: Option<BracketPairs>,
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

/// Lowers `init`, if there is one, and `steer`. With a world to try calls in, it also finds calls that
/// are sure to fail.
pub(super) fn lower(
    script: &Script,
    facts: &GroupFacts,
    trial_world: Option<&TrialWorld>,
) -> (Option<Lowered>, Lowered) {
    let (init, steer, _) = lower_with(script, facts, trial_world, Inference::default());
    (init, steer)
}

/// Lowers `steer` such that the program notes the values of variables, calls and conditions.
pub(super) fn lower_with_notes(script: &Script, facts: &GroupFacts) -> Option<Program> {
    let wanted = Inference { noted_brackets: Some(BracketPairs::new()), ..Inference::default() };
    lower_with(script, facts, None, wanted).1.program
}

/// Adds the types that lowering a script finds to those that are known. Returns whether they are valid for this group only, because its
/// name is used.
fn note_types(script: &Script, facts: &GroupFacts, known: &mut TypesAt) -> bool {
    let wanted = Inference { types_at: Some(std::mem::take(known)), ..Inference::default() };
    let (init, steer, inferred) = lower_with(script, facts, None, wanted);
    *known = inferred.types_at.unwrap_or_default();
    init.iter().chain([&steer]).any(|lowered| lowered.uses_group_name)
}

fn lower_with(
    script: &Script,
    facts: &GroupFacts,
    trial_world: Option<&TrialWorld>,
    mut inferred: Inference,
) -> (Option<Lowered>, Lowered, Inference) {
    let mut strings = Strings::of(&facts.names);
    for text in &facts.kind.strings {
        strings.add(text);
    }
    inferred.strings = strings;
    for (name, ty) in &facts.kind.public {
        let id = inferred.tracked.id(Tracked::State(name.to_string()));
        inferred.note_types(id, public::types(*ty));
    }
    let analyses = Analyses::new(script);
    // A type flows from an assignment to reads that come earlier in the text: in a loop, or in the next tick.
    // So passes are repeated until nothing is found.
    for _ in 0..MAX_PASSES {
        inferred.has_grown = false;
        let mut init = None;
        if script.defines("init") {
            let lowered =
                Lowering::new(script, &analyses, facts, trial_world, inferred).run("init");
            (init, inferred) = (Some(lowered.0), lowered.1);
        }
        let (mut steer, after_steer) =
            Lowering::new(script, &analyses, facts, trial_world, inferred).run("steer");
        inferred = after_steer;
        if !inferred.has_grown {
            if trial_world.is_some() {
                steer.findings.extend(findings_in_text(script).iter().cloned());
            }
            return (init, steer, inferred);
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
    (init, nothing("steer"), inferred)
}

/// Returns the findings that do not depend on a scenario. All groups with the script share them.
fn findings_in_text(script: &Script) -> &[Diagnostic] {
    script.findings_in_text.get_or_init(|| {
        let as_written = unused::as_written(script);
        let as_written = as_written.as_ref();
        let mut all = as_written.map_or_else(Vec::new, |ast| unused::statements(script, ast));
        all.extend(unused::variables(script));
        all.extend(unused::declared_again(script, &all));
        all.extend(powers::findings(script));
        all.extend(leading_zeros(&script.source, Language::Rhai));
        all.extend(as_written.into_iter().flat_map(|ast| map_keys::unknown(script, ast)));
        all.extend(crate::script::choice_findings::findings(script));
        all
    })
}

/// Returns the note for a function whose ways the interpreter must count.
fn too_many_ways(script: &Script, function: &str, most: u64) -> Diagnostic {
    note(&format!("`{function}` asks for ways in more than {most} places and"))
        .at(&script.source, script.place_of(function))
        .help("a function counts at each call, and the body of a loop over an array counts for each element")
}

/// Returns the note for a function that is too large to be lowered.
fn too_large(script: &Script, function: &str) -> Diagnostic {
    note(&format!("`{function}` is too large to be lowered and"))
        .at(&script.source, script.place_of(function))
        .help(
            "a function counts at each call, and the body of a loop over an array counts for each element",
        )
}

/// Returns the note that `what` needs the interpreter.
fn note(what: &str) -> Diagnostic {
    let message = format!("{what} needs the interpreter, which is slower");
    Diagnostic::note(message).code(Code::Interpreted)
}

/// Maximum number of passes. Each pass can only add types, and there are nine.
const MAX_PASSES: usize = 30;

/// Maximum number of statements and expressions for one turn. A function counts at each call. A script beyond
/// this is left to the interpreter.
const MAX_NODES: usize = 30_000;

/// Maximum number of statements and expressions in all passes together.
const MAX_NODES_TOTAL: usize = 8 * MAX_NODES;

/// Maximum number of constants that are copied or put into tables. A script beyond this is left to the
/// interpreter.
const MAX_CONSTANTS: usize = 1_000_000;

/// Maximum depth of statements and expressions within each other, calls included. The stack surely has room
/// for this. A script beyond it is left to the interpreter.
const MAX_DEPTH: usize = 256;

/// Number of findings after which no similar names are suggested, since searching for them takes time.
const MAX_SUGGESTIONS: usize = 100;

/// The lowering of one function of a script, in one pass.
struct Lowering<'a> {
    facts: &'a GroupFacts,
    analyses: &'a Analyses<'a>,
    /// Where calls are tried to find those that fail; only if findings are asked for.
    trial_world: Option<&'a TrialWorld>,
    inferred: Inference,
    emit: Emitter,
    /// The lanes that reach this point; `None` if no lane can.
    active: Option<B>,
    frames: Vec<CallFrame<'a>>,
    /// The types that are possible at this point, where fewer are than `inferred` says.
    narrowed_types: NarrowedTypes,
    /// The types that the result of each inlined call implies, as it was last lowered.
    learned: HashMap<CallPath, LearnedTypes>,
    vel: V,
    state: Vec<StateSlot>,
    /// The index of each state in `state`.
    slots: HashMap<TrackedId, usize>,
    storages: HashMap<TrackedId, Rc<Storage>>,
    /// The column that counts the steps done in loops; made for the first loop.
    steps: Option<I>,
    /// The column that steps are multiplied by because variables hold arrays of any length; only if the scripts have
    /// closures, which make such arrays.
    step_weight: Option<I>,
    nodes: usize,
    /// Number of queries about the surroundings lowered so far.
    queries: usize,
    /// Whether a loop asks for ways.
    loops_ask_ways: bool,
    /// Depth of the statement or expression that is being lowered.
    depth: usize,
    /// Whether the script is left to the interpreter because it is too large.
    is_too_large: bool,
    /// The column with the name of the group.
    group_column: Option<I>,
    /// Whether the name in that column has been needed.
    uses_group_name: Cell<bool>,
    /// Tables by the address of their constants, which are kept here so that the address stays theirs.
    tables: HashMap<*const Vec<Dynamic>, (Rc<Vec<Dynamic>>, chain::ConstantTable)>,
    /// The tables that check an index, by the length of their array.
    index_tables: HashMap<usize, u16>,
    /// Number of constants copied or put into tables.
    constants_copied: usize,
    sets_vel: bool,
    /// Numbers already checked for the same lanes: not negative, or (`true`) also not infinite.
    checked: HashSet<(F, B, bool)>,
    /// The positions at which `steer` returns its results; only if findings are asked for.
    results: Vec<Position>,
    /// A result of `steer` that is certainly not a force, though others may be.
    wrong_result: Option<(Type, Position)>,
    /// Whether every agent ends up with the interpreter.
    always_interpreted: bool,
    /// The masks of lanes for which a warning about `()` has been given.
    warned: HashSet<B>,
    /// The names of values that may be `()`, as the script calls them, by the masks of the lanes in which they are.
    optional_names: HashMap<B, String>,
    /// The names of the params that columns hold.
    param_columns: HashMap<Columns, String>,
    /// The strings that the columns of choices can hold.
    options: HashMap<Columns, options::Options>,
    /// A state of another agent that is only compared with a string of the program: the number of frames, and its position.
    compared_state: Option<(usize, Position)>,
    /// The columns that hold a number of agents or points.
    counts: HashSet<Columns>,
    findings: Vec<Diagnostic>,
    interpreted: Vec<Diagnostic>,
}

/// A function that is being inlined.
struct CallFrame<'a> {
    script: &'a Script,
    analysis: Rc<ScriptAnalysis<'a>>,
    name: String,
    /// Where it is called, if values are noted.
    call: Option<Place>,
    body: Option<Rc<FunctionAnalysis>>,
    variables: Vec<Variable>,
    returned: TrackedId,
    /// The lanes that have returned; only if the function has a `return`.
    returned_lanes: Option<B>,
    /// Whether a `return` has been lowered.
    has_returned: bool,
    /// The types that are possible at the `return`s so far.
    types_at_return: Option<NarrowedTypes>,
    /// The types that its result implies.
    learned: LearnedTypes,
    loops: Vec<Loop>,
    /// The calls that lead to this function.
    call_path: CallPath,
}

/// A loop that is being lowered, with the lanes still in it.
struct Loop {
    running: B,
}

struct Variable {
    name: String,
    binding: VariableBinding,
    /// The id of its narrowed types, if the variable never changes.
    id: TrackedId,
}

#[derive(Clone)]
enum VariableBinding {
    /// It is never assigned to again.
    Constant(LoweredValue),
    /// Its value can differ between lanes, and is kept in columns.
    Stored(TrackedId),
    /// Its value is not kept in columns. It can be changed only by all lanes that declared it, in the same
    /// loop: those lanes, and the number of loops around the declaration.
    NotInColumns(LoweredValue, Option<B>, usize),
}

/// The columns of something that changes: some for each type, and a tag that tells which type each lane has.
#[derive(Clone)]
struct Storage {
    tag: I,
    columns: Vec<(Type, Columns)>,
}

impl Storage {
    fn tag_of(&self, ty: Type) -> Option<i64> {
        let place = self.columns.iter().position(|(of, _)| *of == ty)?;
        i64::try_from(place).ok()
    }
}

impl<'a> Lowering<'a> {
    fn new(
        script: &'a Script,
        analyses: &'a Analyses<'a>,
        facts: &'a GroupFacts,
        trial_world: Option<&'a TrialWorld>,
        mut inferred: Inference,
    ) -> Self {
        let mut emit = Emitter::default();
        let vel = emit.new_v();
        let live = emit.new_b();
        emit.program.live = Some(live);
        emit.program.vel = Some(vel);
        emit.program.strings = inferred.strings.clone();
        let outermost = CallFrame {
            script,
            analysis: analyses.of(script),
            name: String::new(),
            call: None,
            body: None,
            variables: Vec::new(),
            returned: inferred.tracked.id(Tracked::Returned(CallPath::default())),
            returned_lanes: None,
            has_returned: false,
            types_at_return: None,
            learned: LearnedTypes::default(),
            loops: Vec::new(),
            call_path: CallPath::default(),
        };
        Self {
            facts,
            analyses,
            trial_world,
            inferred,
            emit,
            active: Some(live),
            frames: vec![outermost],
            narrowed_types: NarrowedTypes::default(),
            learned: HashMap::new(),
            vel,
            state: Vec::new(),
            slots: HashMap::new(),
            storages: HashMap::new(),
            steps: None,
            step_weight: None,
            nodes: 0,
            queries: 0,
            loops_ask_ways: false,
            depth: 0,
            is_too_large: false,
            group_column: None,
            uses_group_name: Cell::new(false),
            tables: HashMap::new(),
            index_tables: HashMap::new(),
            constants_copied: 0,
            sets_vel: analyses.sets_vel(),
            checked: HashSet::new(),
            results: trial_world.map_or_else(Vec::new, |_| script.results_of_steer()),
            wrong_result: None,
            always_interpreted: false,
            warned: HashSet::new(),
            optional_names: HashMap::new(),
            param_columns: HashMap::new(),
            options: HashMap::new(),
            compared_state: None,
            counts: HashSet::new(),
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
        self.require_ways();
        self.is_too_large |= self.is_over_limit();
        if self.is_too_large {
            let most = self.max_ways();
            let note = if self.emit.ways > most {
                too_many_ways(script, function, most)
            } else {
                too_large(script, function)
            };
            self.interpreted = vec![note];
        }
        let has_no_force = function == "steer" && self.emit.program.force.is_none();
        // The values until all lanes are faulted may be wanted, too.
        let is_interpreted = match (self.always_interpreted, &self.inferred.noted_brackets) {
            (true, notes) => self.is_too_large || notes.is_none(),
            (false, _) => self.is_too_large || has_no_force,
        };
        self.inferred.has_grown |=
            self.inferred.strings.count() < self.emit.program.strings.count();
        self.inferred.strings.clone_from(&self.emit.program.strings);
        let mut program = self.emit.finish();
        program.state = self.state;
        program.sets_vel = self.sets_vel;
        self.findings.sort_by_key(|found| found.place.as_ref().map_or(0, |place| place.span.start));
        // A warning that only follows from an error is not worth showing.
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

    /// Returns whether the script has more than is lowered.
    fn is_over_limit(&self) -> bool {
        self.nodes > MAX_NODES
            || self.constants_copied > MAX_CONSTANTS
            || self.emit.ways > self.max_ways()
            || self.emit.is_over_limit()
    }

    /// Returns the maximum number of places that ask for ways, so that a turn surely stays within the limit. Loops have
    /// a limit of their own.
    fn max_ways(&self) -> u64 {
        program::MAX_WAYS - self.ways_of_loops()
    }

    /// Returns how many ways its loops can ask for in a world that allows the most.
    fn ways_of_loops(&self) -> u64 {
        if self.loops_ask_ways { program::max_loop_ways(program::MAX_WAYS) } else { 0 }
    }

    /// Leaves the turns to the interpreter in worlds that may allow fewer ways than the text asks for.
    fn require_ways(&mut self) {
        // Half of the ways are for loops, rounded down. Each world allows one.
        let wanted = self.emit.ways * if self.loops_ask_ways { 2 } else { 1 };
        if wanted > 1 {
            self.emit.require_ways(wanted);
        }
    }

    /// Lowers a part, unless the limits are reached. Then no lane reaches anything that follows.
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

    /// Returns the force that `steer` returns: a vector, or zero for `()`. `None` if it returns neither.
    fn force(&mut self, result: LoweredValue) -> Option<V> {
        self.active = self.emit.program.live;
        let live = self.active?;
        let script = self.frames[0].script;
        let wrong = |severity, code, what: String| {
            Diagnostic::error(what)
                .severity(severity)
                .code(code)
                .at(&script.source, script.place_of("steer"))
                .help("the last expression is what it returns; `()` or `vec(0, 0)` means no force")
        };
        let cases = match &result {
            LoweredValue::Interpreted => return None,
            LoweredValue::Typed(cases) => &cases[..],
            _ => &[],
        };
        let is_force = |case: &&TypeCase| matches!(case.ty, Type::Vector | Type::Nothing);
        // A value that may be `()` is not a force just because of that.
        let is_other = |case: &TypeCase| !is_force(&case);
        let is_vector = |case: &TypeCase| case.ty == Type::Vector;
        if cases.is_empty() || (cases.iter().any(is_other) && !cases.iter().any(is_vector)) {
            let kind = cases.iter().find(|case| is_other(case));
            let kind = kind.map_or(result.description(), |case| value::type_name(case.ty));
            let wrong = problem::not_a_force(kind);
            self.findings.push(wrong.at(&script.source, script.place_of_wrong_force()));
            return None;
        }
        for other in cases.iter().filter(|case| !is_force(case)) {
            let active = other.mask.map_or(live, |mask| self.emit.and(live, mask));
            self.emit.fault(active);
        }
        if let Some(&(kind, position)) = self.wrong_result.as_ref() {
            let wrong = problem::not_a_force(value::type_name(kind));
            self.findings.push(self.locate(wrong, position));
        } else if let Some(other) = cases.iter().find(|case| !is_force(case)) {
            let what = format!(
                "`steer` must return a vector, but in one branch returns {}",
                value::type_name(other.ty)
            );
            let wrong = wrong(Severity::Warning, Code::NotAlwaysForce, what);
            self.findings.push(wrong.at(&script.source, script.place_of_wrong_force()));
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
                // A part that is left to the interpreter may return a force.
                let is_whole = self.interpreted.is_empty() && self.findings.is_empty();
                if is_whole && !self.sets_vel && !self.changes_what_others_see() {
                    let what = "`steer` never returns a force and never sets `me.vel`";
                    self.findings.push(wrong(Severity::Warning, Code::NeverForce, what.into()));
                }
                V(zero, zero)
            }
        })
    }

    /// Returns whether the script changes the world or public state, as an item or a counter does that never moves.
    fn changes_what_others_see(&self) -> bool {
        let Program { changes, layer_changes, state, .. } = &self.emit.program;
        let is_public = |slot: &StateSlot| self.facts.kind.public_type(&slot.name).is_some();
        !changes.is_empty()
            || !layer_changes.is_empty()
            || state.iter().any(|slot| slot.written && is_public(slot))
    }

    fn frame(&mut self) -> &mut CallFrame<'a> {
        match self.frames.last_mut() {
            Some(frame) => frame,
            None => unreachable!("the outermost frame stays"),
        }
    }

    /// Returns the storage of a tracked id, with columns for all types known so far.
    fn storage(&mut self, id: TrackedId) -> Rc<Storage> {
        let types = self.inferred.types(id);
        let known = self.storages.get(&id).cloned();
        if let Some(known) = &known
            && types.iter().all(|ty| known.tag_of(ty).is_some())
        {
            return Rc::clone(known);
        }
        let is_known = known.is_some();
        let mut storage = known.map_or_else(
            || Storage { tag: self.emit.new_i(), columns: Vec::new() },
            |known| Storage::clone(&known),
        );
        for ty in types.iter() {
            if storage.tag_of(ty).is_none() {
                let columns = self.emit.columns(ty);
                storage.columns.push((ty, columns));
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

    /// Returns a column of a constant.
    fn const_f(&mut self, value: f32) -> F {
        self.emit.const_f(value)
    }
}
