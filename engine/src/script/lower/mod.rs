//! Scripts lowered to programs over columns: read once, run for all agents of a group.
//!
//! The lowering follows the script as the interpreter would, for all agents at once: values are columns,
//! a branch is a mask over lanes, functions are taken in where they are called. What it knows of types
//! it also uses to find what would fail. What it cannot express (closures, say) it leaves to the
//! interpreter: lanes that come by are *at fault*, and whoever runs the program has their whole turn
//! done by the interpreter instead. So lowering is never a question of meaning, only of speed.

mod arithmetic;
mod calls;
mod chain;
mod changes;
mod discarded;
mod emit;
mod encounters;
mod expr;
mod facts;
mod flow;
mod loops;
mod operators;
mod primitives;
mod properties;
mod suspicious;
mod switch;
mod tried;
mod unused;
mod value;
mod wanted;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use rhai::Position;

pub(super) use facts::Facts;

use super::compile::Script;
use crate::diag::{Code, Diagnostic, Severity};
use crate::program::{B, Columns, F, I, Op, Program, StateSlot, Type, V};
use crate::script::error;
use crate::script::trial::Stage;
use emit::Emit;
use value::{Alt, Val};

/// A script lowered for one group.
pub(super) struct Lowered {
    /// `None` where every agent would end up with the interpreter.
    pub(super) program: Option<Program>,
    /// What will fail, or may fail, or is of no use, once a lane comes by.
    pub(super) findings: Vec<Diagnostic>,
    /// What the interpreter has to do, and where.
    pub(super) slow: Vec<Diagnostic>,
}

/// What was seen anywhere in a script, and in earlier rounds through it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    /// Types that variables and states have had, by where they are introduced.
    types: BTreeMap<Key, BTreeSet<Type>>,
    /// What has had a value that only the interpreter knows.
    any: BTreeSet<Key>,
    /// Texts by their place: what `init` keeps, `steer` must know.
    texts: Vec<Arc<str>>,
}

/// What is known of types at some place, beyond what has been seen anywhere.
type Known = BTreeMap<Key, BTreeSet<Type>>;

/// What may change its type in the course of a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    /// A variable: the calls that lead to it, and where it stands.
    Variable(Vec<(u16, u16)>, u16, u16, String),
    State(String),
    /// What a function returns.
    Returned(Vec<(u16, u16)>),
    /// Properties that may be nothing, and that stay what they are for a whole tick.
    Goal,
    Cursor,
}

/// Lowers `init`, if there is one, and `steer`. With a stage to try things on, it finds out what is sure to
/// fail.
pub(super) fn lower(
    script: &Script,
    facts: &Facts,
    stage: Option<&Stage>,
) -> (Option<Lowered>, Lowered) {
    let mut seen = Seen {
        texts: facts.texts.clone(),
        ..Seen::default()
    };
    // Types flow from assignments to earlier reads (in loops, from tick to tick), until nothing is new.
    for _ in 0..MOST_ROUNDS {
        let before = seen.clone();
        let init = script
            .defines("init")
            .then(|| Lower::new(script, facts, stage, &mut seen).run("init"));
        let steer = Lower::new(script, facts, stage, &mut seen).run("steer");
        if seen == before {
            let mut steer = steer;
            steer.findings.extend(unused::statements(script));
            steer.findings.extend(unused::variables(script));
            return (init, steer);
        }
    }
    let nothing = || Lowered {
        program: None,
        findings: Vec::new(),
        slow: Vec::new(),
    };
    (script.defines("init").then(nothing), nothing())
}

/// Types only ever get more; there are nine of them.
const MOST_ROUNDS: usize = 30;

/// Operations for one turn beyond which a script is left to the interpreter.
const MOST_NODES: usize = 30_000;

/// A script on its way to becoming a program.
struct Lower<'a> {
    facts: &'a Facts,
    /// Where to try what may fail; only if findings are asked for.
    stage: Option<&'a Stage>,
    seen: &'a mut Seen,
    emit: Emit,
    /// The lanes that get here; `None` where none do.
    active: Option<B>,
    frames: Vec<Frame<'a>>,
    /// What is known of types by now, beyond what has been seen anywhere.
    now: Known,
    vel: V,
    state: Vec<StateSlot>,
    homes: HashMap<Key, Home>,
    /// Steps done in loops so far, made where the first loop is.
    steps: Option<I>,
    nodes: usize,
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
    name: String,
    variables: Vec<Variable>,
    /// Names that are assigned to somewhere in it.
    assigned: BTreeSet<String>,
    returned: Key,
    /// Lanes that have returned, once there are any.
    gone: Option<B>,
    /// Whether a value has been returned before the end.
    returns: bool,
    /// What was known of types where it returned.
    ends: Option<Known>,
    loops: Vec<Loop>,
    /// The calls that lead here.
    path: Vec<(u16, u16)>,
}

/// A loop being taken in: the lanes still in it.
struct Loop {
    running: B,
}

struct Variable {
    name: String,
    is: Binding,
}

#[derive(Clone)]
enum Binding {
    /// Never assigned to again.
    Fixed(Val),
    /// Changes lane by lane.
    Home(Key),
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
        facts: &'a Facts,
        stage: Option<&'a Stage>,
        seen: &'a mut Seen,
    ) -> Self {
        let mut emit = Emit::default();
        let vel = emit.v();
        let live = emit.b();
        emit.program.live = Some(live);
        emit.program.vel = Some(vel);
        emit.program.texts = seen.texts.clone();
        emit.program.group_texts = facts.group_texts.clone();
        let mut this = Self {
            facts,
            stage,
            seen,
            emit,
            active: Some(live),
            frames: Vec::new(),
            now: Known::new(),
            vel,
            state: Vec::new(),
            homes: HashMap::new(),
            steps: None,
            nodes: 0,
            sets_vel: false,
            checked: HashSet::new(),
            lost: false,
            warned: HashSet::new(),
            findings: Vec::new(),
            slow: Vec::new(),
        };
        this.sets_vel = changes::sets_vel(script);
        this.frames
            .push(Frame::new(script, String::new(), Vec::new()));
        this
    }

    fn run(mut self, function: &str) -> Lowered {
        let script = self.frames[0].script;
        let result = self.take_in(script, function, vec![Val::Me], Position::NONE);
        let unreached = result.is_never();
        if function == "steer" && !unreached {
            let force = self.force(result);
            self.emit.program.force = force;
        }
        let is_slow = self.emit.is_full()
            || self.nodes > MOST_NODES
            || self.lost
            || (function == "steer" && self.emit.program.force.is_none());
        self.seen.texts.clone_from(&self.emit.program.texts);
        let mut program = self.emit.finish();
        program.state = self.state;
        program.sets_vel = self.sets_vel;
        program.uses_progress |= program.body.iter().any(|op| match op {
            Op::Waypoint { .. } => true,
            Op::Call { call, .. } => call.primitive.moves_progress,
            _ => false,
        });
        self.findings
            .sort_by_key(|found| found.place.as_ref().map_or(0, |place| place.span.start));
        // What follows from an error is not worth a warning.
        if self
            .findings
            .iter()
            .any(|one| one.severity == Severity::Error)
        {
            self.findings.retain(|one| one.code != Code::MayBeNothing);
        }
        self.findings.dedup();
        self.slow.dedup();
        Lowered {
            program: (!is_slow).then_some(program),
            findings: self.findings,
            slow: self.slow,
        }
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
            self.findings
                .push(wrong.at(&script.source, script.place_of("steer")));
            return None;
        }
        for other in alts.iter().filter(|alt| !is_force(alt)) {
            let active = other.mask.map_or(live, |mask| self.emit.and(live, mask));
            self.emit.op(Op::Fault { active });
        }
        if let Some(other) = alts.iter().find(|alt| !is_force(alt)) {
            let what = format!(
                "`steer` must return a vector, and on some way returns {}",
                value::name(other.is)
            );
            self.findings
                .push(wrong(Severity::Warning, Code::NotAlwaysForce, what));
        }
        let zero = self.const_f(0.0);
        let vector = alts.iter().find_map(|alt| match alt.at {
            Columns::V(v) if alt.is == Type::Vector => Some((alt.mask, v)),
            _ => None,
        });
        Some(match vector {
            Some((Some(is_vector), V(x, y))) if alts.iter().any(|alt| alt.is == Type::Nothing) => {
                V(
                    self.emit.select_f(is_vector, x, zero),
                    self.emit.select_f(is_vector, y, zero),
                )
            }
            Some((_, v)) => v,
            None => {
                // What is left to the interpreter may return one.
                if !self.sets_vel && self.slow.is_empty() && self.findings.is_empty() {
                    let what = "`steer` never returns a force, and sets no velocity";
                    self.findings
                        .push(wrong(Severity::Warning, Code::NeverForce, what.into()));
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
            Some(frame) => frame.script.texts().place(what, position),
            None => what,
        }
    }

    /// Something that will fail for every agent that comes by.
    fn fails(&mut self, what: Diagnostic, position: Position) -> Val {
        if self.active.is_some() {
            let what = self.place(what, position);
            self.findings.push(what);
        }
        self.give_up()
    }

    /// Something that only the interpreter can do.
    fn slow(&mut self, what: &str, position: Position) -> Val {
        if self.active.is_some() {
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
        self.emit.op(Op::Fault { active });
        Val::Any
    }

    /// Leaves the lanes that get here to the interpreter.
    fn stop(&mut self) -> Val {
        if let Some(active) = self.active.take() {
            self.emit.op(Op::Fault { active });
        }
        Val::never()
    }

    /// The home of what changes, with columns for all types seen so far.
    fn home(&mut self, key: &Key) -> Home {
        let types = self.seen.types.get(key).cloned().unwrap_or_default();
        let known = self.homes.get(key).cloned();
        let mut home = known.clone().unwrap_or_else(|| Home {
            tag: self.emit.i(),
            columns: Vec::new(),
        });
        for is in types {
            if home.tag_of(is).is_none() {
                let columns = self.emit.columns(is);
                home.columns.push((is, columns));
            }
        }
        if let Key::State(name) = key {
            match self.state.iter_mut().find(|slot| *slot.name == **name) {
                Some(slot) => slot.types.clone_from(&home.columns),
                None => self.state.push(StateSlot {
                    name: name.as_str().into(),
                    tag: home.tag,
                    types: home.columns.clone(),
                    written: false,
                }),
            }
        } else if known.is_none() {
            self.emit.at_start(Op::ConstI {
                to: home.tag,
                value: StateSlot::ABSENT,
            });
        }
        self.homes.insert(key.clone(), home.clone());
        home
    }

    /// A number that is known now.
    fn const_f(&mut self, value: f32) -> F {
        self.emit.const_f(value)
    }
}

impl<'a> Frame<'a> {
    fn new(script: &'a Script, name: String, path: Vec<(u16, u16)>) -> Self {
        Self {
            script,
            name,
            variables: Vec::new(),
            assigned: BTreeSet::new(),
            returned: Key::Returned(path.clone()),
            gone: None,
            returns: false,
            ends: None,
            loops: Vec::new(),
            path,
        }
    }
}
