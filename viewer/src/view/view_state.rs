//! The state that the player publishes for the screen: one tick of the run, and everything that is shown about it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use flockwork_engine::diag::Source;
use flockwork_engine::live::{
    COUNT, FileComment, ListedExpectation, ParamNote, ParamNotes, ParamSetting, TrackRow, Tracks,
};
use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::{FullPart, Handle};
use flockwork_engine::sim::{Message, NextTurn};
use flockwork_engine::world::{AgentId, Goal, GroupId, Value, Values, World};
use flockwork_engine::{Diagnostic, ExpectationState, Failure};
use flockwork_lsp::SharedValues;

use super::compared::Compared;
use super::failed_pair::FailedPair;
use super::plot::{PlotSource, ShownPlot};
use super::prediction::ShownPrediction;
use super::tune::{self, Knob};
use super::tune_results::ShownResult;

/// Everything that the screen shows of one tick.
#[derive(Clone)]
pub(crate) struct ViewState {
    /// The name of the scenario.
    pub name: String,
    /// What the authors of its files say of it.
    pub comments: Arc<[FileComment]>,
    /// What the last comparison of params has found.
    pub compared: Option<Arc<Compared>>,
    /// What they say of params.
    pub param_notes: Arc<ParamNotes>,
    /// The scenario and its scripts with their present text, while they are shown.
    pub files: Arc<[Arc<Source>]>,
    /// The values that the selected agent computes in its next turn, while they are shown.
    pub turn_values: Option<Arc<SharedValues>>,
    pub world: Arc<World>,
    /// The first tick of the history.
    pub first_tick: u64,
    /// The last tick of the run so far.
    pub last_tick: u64,
    /// Whether a run of the files without a window leads to this tick as it is here.
    pub is_of_files: bool,
    /// The tick from which on there are no agents, if there are none now.
    pub empty_since: Option<u64>,
    /// The tick at which the scenario ends.
    pub scenario_ticks: u64,
    /// Ticks at which edited files took effect.
    pub edits: Vec<u64>,
    pub is_playing: bool,
    /// The tick that the player is running to.
    pub target: Option<u64>,
    /// Speed as a power of 2.
    pub speed: i32,
    /// The share of the speed that is reached, if the run cannot keep up.
    pub reached_share: Option<f64>,
    /// The ticks per second that are reached, if they have been measured.
    pub pacing: Option<Pacing>,
    /// The state hash, while the run is paused.
    pub hash: Option<u64>,
    /// The next turn of the selected agent, with its explanation.
    pub next_turn: Option<Arc<NextTurn>>,
    /// How many times an agent was selected.
    pub selections: u64,
    /// The selected agent, if it is not in the world at this tick, but at another one.
    pub absent: Option<AbsentAgent>,
    /// The params of each group, including changes since the last tick.
    pub params: Vec<Values>,
    /// The sequences of goals of each group, including changes since the last tick.
    pub goals: Vec<Vec<Arc<[Goal]>>>,
    /// Whether there is something to undo.
    pub can_undo: bool,
    /// Whether there is something to redo.
    pub can_redo: bool,
    /// The params that the person has set.
    pub settings: Vec<ParamSetting>,
    /// The params of the person that are put aside, while those of the scenario file are in use.
    pub params_aside: Vec<ParamSetting>,
    /// The params of each group that the person keeps, to compare others with them.
    pub kept_params: Option<Arc<BTreeMap<String, Values>>>,
    /// The params of each group in the scenario file.
    pub file_params: Arc<BTreeMap<String, Values>>,
    /// The seed in the scenario file.
    pub file_seed: u64,
    /// The params of each group in the scenario file when it was opened.
    pub first_params: Arc<BTreeMap<String, Values>>,
    /// `files`, `params` or both, if they were older when this tick ran; `None` if neither was.
    pub older: Option<&'static str>,
    /// The last tick up to the shown one at which files were edited or params were set. The ticks before it ran with older ones.
    pub changed_at: Option<u64>,
    /// Id and chosen force of each agent, if this overlay is on.
    pub forces: Vec<(AgentId, Vec2)>,
    /// Places and the force that the selected agent would choose there, if this overlay is on.
    pub field: Vec<(Vec2, Vec2)>,
    /// Positions of all agents in the last ticks, oldest first.
    pub trail: Vec<Arc<TrackRow>>,
    /// Positions of all agents since the ghost branched off.
    pub own_track: Vec<Arc<TrackRow>>,
    pub ghost: Option<Arc<Tracks>>,
    /// The description of the ghost.
    pub ghost_name: String,
    /// Whether the ghost is the baseline, which stays until it is removed.
    pub is_ghost_kept: bool,
    /// The messages of scripts and the notices, the oldest first, while the log is shown.
    pub log: Arc<[LogLine]>,
    /// The expressions of the person that can be plotted, the latest last.
    pub expressions: Arc<[PlotSource]>,
    /// The expectations of the files that run at this tick.
    pub expectations: Arc<[ListedExpectation]>,
    /// The state of each of them. `None` while earlier ticks still have to be judged, or if they are not judged.
    pub judged: Option<Arc<[ExpectationState]>>,
    /// The failures that are known in the present history, also at later ticks, in the order of the expectations.
    pub failures: Arc<[Failure]>,
    /// What is known of the two agents of a failure, if one of them is selected.
    pub failed_pair: Option<Arc<FailedPair>>,
    /// Whether the expectations are judged.
    pub is_judging: bool,
    /// The tick up to which ticks have been judged, if earlier ones still have to be.
    pub judged_to: Option<u64>,
    /// Whether the run pauses when an expectation fails.
    pub pauses_on_failure: bool,
    /// The condition at which the run pauses.
    pub pause_when: Option<String>,
    /// The outcome of the answer that was typed last.
    pub answer: Answer,
    /// The name that a scenario gets that is saved at this tick.
    pub save_name: String,
    /// The points that are written in the scenario.
    pub handles: Arc<[Handle]>,
    /// The goals and the agents of groups that cannot have another place there.
    pub full_parts: Arc<[FullPart]>,
    /// Why the current files do not run.
    pub errors: Arc<[Diagnostic]>,
    /// Whether the run is stopped because no previous version can continue.
    pub is_stuck: bool,
    /// Whether there is no run yet, because the files have errors.
    pub is_waiting: bool,
    /// Whether a script reads where the pointer is.
    pub reads_pointer: bool,
    /// What goes on beside the run, in words.
    pub background_task: Option<String>,
    /// Notices, oldest first.
    pub notices: Vec<Notice>,
    /// The messages that scripts printed recently.
    pub messages: Vec<Message>,
    /// The plots over time, from the top down.
    pub plots: Vec<ShownPlot>,
    /// What the person has predicted.
    pub prediction: Option<ShownPrediction>,
    /// The expression that can color agents.
    pub numbers: Option<ColorNumbers>,
    /// The result of a tune that is shown.
    pub result: Option<ShownResult>,
}

impl ViewState {
    /// Returns the ghost if it is drawn at the shown tick: not after its last one.
    pub(crate) fn ghost_at_tick(&self) -> Option<&Arc<Tracks>> {
        let is_there =
            |ghost: &&Arc<Tracks>| ghost.ticks().is_some_and(|(_, last)| self.world.tick <= last);
        self.ghost.as_ref().filter(is_there)
    }

    /// Returns a plot, if its values are known.
    pub(super) fn plot(&self, source: &PlotSource) -> Option<&ShownPlot> {
        self.plots.iter().find(|plot| plot.source == *source)
    }

    /// Returns the first group that has params that can be changed here, if there is one.
    pub(crate) fn first_with_params(&self) -> Option<GroupId> {
        self.first_with(|knob| knob.param != COUNT)
    }

    /// Returns the first group that has such a param, if there is one.
    pub(crate) fn first_with(&self, is_wanted: impl Fn(&Knob) -> bool) -> Option<GroupId> {
        let mut all = (0..).map(GroupId).zip(&self.params);
        all.find(|(_, params)| tune::knobs(params).iter().any(&is_wanted)).map(|(group, _)| group)
    }

    /// Returns whether params are put aside.
    pub(crate) fn has_params_aside(&self) -> bool {
        !self.params_aside.is_empty()
    }

    /// Returns whether there are two sets of params: those that are kept, or else those of the scenario file, and others.
    pub(crate) fn can_swap_params(&self) -> bool {
        let others = self.kept_params.as_ref().unwrap_or(&self.file_params);
        self.has_params_aside() || self.differs_from(others)
    }

    /// Returns whether there is something to compare with: params of the scenario file, or those that it had when it was opened.
    pub(crate) fn can_compare_params(&self) -> bool {
        let is_kept = self.kept_params.is_some();
        self.can_swap_params() || !is_kept && self.differs_from(&self.first_params)
    }

    /// Returns whether any param that is shown has another value among others.
    fn differs_from(&self, others: &BTreeMap<String, Values>) -> bool {
        let mut groups = self.world.groups.iter().zip(&self.params);
        groups.any(|(group, params)| {
            let others = others.get(&*group.name);
            let differs = |(name, value): (&str, &Value)| {
                let other = others.and_then(|others| others.get(name));
                other.is_some_and(|other| other != value)
            };
            params.iter().any(differs)
        })
    }

    /// Returns whether time goes on, by itself or to a tick.
    pub(crate) fn is_moving(&self) -> bool {
        self.is_playing || self.target.is_some()
    }

    /// Returns the params that the person has set and not written to the scenario file.
    pub(crate) fn unwritten(&self) -> impl Iterator<Item = &ParamSetting> {
        self.settings.iter().filter(|one| !one.is_written)
    }

    /// Returns the params that are lost when the window closes: also those that are put aside.
    pub(crate) fn at_risk(&self) -> impl Iterator<Item = &ParamSetting> + Clone {
        self.settings.iter().filter(|one| !one.is_written).chain(&self.params_aside)
    }
}

/// Says how many params are not written.
pub(crate) fn not_written(count: usize) -> String {
    if count == 1 {
        "1 param is not written".to_owned()
    } else {
        format!("{count} params are not written")
    }
}

/// An expression and, while it colors agents, its number for each of them, in the order of ids.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColorNumbers {
    pub text: String,
    pub numbers: Arc<[(AgentId, f32)]>,
}

/// A selected agent that is not in the world at the shown tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AbsentAgent {
    pub id: AgentId,
    /// The name of its group, if it is known.
    pub group: Option<Arc<str>>,
    /// The last known tick with it, or the first one if it is not there yet.
    pub nearest: u64,
    /// Its position at that tick, in world units.
    pub pos: Vec2,
    /// The first tick without it; `None` if it is not there yet.
    pub left_at: Option<u64>,
}

impl AbsentAgent {
    /// Says that it is not there, in a sentence.
    pub(super) fn words(&self) -> String {
        let group = self.group.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
        match self.left_at {
            Some(tick) => format!("agent {}{group} left the world at tick {tick}", self.id),
            None => format!("agent {}{group} comes at tick {}", self.id, self.nearest),
        }
    }
}

/// How fast ticks pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pacing {
    /// Ticks per second of real time.
    pub ticks_per_s: f64,
    /// How long a tick takes, in seconds of real time.
    pub tick_s: f64,
    /// Ticks per second at the speed that is set; `None` on the way to a tick.
    pub wanted_per_s: Option<f64>,
}

/// The outcome of the answers that the player has tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// How many were tried.
    pub tried: u64,
    /// Why the last one cannot be used.
    pub error: Option<String>,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogLine {
    pub tick: u64,
    /// The id of the agent that it is about.
    pub agent: Option<AgentId>,
    pub text: String,
    /// Whether something failed.
    pub is_failure: bool,
}

/// A short message about what just happened.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub text: String,
    pub at: Instant,
    /// When a notice with the same words, maybe with other numbers, was first shown in this place.
    pub since: Instant,
    /// Whether something failed.
    pub is_failure: bool,
    /// Whether it is shown longer than others.
    pub stays: bool,
    /// The scenario that a click opens.
    pub opens: Option<PathBuf>,
    /// The agent that a click selects.
    pub selects: Option<AgentId>,
    /// The tick to which a click goes.
    pub goes_to: Option<u64>,
    /// The tick at which an expectation fails. It is shown until it is closed, while the history has that tick.
    pub failed_at: Option<u64>,
}

impl ViewState {
    /// Returns what the files say of a param of a group.
    pub(super) fn param_note(&self, group: GroupId, param: &str) -> Option<&ParamNote> {
        self.param_notes.get(&*self.world.group(group).name)?.get(param)
    }
}

impl Notice {
    /// How long a notice is shown.
    pub(crate) const DURATION: Duration = Duration::from_secs(5);
    /// How long a notice is shown that says what failed.
    const FAILURE_DURATION: Duration = Duration::from_secs(10);
    /// How long a notice is shown that takes time to read.
    const LONG_DURATION: Duration = Duration::from_secs(20);

    /// The time at its end in which it fades.
    pub(super) const FADE: Duration = Duration::from_secs(1);

    /// Returns whether it fades now, or has ended no longer ago than `after`.
    pub(super) fn is_fading(&self, after: Duration) -> bool {
        let (age, lasts) = (self.at.elapsed(), self.duration());
        age + Self::FADE >= lasts && age < lasts.saturating_add(after)
    }

    /// Returns how long it is shown.
    pub(super) fn duration(&self) -> Duration {
        match self.is_failure {
            _ if self.failed_at.is_some() => Duration::MAX,
            _ if self.stays || self.selects.is_some() || self.opens.is_some() => {
                Self::LONG_DURATION
            }
            true => Self::FAILURE_DURATION,
            false => Self::DURATION,
        }
    }
}

/// A task of the player that may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Computing a tick.
    Tick,
    /// Reading edited files and trying them.
    Reload,
    /// Explaining decisions.
    Explain,
    /// Writing files and testing them.
    Save,
}

/// The view state that the player publishes and the screen reads.
pub(crate) struct SharedView {
    state: Mutex<Arc<ViewState>>,
    busy: Mutex<Option<(Task, Instant)>>,
}

impl SharedView {
    pub(crate) fn new(state: ViewState) -> Self {
        Self { state: Mutex::new(Arc::new(state)), busy: Mutex::new(None) }
    }

    /// Returns the state that was published last.
    pub(crate) fn latest(&self) -> Arc<ViewState> {
        Arc::clone(&self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn publish(&self, state: ViewState) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }

    /// Returns the player's current task and how long it has taken so far.
    pub(crate) fn busy(&self) -> Option<(Task, Duration)> {
        let busy = *self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy.map(|(task, since)| (task, since.elapsed()))
    }

    pub(super) fn set_busy(&self, task: Option<Task>) {
        *self.busy.lock().unwrap_or_else(PoisonError::into_inner) =
            task.map(|task| (task, Instant::now()));
    }
}
