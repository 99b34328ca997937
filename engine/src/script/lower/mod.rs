//! Scripts lowered to programs over columns: read once, run for all agents of a group.
//!
//! The lowering follows the script as the interpreter would, for all agents at once: values are columns,
//! a branch is a mask over lanes, functions are taken in where they are called. What it knows of types
//! it also uses to find what would fail. What it cannot express (closures, say) it leaves to the
//! interpreter: lanes that come by are *at fault*, and whoever runs the program has their whole turn
//! done by the interpreter instead. So lowering is never a question of meaning, only of speed.

mod calls;
mod chain;
mod changes;
mod columns;
mod definitions;
mod digest;
mod discarded;
mod emit;
mod expr;
mod facts;
mod flow;
mod keys;
mod loops;
mod operators;
mod primitives;
mod properties;
mod reading;
mod suspicious;
mod switch;
mod tried;
mod unused;
mod value;
mod wanted;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rhai::{Dynamic, Position};

pub(super) use facts::{Facts, Kind};
pub(super) use reading::{Answer, Called, Slow};

use super::compile::Script;
use crate::diag::{Code, Diagnostic, Severity};
use crate::program::{B, Columns, F, I, Program, StateSlot, Strings, Type, V};
use crate::script::error;
use crate::script::trial::TrialWorld;
use digest::{Body, Digest, Digests};
use emit::Emit;
use keys::{Id, Key, Keys, Known, Types, Way};
use value::{Alt, Val};

/// A script lowered for one group.
pub(super) struct Lowered {
    /// `None` where every agent would end up with the interpreter.
    pub(super) program: Option<Program>,
    /// Whether it knows the group by its name, and so is of no use to others of its kind.
    pub(super) knows_group: bool,
    /// What will fail, or may fail, or is of no use, once a lane comes by.
    pub(super) findings: Vec<Diagnostic>,
    /// What the interpreter has to do, and where.
    pub(super) slow: Vec<Diagnostic>,
}

/// What was seen anywhere in a script, and in earlier rounds through it.
#[derive(Default)]
struct Seen {
    keys: Keys,
    /// Types that variables and states have had, and whether one was a value that only the interpreter
    /// knows, by the numbers of their keys.
    types: Vec<(Types, bool)>,
    /// Strings by their place: what `init` keeps, `steer` must know.
    texts: Strings,
    /// Whether there is more than before the round.
    is_new: bool,
    /// Statements and expressions taken in, in all rounds.
    nodes: usize,
}

impl Seen {
    fn types(&self, id: Id) -> Types {
        self.types.get(id.place()).copied().unwrap_or_default().0
    }

    fn has_any(&self, id: Id) -> bool {
        self.types.get(id.place()).is_some_and(|(_, any)| *any)
    }

    fn note_types(&mut self, id: Id, types: Types) {
        self.note(id, types, false);
    }

    fn note_any(&mut self, id: Id) {
        self.note(id, Types::default(), true);
    }

    fn note(&mut self, id: Id, types: Types, any: bool) {
        if self.types.len() <= id.place() {
            self.types.resize(id.place() + 1, Default::default());
        }
        let known = &mut self.types[id.place()];
        let new = (known.0.union(types), known.1 || any);
        self.is_new |= *known != new;
        *known = new;
    }
}

/// Lowers `init`, if there is one, and `steer`. With a stage to try things on, it finds out what is sure to
/// fail.
pub(super) fn lower(
    script: &Script,
    facts: &Facts,
    stage: Option<&TrialWorld>,
) -> (Option<Lowered>, Lowered) {
    let mut texts = Strings::of(&facts.names);
    for text in &facts.kind.texts {
        texts.add(text);
    }
    let mut seen = Seen { texts, ..Seen::default() };
    let digests = Digests::new(script);
    // Types flow from assignments to earlier reads (in loops, from tick to tick), until nothing is new.
    for _ in 0..MOST_ROUNDS {
        seen.is_new = false;
        let mut init = None;
        if script.defines("init") {
            let lowered = Lower::new(script, &digests, facts, stage, seen).run("init");
            (init, seen) = (Some(lowered.0), lowered.1);
        }
        let (mut steer, now_seen) = Lower::new(script, &digests, facts, stage, seen).run("steer");
        seen = now_seen;
        if !seen.is_new {
            steer.findings.extend(unused::statements(script));
            steer.findings.extend(unused::variables(script));
            return (init, steer);
        }
        if seen.nodes > MOST_NODES_IN_ALL {
            break;
        }
    }
    let nothing = |function: &str| Lowered {
        program: None,
        knows_group: false,
        findings: Vec::new(),
        slow: vec![too_large(script, function)],
    };
    let init = script.defines("init").then(|| nothing("init"));
    (init, nothing("steer"))
}

/// What keeps a function that is too large to the interpreter.
fn too_large(script: &Script, function: &str) -> Diagnostic {
    let what =
        format!("`{function}` is too large to be lowered, which keeps it to the interpreter");
    Diagnostic::note(what)
        .code(Code::Interpreted)
        .at(&script.source, script.place_of(function))
        .help(
            "a function counts wherever it is called, and what a loop does counts for each element of an \
             array that is written in the script",
        )
}

/// Types only ever get more; there are nine of them.
const MOST_ROUNDS: usize = 30;

/// Statements and expressions for one turn beyond which a script is left to the interpreter, those of a
/// function counted for each call.
const MOST_NODES: usize = 30_000;

/// The same of all rounds together.
const MOST_NODES_IN_ALL: usize = 8 * MOST_NODES;

/// Constants copied or put into tables beyond which a script is left to the interpreter.
const MOST_WORK: usize = 1_000_000;

/// Statements and expressions within one another, calls included, beyond which a script is left to the
/// interpreter: so deep the stack is for sure.
const MOST_DEPTH: usize = 256;

/// Findings beyond which the next go without the nearest of all names: looking for it takes time.
const MOST_ADVICE: usize = 100;

/// A script on its way to becoming a program.
struct Lower<'a> {
    facts: &'a Facts,
    digests: &'a Digests<'a>,
    /// Where to try what may fail; only if findings are asked for.
    stage: Option<&'a TrialWorld>,
    seen: Seen,
    emit: Emit,
    /// The lanes that get here; `None` where none do.
    active: Option<B>,
    frames: Vec<Frame<'a>>,
    /// What is known of types now, beyond what has been seen anywhere.
    now: Known,
    vel: V,
    state: Vec<StateSlot>,
    /// The places of states among these.
    slots: HashMap<Id, usize>,
    homes: HashMap<Id, Rc<Home>>,
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
    group: Option<I>,
    /// Whether the name in it has been asked for.
    knows_group: Cell<bool>,
    /// Tables by the constants in them, which stay where they are.
    tables: HashMap<*const Vec<Dynamic>, (Rc<Vec<Dynamic>>, chain::Table)>,
    /// Tables of places by their length.
    place_tables: HashMap<usize, u16>,
    /// Constants copied, and put into tables.
    work: usize,
    sets_vel: bool,
    /// Numbers that have been checked where the same lanes come by: not negative, or also not infinite.
    checked: HashSet<(F, B, bool)>,
    /// Whether every agent ends up with the interpreter.
    lost: bool,
    /// What has been warned of, by the lanes in which it is nothing.
    warned: HashSet<B>,
    findings: Vec<Diagnostic>,
    slow: Vec<Diagnostic>,
}

/// A function being taken in.
struct Frame<'a> {
    script: &'a Script,
    digest: Rc<Digest<'a>>,
    name: String,
    body: Option<Rc<Body>>,
    variables: Vec<Variable>,
    returned: Id,
    /// Lanes that have returned, once there are any.
    gone: Option<B>,
    /// Whether a value has been returned before the end.
    returns: bool,
    /// What was known of types where it returned.
    ends: Option<Known>,
    loops: Vec<Loop>,
    /// The calls that lead here.
    way: Way,
}

/// A loop being taken in: the lanes still in it.
struct Loop {
    running: B,
}

struct Variable {
    name: String,
    is: Binding,
    /// By what conditions tell about it is kept, if it never changes.
    id: Id,
}

#[derive(Clone)]
enum Binding {
    /// Never assigned to again.
    Fixed(Val),
    /// Changes lane by lane.
    Home(Id),
    /// Is no columns, and can be changed only where all lanes of its making come by.
    Known(Val, Option<B>, usize),
}

/// Where something that changes is: a column for each type, and a tag that says which counts.
#[derive(Clone)]
struct Home {
    tag: I,
    columns: Vec<(Type, Columns)>,
}

impl Home {
    fn tag_of(&self, is: Type) -> Option<i64> {
        let place = self.columns.iter().position(|(of, _)| *of == is)?;
        i64::try_from(place).ok()
    }
}

impl<'a> Lower<'a> {
    fn new(
        script: &'a Script,
        digests: &'a Digests<'a>,
        facts: &'a Facts,
        stage: Option<&'a TrialWorld>,
        mut seen: Seen,
    ) -> Self {
        let mut emit = Emit::default();
        let vel = emit.v();
        let live = emit.b();
        emit.program.live = Some(live);
        emit.program.vel = Some(vel);
        emit.program.texts = seen.texts.clone();
        let outermost = Frame {
            script,
            digest: digests.of(script),
            name: String::new(),
            body: None,
            variables: Vec::new(),
            returned: seen.keys.id(Key::Returned(Way::default())),
            gone: None,
            returns: false,
            ends: None,
            loops: Vec::new(),
            way: Way::default(),
        };
        Self {
            facts,
            digests,
            stage,
            seen,
            emit,
            active: Some(live),
            frames: vec![outermost],
            now: Known::default(),
            vel,
            state: Vec::new(),
            slots: HashMap::new(),
            homes: HashMap::new(),
            steps: None,
            nodes: 0,
            questions: 0,
            depth: 0,
            is_too_large: false,
            group: None,
            knows_group: Cell::new(false),
            tables: HashMap::new(),
            place_tables: HashMap::new(),
            work: 0,
            sets_vel: digests.sets_vel(),
            checked: HashSet::new(),
            lost: false,
            warned: HashSet::new(),
            findings: Vec::new(),
            slow: Vec::new(),
        }
    }

    /// Lowers a function.
    fn run(mut self, function: &str) -> (Lowered, Seen) {
        let script = self.frames[0].script;
        let result = self.take_in(script, function, vec![Val::Me], Position::NONE);
        let unreached = result.is_never() || self.is_too_large;
        if function == "steer" && !unreached {
            let force = self.force(result);
            self.emit.program.force = force;
        }
        self.is_too_large |= self.is_full();
        if self.is_too_large {
            self.slow = vec![too_large(script, function)];
        }
        let is_slow = self.is_too_large
            || self.lost
            || (function == "steer" && self.emit.program.force.is_none());
        self.seen.is_new |= self.seen.texts.len() < self.emit.program.texts.len();
        self.seen.texts.clone_from(&self.emit.program.texts);
        let mut program = self.emit.finish();
        program.state = self.state;
        program.sets_vel = self.sets_vel;
        self.findings.sort_by_key(|found| found.place.as_ref().map_or(0, |place| place.span.start));
        // What follows from an error is not worth a warning.
        if self.findings.iter().any(|one| one.severity == Severity::Error) {
            self.findings.retain(|one| one.code != Code::MayBeNothing);
        }
        self.findings.dedup();
        self.slow.dedup();
        let lowered = Lowered {
            program: (!is_slow).then_some(program),
            knows_group: self.knows_group.get(),
            findings: self.findings,
            slow: self.slow,
        };
        self.seen.nodes += self.nodes;
        (lowered, self.seen)
    }

    /// Whether there is more than is lowered.
    fn is_full(&self) -> bool {
        self.nodes > MOST_NODES || self.work > MOST_WORK || self.emit.is_full()
    }

    /// Takes in a part, unless there is too much of it: then nothing gets anywhere any more.
    fn within(&mut self, take: impl FnOnce(&mut Self) -> Val) -> Val {
        if self.is_too_large || self.is_full() || self.depth >= MOST_DEPTH {
            self.is_too_large = true;
            self.active = None;
            return Val::never();
        }
        self.depth += 1;
        let value = take(self);
        self.depth -= 1;
        value
    }

    /// What `steer` gives: a vector, or nothing, which is no force.
    fn force(&mut self, result: Val) -> Option<V> {
        self.active = self.emit.program.live;
        let live = self.active?;
        let script = self.frames[0].script;
        let wrong = |severity, code, what: String| Diagnostic {
            severity,
            code,
            ..Diagnostic::error(what)
                .at(&script.source, script.place_of("steer"))
                .help("its last expression is what it returns; `()` or `vec(0, 0)` is no force")
        };
        let alts = match &result {
            Val::Any => return None,
            Val::Alts(alts) => &alts[..],
            _ => &[],
        };
        let is_force = |alt: &&Alt| matches!(alt.is, Type::Vector | Type::Nothing);
        // Something that may be nothing is not returned for being nothing.
        let is_other = |alt: &Alt| !is_force(&alt);
        let is_vector = |alt: &Alt| alt.is == Type::Vector;
        if alts.is_empty() || (alts.iter().any(is_other) && !alts.iter().any(is_vector)) {
            let kind = alts.iter().find(|alt| is_other(alt));
            let kind = kind.map_or(result.kind(), |alt| value::name(alt.is));
            let wrong = error::not_a_force(kind);
            self.findings.push(wrong.at(&script.source, script.place_of("steer")));
            return None;
        }
        for other in alts.iter().filter(|alt| !is_force(alt)) {
            let active = other.mask.map_or(live, |mask| self.emit.and(live, mask));
            self.emit.fault(active);
        }
        if let Some(other) = alts.iter().find(|alt| !is_force(alt)) {
            let what = format!(
                "`steer` must return a vector, and on some way returns {}",
                value::name(other.is)
            );
            self.findings.push(wrong(Severity::Warning, Code::NotAlwaysForce, what));
        }
        let zero = self.const_f(0.0);
        let vector = alts.iter().find_map(|alt| match alt.at {
            Columns::V(v) if alt.is == Type::Vector => Some((alt.mask, v)),
            _ => None,
        });
        Some(match vector {
            Some((Some(is_vector), V(x, y))) if alts.iter().any(|alt| alt.is == Type::Nothing) => {
                V(self.emit.select_f(is_vector, x, zero), self.emit.select_f(is_vector, y, zero))
            }
            Some((_, v)) => v,
            None => {
                // What is left to the interpreter may return one.
                if !self.sets_vel && self.slow.is_empty() && self.findings.is_empty() {
                    let what = "`steer` never returns a force, and sets no velocity";
                    self.findings.push(wrong(Severity::Warning, Code::NeverForce, what.into()));
                }
                V(zero, zero)
            }
        })
    }

    fn frame(&mut self) -> &mut Frame<'a> {
        match self.frames.last_mut() {
            Some(frame) => frame,
            None => unreachable!("the outermost frame stays"),
        }
    }

    /// A message at a place of the script that is being taken in.
    fn place(&self, what: Diagnostic, position: Position) -> Diagnostic {
        match self.frames.last() {
            Some(frame) => frame.script.sources().place(what, position),
            None => what,
        }
    }

    /// Something that will fail for every agent that comes by.
    fn fails(&mut self, what: Diagnostic, position: Position) -> Val {
        if self.active.is_some() && !self.is_too_large {
            let what = self.place(what, position);
            self.findings.push(what);
        }
        self.give_up()
    }

    /// Something that only the interpreter can do.
    fn slow(&mut self, what: &str, position: Position) -> Val {
        if self.active.is_some() && !self.is_too_large {
            let what = Diagnostic::note(format!("{what} keeps this to the interpreter"))
                .code(Code::Interpreted);
            let what = self.place(what, position);
            self.slow.push(what);
        }
        self.give_up()
    }

    /// Leaves the lanes that get here to the interpreter, and goes on as if they were not: what follows
    /// may be worth a message too.
    fn give_up(&mut self) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        self.lost |= self.emit.program.live == Some(active);
        self.emit.fault(active);
        Val::Any
    }

    /// Leaves the lanes that get here to the interpreter.
    fn stop(&mut self) -> Val {
        if let Some(active) = self.active.take() {
            self.emit.fault(active);
        }
        Val::never()
    }

    /// The home of what changes, with columns for all types seen so far.
    fn home(&mut self, id: Id) -> Rc<Home> {
        let types = self.seen.types(id);
        let known = self.homes.get(&id).cloned();
        if let Some(known) = &known
            && types.iter().all(|is| known.tag_of(is).is_some())
        {
            return Rc::clone(known);
        }
        let is_known = known.is_some();
        let mut home = known.map_or_else(
            || Home { tag: self.emit.i(), columns: Vec::new() },
            |known| Home::clone(&known),
        );
        for is in types.iter() {
            if home.tag_of(is).is_none() {
                let columns = self.emit.columns(is);
                home.columns.push((is, columns));
            }
        }
        if let Some(&slot) = self.slots.get(&id) {
            self.state[slot].types.clone_from(&home.columns);
        } else if let Some(name) = self.seen.keys.state(id) {
            self.slots.insert(id, self.state.len());
            self.state.push(StateSlot {
                name: name.into(),
                tag: home.tag,
                types: home.columns.clone(),
                written: false,
            });
        } else if !is_known {
            self.emit.starts_as(home.tag, StateSlot::ABSENT);
        }
        let home = Rc::new(home);
        self.homes.insert(id, Rc::clone(&home));
        home
    }

    /// A number that is known now.
    fn const_f(&mut self, value: f32) -> F {
        self.emit.const_f(value)
    }
}
