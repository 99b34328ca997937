//! Watches a program run for one agent: explains its force by the share of each primitive in it, and notes values.
//!
//! While a program runs for one agent, every number has a [`Form`] beside its value. Observing a program must not change
//! its results.

use std::collections::BTreeMap;

use super::banks::Banks;
use super::columns::Slot;
use super::execution::Observer;
use super::form::{Form, RecordedCall, split_into_shares, weighed};
use super::machine::{Block, GroupLanes, Machine, Scene};
use super::notes::{Note, NotePlace, Notebook, NotedStep};
use super::reasons::Reasons;
use super::variables::{NamedBy, NumberForm, RecordedVariables};
use super::{Bank, Call, CallArg, ChoiceCall, Columns, F, I, One, Op, OpKind, Program, Type, V};
use crate::diag::Place;
use crate::math::{self, Vec2};
use crate::sim::{Moment, ValueKind};
use crate::steer::{Arg, Cause, ExplainedChoice, Explanation, Flow, MAX_PARAMS, SeenNeighbors};
use crate::world::{FieldId, GroupId, Me, PathId, Progress, Values, World};

/// The explanation and the noted values of a turn that was watched.
pub struct WatchedTurn {
    /// Why the agent decides on its force. `None` if its lane is faulted.
    pub explanation: Option<Explanation>,
    /// The values that the program has noted, in their order, until the lane was faulted.
    pub steps: Vec<(NotePlace, NotedStep)>,
}

/// Runs a program for one agent, given its velocity and its mind before the turn, and watches it.
pub fn watch(
    program: &Program,
    world: &World,
    row: usize,
    vel: Vec2,
    mind: (&Values, &[Progress]),
) -> WatchedTurn {
    let me = Me::new(world, row, vel);
    let group: GroupId = me.group_id();
    let mut machine = Machine::<One>::default();
    let mut watcher = Watcher {
        calls: Vec::new(),
        context: CallContext::default(),
        forms: vec![NumberForm::default(); program.columns.0],
        is_computed: vec![false; program.columns.0],
        origins: vec![None; program.columns.0],
        variables: RecordedVariables::new(vel),
        stored: BTreeMap::new(),
        reasons: Reasons::new(program),
        notebook: Notebook::new(program),
    };
    watcher.reasons.add_news(program, &me);
    if let Some(own) = program.vel {
        let (x, y) = RecordedVariables::of_own_vel();
        watcher.set(own.0, x);
        watcher.set(own.1, y);
    }
    let slot = world.agents.motions.slot(row) as u32;
    let block = Block { slots: &[slot], velocities: &[vel], mind: &|_| mind };
    let groups = [GroupLanes { moment: Moment::unique(), world, group, lanes: 0..1 }];
    machine.run_watched(program, &groups, block, &mut watcher);
    let notebook = std::mem::take(&mut watcher.notebook);
    let explanation =
        (!machine.is_faulted(LANE)).then(|| explanation(program, &machine, watcher, vel));
    WatchedTurn { explanation, steps: notebook.finish(program) }
}

/// Returns whether an agent comes to one of the noted parts of scripts that are wanted, which is found out sooner than all that
/// [`watch`] tells. `None` if its lane is faulted before.
pub fn comes_to(
    program: &Program,
    world: &World,
    row: usize,
    vel: Vec2,
    mind: (&Values, &[Progress]),
    is_wanted: &dyn Fn(&Place) -> bool,
) -> Option<bool> {
    let mut machine = Machine::<One>::default();
    let mut search = Search { is_wanted, is_found: false };
    let slot = world.agents.motions.slot(row) as u32;
    let block = Block { slots: &[slot], velocities: &[vel], mind: &|_| mind };
    let group = world.agents.group[row];
    let groups = [GroupLanes { moment: Moment::unique(), world, group, lanes: 0..1 }];
    machine.run_watched(program, &groups, block, &mut search);
    (search.is_found || !machine.is_faulted(LANE)).then_some(search.is_found)
}

/// Looks for noted parts while a program runs.
struct Search<'w> {
    is_wanted: &'w dyn Fn(&Place) -> bool,
    is_found: bool,
}

impl Observer<One> for Search<'_> {
    fn before(&mut self, _: &Op, _: &Machine<One>, _: &Scene<'_>) {}

    fn after(&mut self, op: &Op, machine: &Machine<One>, scene: &Scene<'_>) {
        if let OpKind::Note(note) = op.kind
            && !self.is_found
            && machine.banks.takes_part(op.mask, LANE)
        {
            let note = &scene.program.notes[usize::from(note)];
            self.is_found = (self.is_wanted)(&scene.program.note_places[note.place].place);
        }
    }
}

/// Returns why the agent decided as it did, after the program has run.
fn explanation(
    program: &Program,
    machine: &Machine<One>,
    watcher: Watcher,
    vel: Vec2,
) -> Explanation {
    let force = machine.force(program, 0);
    let form =
        |column: Option<F>| column.map_or_else(NumberForm::default, |column| watcher.form(column));
    let (x, y) = (form(program.force.map(|V(x, _)| x)), form(program.force.map(|V(_, y)| y)));
    let (vel_x, vel_y) = (form(program.vel.map(|V(x, _)| x)), form(program.vel.map(|V(_, y)| y)));
    let causes = |of: Option<V>| of.map_or_else(Vec::new, |of| watcher.reasons.of_vector(of));
    let (calls, rest) =
        split_into_shares(watcher.calls, force, (&x.calls, &y.calls), (&vel_x.calls, &vel_y.calls));
    let vel_change = if program.sets_vel { machine.vel(program, LANE) - vel } else { Vec2::ZERO };
    let variables = watcher.variables.explain((&x, &y), (&vel_x, &vel_y), vel_change);
    let own_vel = machine.vel(program, LANE);
    let mut all = Explanation {
        calls,
        variables,
        rest,
        rest_causes: Vec::new(),
        force,
        vel: own_vel,
        vel_change,
        vel_causes: Vec::new(),
        choices: choices(program, machine, &watcher.reasons),
    };
    if all.has_rest() {
        all.rest_causes = causes(program.force);
    }
    if all.has_vel_rest() {
        all.vel_causes = causes(program.vel);
    }
    all
}

/// Returns the choices that the agent has made.
fn choices(program: &Program, machine: &Machine<One>, reasons: &Reasons) -> Vec<ExplainedChoice> {
    let made = program.choices.iter().filter(|call| machine.banks.boolean(call.mask, LANE));
    let explained = |call: &ChoiceCall| ExplainedChoice {
        name: call.name.clone(),
        place: call.place.clone(),
        rule: call.rule.map(|column| machine.banks.number(column, LANE)),
        news: reasons.news_of_state(program, &call.name),
    };
    made.map(explained).collect()
}

/// The lane of the only agent.
const LANE: usize = 0;

/// The data about a call that are known before it is made.
#[derive(Default)]
struct CallContext {
    cause: Option<Cause>,
    depends_on: Vec<Cause>,
    seen: Option<SeenNeighbors>,
}

/// Keeps the forms of all numbers while a program runs.
struct Watcher {
    calls: Vec<RecordedCall>,
    /// The context of the present call.
    context: CallContext,
    forms: Vec<NumberForm>,
    /// Whether each number was computed from others than constants. A constant may belong to several vectors.
    is_computed: Vec<bool>,
    /// The column that each number was copied from: reading a variable copies it.
    origins: Vec<Option<F>>,
    variables: RecordedVariables,
    /// The forms of the elements of arrays, by array and index.
    stored: BTreeMap<(u16, i64), NumberForm>,
    reasons: Reasons,
    notebook: Notebook,
}

impl Observer<One> for Watcher {
    // A primitive may advance the agent along a path. The cause is the waypoint before that.
    fn before(&mut self, op: &Op, machine: &Machine<One>, scene: &Scene<'_>) {
        let (OpKind::CallStart(_), Some(call)) = (op.kind, scene.program.call_of(op)) else {
            return;
        };
        let is_made = machine.banks.takes_part(op.mask, LANE);
        self.context =
            if is_made { call_context(machine, scene, call) } else { CallContext::default() };
        if matches!(self.context.cause, None | Some(Cause::Point { .. }))
            && is_made
            && let Some(CallArg::Vector(target)) = call.args.first()
        {
            let mut causes = self.reasons.of_vector(*target);
            // A goal depends on itself.
            causes.retain(|cause| !matches!(cause, Cause::Point { .. }));
            self.context.depends_on = causes;
        }
    }

    fn after(&mut self, op: &Op, machine: &Machine<One>, scene: &Scene<'_>) {
        let banks = &machine.banks;
        self.reasons.after(op, machine, scene);
        for (bank, at) in op.written.into_iter().flat_map(Slot::each) {
            if bank == Bank::F {
                self.is_computed[at] = self.depends_on_more_than_constants(op);
                self.origins[at] = None;
            }
        }
        let number = |column: F| banks.number(column, LANE);
        match op.kind {
            OpKind::BlendF => {
                let (from, mask) = op.reads();
                if banks.boolean(mask, LANE) {
                    let to: F = op.writes();
                    self.set(to, self.form(from));
                    self.origins[usize::from(to.0)] = Some(from);
                }
            }
            OpKind::SelectF => {
                let (mask, yes, no): (_, F, F) = op.reads();
                let chosen = if banks.boolean(mask, LANE) { yes } else { no };
                self.set(op.writes(), self.form(chosen));
            }
            OpKind::Unary(function) => {
                self.set(op.writes(), NumberForm::unary(function, &self.form(op.reads())));
            }
            OpKind::Binary(function) => {
                let (a, b) = op.reads();
                let (left, right) = (self.form(a), self.form(b));
                let form = NumberForm::binary(function, (number(a), &left), (number(b), &right));
                self.set(op.writes(), form);
            }
            OpKind::Unit => {
                let (to, a) = (op.writes(), op.reads());
                let by = math::scale(banks.vector(a, LANE), banks.vector(to, LANE));
                self.scale(to, a, by);
            }
            OpKind::Limit => {
                let (a, longest) = op.reads();
                let by = math::limit_scale(banks.vector(a, LANE), number(longest));
                self.scale(op.writes(), a, by);
            }
            OpKind::StoreF(array) => {
                let (index, from): (I, F) = op.reads();
                if banks.takes_part(op.mask, LANE) {
                    self.stored.insert((array, banks.integer(index, LANE)), self.form(from));
                }
            }
            OpKind::LoadF(array) => {
                let form = self.stored.get(&(array, banks.integer(op.reads(), LANE))).cloned();
                self.set(op.writes(), form.unwrap_or_default());
            }
            OpKind::CallEnd(_) => {
                if let Some(call) = scene.program.call_of(op)
                    && banks.takes_part(op.mask, LANE)
                {
                    self.record(call, op.reads(), banks);
                }
            }
            OpKind::Note(note) if banks.takes_part(op.mask, LANE) => {
                let note = &scene.program.notes[usize::from(note)];
                self.notebook.add(note, machine, scene);
                self.name_vector(note, machine, scene);
            }
            // No primitive has a share in the number of any other operation.
            _ => {
                for (bank, at) in op.written.into_iter().flat_map(Slot::each) {
                    if bank == Bank::F {
                        self.forms[at] = NumberForm::default();
                    }
                }
            }
        }
    }
}

impl Watcher {
    fn form(&self, column: F) -> NumberForm {
        self.forms[usize::from(column.0)].clone()
    }

    /// Returns whether a number that an operation writes is no constant, and not computed from constants only.
    fn depends_on_more_than_constants(&self, op: &Op) -> bool {
        let is_computed = |column: F| self.is_computed[usize::from(column.0)];
        match op.kind {
            OpKind::ConstF(_) | OpKind::ToF => false,
            OpKind::Unary(_) => is_computed(op.reads()),
            OpKind::Binary(_) => {
                let (a, b) = op.reads();
                is_computed(a) || is_computed(b)
            }
            _ => true,
        }
    }

    fn set(&mut self, column: F, form: NumberForm) {
        self.forms[usize::from(column.0)] = form;
    }

    fn scale(&mut self, to: V, from: V, by: f32) {
        self.set(to.0, self.form(from.0).scaled(by));
        self.set(to.1, self.form(from.1).scaled(by));
    }

    /// Records a call and the columns that hold its force.
    fn record(&mut self, made: &Call, at: V, banks: &Banks<One>) {
        let (x, y) = Form::of_source(self.calls.len() as u32);
        let CallContext { cause, depends_on, seen } = std::mem::take(&mut self.context);
        self.calls.push(RecordedCall {
            primitive: made.primitive,
            place: made.place.clone(),
            cause,
            depends_on,
            seen,
            vel: banks.vector(made.vel, LANE),
            answer: banks.vector(at, LANE),
        });
        self.reasons.clear(at);
        self.set(at.0, NumberForm::of_call(x));
        self.set(at.1, NumberForm::of_call(y));
    }

    /// Gives a vector the name of the variable that gets it, or of the function of the script that returns it, if a note says that.
    fn name_vector(&mut self, note: &Note, machine: &Machine<One>, scene: &Scene<'_>) {
        let all = &scene.program.note_places;
        let NotePlace { place, kind, .. } = &all[note.place];
        let is_property = place.source.text[..place.span.start].trim_end().ends_with('.');
        let is_called = || all.iter().any(|one| one.calls.last() == Some(place));
        let by = match kind {
            ValueKind::Variable if !is_property => NamedBy::Variable,
            ValueKind::Result if is_called() => NamedBy::Function,
            _ => return,
        };
        let Some(Columns::V(at)) = note.columns_of(Type::Vector, machine) else { return };
        let is_own = [at.0, at.1].map(|column| self.is_computed[usize::from(column.0)]);
        let form = |is_own, at| if is_own { self.form(at) } else { NumberForm::default() };
        let (x, y) = (form(is_own[0], at.0), form(is_own[1], at.1));
        let calls = self.calls.iter().enumerate();
        let of_calls = calls.map(|(i, call)| weighed(i as u32, call.answer, &x.calls, &y.calls).1);
        let (of_calls, causes) = (of_calls.sum(), self.reasons.of_vector(at));
        let whole = machine.banks.vector(at, LANE);
        let own = |is_own, number| if is_own { number } else { 0.0 };
        let value = Vec2::new(own(is_own[0], whole.x), own(is_own[1], whole.y));
        let name = &place.source.text[place.span.clone()];
        if let Some((x, y)) =
            self.variables.set((name, place, by), value, of_calls, (&x, &y), causes)
        {
            for (is_own, column, form) in [(is_own[0], at.0, x), (is_own[1], at.1, y)] {
                if !is_own {
                    continue;
                }
                if let Some(variable) = self.origins[usize::from(column.0)] {
                    self.set(variable, form.clone());
                }
                self.set(column, form);
            }
        }
    }
}

/// Returns the context of a call that the agent is about to make.
fn call_context(machine: &Machine<One>, scene: &Scene<'_>, call: &Call) -> CallContext {
    let mut progress = machine.progress.clone();
    let me = Me::new(scene.first_world(), machine.row(LANE), machine.banks.vector(call.vel, LANE))
        .with_progress(&mut progress);
    let Some(args) = args(machine, scene, call) else {
        return CallContext::default();
    };
    let given = &args[..call.args.len()];
    let seen = given.iter().find_map(|arg| match arg {
        Arg::Neighbors(which) => Some(SeenNeighbors::new(&me, which)),
        _ => None,
    });
    let mut cause = call.primitive.cause(&me, given);
    if matches!(cause, None | Some(Cause::Point { .. })) {
        // The primitive only gets a vector. The call knows which agent it belongs to.
        let owner = call.args.iter().find_map(|place| match place {
            CallArg::VectorOf(_, row) => machine.other(scene.first_world(), *row, LANE),
            _ => None,
        });
        cause = owner.map(|other| Cause::agent(&me, other)).or(cause);
    }
    CallContext { cause, depends_on: Vec::new(), seen }
}

/// Returns the arguments of a call; elements after the last argument are meaningless. `None` if an argument is an agent
/// or a path that does not exist.
fn args<'t>(
    machine: &Machine<One>,
    scene: &Scene<'t>,
    call: &Call,
) -> Option<[Arg<'t>; MAX_PARAMS]> {
    let banks = &machine.banks;
    let mut args = [Arg::Number(0.0); MAX_PARAMS];
    for (given, arg) in call.args.iter().zip(&mut args) {
        *arg = match *given {
            CallArg::Number(x) => Arg::Number(banks.number(x, LANE)),
            CallArg::Vector(v) | CallArg::VectorOf(v, _) => Arg::Vector(banks.vector(v, LANE)),
            CallArg::Agent(row) => Arg::Agent(machine.other(scene.first_world(), row, LANE)?),
            CallArg::Neighbors(near) => {
                Arg::Neighbors(machine.neighborhood(scene.program, near, LANE))
            }
            CallArg::Path(place) => {
                let place = u16::try_from(banks.integer(place, LANE)).ok()?;
                let is_there = usize::from(place) < scene.first_world().paths.len();
                Arg::Path(is_there.then_some(PathId(place))?)
            }
            CallArg::Field(place) => {
                let place = u16::try_from(banks.integer(place, LANE)).ok()?;
                Arg::Flow(Flow::Field(FieldId(place)))
            }
            CallArg::FlowOf(v) => Arg::Flow(Flow::Vector(banks.vector(v, LANE))),
            // Combinators are no recorded calls.
            CallArg::Forces(_) | CallArg::Numbers(_) | CallArg::Slots(_) => return None,
        };
    }
    Some(args)
}
