//! The player: owns the session, advances it, and handles commands.
//!
//! It runs on its own thread, so that the screen stays responsive however long a tick takes. It publishes what is to be
//! shown in the [`SharedView`] and never waits for the screen.

mod absent;
mod actions;
mod background;
mod changes;
mod colors;
mod compare;
mod failed_pair;
mod files;
mod find;
mod ghost;
mod judging;
mod notices;
mod pace;
mod playing;
mod plot_filling;
mod plots;
mod predict;
mod publish;
mod reload;
mod results;
mod run_before;
mod scene_words;
mod seeds;
mod setup;
mod small_failure;
mod undo;
mod weights;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use flockwork_engine::Options;
use flockwork_engine::diag::Source;
use flockwork_engine::live::{FileComment, Session, StepResult, Tracks, WeightSwitches};
use flockwork_engine::load::Watch;
use flockwork_engine::math::{Vec2, short};
use flockwork_engine::sim::{Action, Brain};
use flockwork_engine::world::{AgentId, Value, Values};

use super::command::{Overlays, PlayerCommand, SPEED_POWERS, counts_ticks, speed_factor};
use super::compared::{Compared, ComparedSetup};
use super::prediction::Prediction;
use super::tune_results::ShownResult;
use super::view_state::{Answer, LogLine, Notice, SharedView, Task};
use crate::sharing::Host;
use changes::Changes;
use colors::ColorExpression;
use compare::{Comparison, FirstRun};
use failed_pair::PairSearch;
use judging::KnownFailures;
use pace::Pace;
use playing::Playing;
use plots::Plots;
use seeds::SeedComparison;
use small_failure::SmallFailure;

/// How often it is said how far the failure is that is being made smaller.
const PROGRESS: Duration = Duration::from_millis(100);
/// Longest time between two looks at the commands, unless a single tick takes longer.
const SLICE: Duration = Duration::from_millis(12);
/// Delay between a change of a file and the reload: a save is often several changes.
const SETTLE: Duration = Duration::from_millis(25);
/// Delay before an error in the files is shown: an editor may have saved only half of a file.
const PATIENCE: Duration = Duration::from_millis(120);

/// With fewer ticks per second than this, motion is hardly visible.
const MIN_TICKS_PER_S: f64 = 10.0;
/// With this many ticks per second, motion is smooth.
const SMOOTH_TICKS_PER_S: f64 = 24.0;

/// Maximum number of notices in the log.
const MAX_NOTICED: usize = 200;

/// A condition at which the run pauses.
struct PauseWhen {
    text: String,
    condition: Arc<dyn Brain>,
    /// The agents for which it holds at this tick.
    held: Vec<AgentId>,
}

/// A value of a param: its group and name, and the value.
type NamedValue = ((String, String), Value);

/// A ghost and its description.
struct NamedGhost {
    ghost: Arc<Tracks>,
    name: String,
    /// Whether it is kept only until everything runs again or is compared again.
    is_replaceable: bool,
}

/// The results of a tune and the one that is shown.
struct ResultSteps {
    shown: ShownResult,
    options: Options,
}

/// Runs a session and handles the commands of the window.
pub(crate) struct Player {
    session: Session,
    shared: Arc<SharedView>,
    /// Shares the values of the selected agent with editors.
    host: Option<Arc<Host>>,
    watch: Option<Watch>,
    is_playing: bool,
    speed: i32,
    /// Ticks that are due; the fraction counts towards the next one.
    due_ticks: f64,
    last_advance: Instant,
    pace: Pace,
    target: Option<u64>,
    /// Whether time goes on when the target is reached.
    goes_on: bool,
    selected: Option<AgentId>,
    /// How many times an agent was selected.
    selections: u64,
    /// An agent that was selected last, and its group.
    selected_group: Option<(AgentId, Arc<str>)>,
    /// Whether the person has selected an agent or none, or changed a param: then the program selects none on its own.
    has_chosen: bool,
    /// How long the last explanation of the selected agent took.
    explain_time: Duration,
    overlays: Overlays,
    plots: Plots,
    failures: KnownFailures,
    /// The search for the ticks since when two agents that fail react to each other.
    pair_search: Option<PairSearch>,
    is_visible: bool,
    cursor: Option<Vec2>,
    /// Whether the pointer has moved since the world last got its position.
    has_cursor_moved: bool,
    playing: Playing,
    /// Commands to handle when the target is reached.
    deferred: Vec<PlayerCommand>,
    /// The failure that is being made smaller.
    small_failure: Option<SmallFailure>,
    changes: Changes,
    /// The params of the person while those of the scenario file are in use.
    params_aside: Vec<NamedValue>,
    /// The params of each group that the person keeps, to compare others with them.
    kept_params: Option<Arc<BTreeMap<String, Values>>>,
    /// The comparison whose first run is being simulated.
    comparison: Option<Comparison>,
    /// The first run of a comparison whose second one plays.
    first_run: Option<FirstRun>,
    /// The same comparison over several seeds, while it is simulated.
    seed_comparison: Option<SeedComparison>,
    /// What the last comparison has found.
    compared: Option<Arc<Compared>>,
    /// The params of each group in the second run of the latest comparison.
    compared_setup: ComparedSetup,
    /// What the authors of the files say of the scenario.
    comments: Arc<[FileComment]>,
    weight_switches: WeightSwitches,
    /// Whether the person was asked if weights that are switched off are to be written.
    asked_to_write_off: bool,
    /// The seed for which the person was asked if it is to be written.
    asked_to_write_seed: Option<u64>,
    /// Whether time stopped because no version can continue, and passes again when one can.
    waits_for_fix: bool,
    /// The small failure that was saved last.
    saved_small: Option<(PathBuf, String)>,
    /// The scenario and its scripts with their present text, while they are shown.
    files: Arc<[Arc<Source>]>,
    /// The params of each group in the scenario file when it was opened.
    first_params: Arc<BTreeMap<String, Values>>,
    ghost: Option<NamedGhost>,
    results: Option<ResultSteps>,
    changed_at: Option<Instant>,
    failed_at: Option<Instant>,
    notices: Vec<Notice>,
    /// All notices for the log, oldest first.
    noticed: VecDeque<LogLine>,
    /// The outcome of the answers that were typed.
    answer: Answer,
    pause_when: Option<PauseWhen>,
    /// What the person has predicted.
    prediction: Option<Prediction>,
    /// The expression that colors agents.
    color_by: Option<ColorExpression>,
    /// Whether the world had no agents after the last step.
    was_empty: bool,
    /// Whether the world is shown to an audience: then nothing interrupts it, neither the end of the scenario nor what is expected.
    has_audience: bool,
    /// Whether to pause when an expectation fails: the tick up to which failures are known.
    pause_on_failure: Option<u64>,
}

impl Player {
    /// Returns a player at the start of a session, and the view that it publishes.
    pub(crate) fn new(session: Session, watch: Option<Watch>) -> (Self, Arc<SharedView>) {
        let now = Instant::now();
        let shared = Arc::new(SharedView::new(publish::initial(&session)));
        let comments = session.comments().into();
        let first_params = Arc::clone(session.file_params());
        let was_empty = session.simulation().world().agents.is_empty();
        let mut player = Self {
            session,
            shared: Arc::clone(&shared),
            host: None,
            watch,
            is_playing: true,
            speed: 0,
            due_ticks: 0.0,
            last_advance: now,
            pace: Pace::new(now),
            target: None,
            goes_on: false,
            selected: None,
            selections: 0,
            selected_group: None,
            has_chosen: false,
            explain_time: Duration::ZERO,
            overlays: Overlays::default(),
            plots: Plots::default(),
            failures: KnownFailures::default(),
            pair_search: None,
            is_visible: true,
            cursor: None,
            has_cursor_moved: false,
            playing: Playing::default(),
            deferred: Vec::new(),
            small_failure: None,
            changes: Changes::default(),
            params_aside: Vec::new(),
            kept_params: None,
            comparison: None,
            first_run: None,
            seed_comparison: None,
            compared: None,
            compared_setup: ComparedSetup::default(),
            comments,
            weight_switches: WeightSwitches::default(),
            asked_to_write_off: false,
            asked_to_write_seed: None,
            waits_for_fix: false,
            saved_small: None,
            files: Arc::new([]),
            first_params,
            ghost: None,
            results: None,
            changed_at: None,
            failed_at: None,
            notices: Vec::new(),
            noticed: VecDeque::new(),
            answer: Answer::default(),
            pause_when: None,
            prediction: None,
            color_by: None,
            was_empty,
            has_audience: false,
            pause_on_failure: None,
        };
        player.speed_up_long_ticks();
        player.announce_ghost();
        player.choose_judging();
        player.fill_plots();
        player.publish();
        (player, shared)
    }

    /// Shares the values of the selected agent with editors from now on.
    pub(crate) fn share_with(&mut self, host: Arc<Host>) {
        self.host = Some(host);
    }

    /// Increases the speed if ticks are so long that motion would hardly be visible.
    fn speed_up_long_ticks(&mut self) {
        let dt = self.session.run().dt();
        if f64::from(dt) * MIN_TICKS_PER_S <= 1.0 || self.session.is_waiting() {
            return;
        }
        while self.rate() < SMOOTH_TICKS_PER_S && self.speed < *SPEED_POWERS.end() {
            self.speed += 1;
        }
        let factor = 1 << self.speed;
        let words = match counts_ticks(dt) {
            true => format!(
                "a tick is {dt} s long, so the run plays at {} ticks/s; [ and ] change the speed",
                short(self.rate() as f32)
            ),
            false => format!(
                "a tick is {dt} s long, so the run plays at {factor}x speed; [ and ] change the speed"
            ),
        };
        self.notice(words, false);
    }

    /// Handles commands and advances the run, until it gets the command to quit or the window is gone.
    pub(crate) fn play(mut self, commands: Receiver<PlayerCommand>) {
        loop {
            let mut next = match commands.recv_timeout(self.next_timeout()) {
                Ok(command) => Some(command),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut is_news = false;
            while let Some(command) = next {
                next = commands.try_recv().ok();
                if command == PlayerCommand::Quit {
                    // The window says which params are not written.
                    self.publish();
                    return;
                }
                // During a drag over the time bar, only the last position counts.
                let is_outdated = matches!(
                    (&command, &next),
                    (PlayerCommand::Seek(_), Some(PlayerCommand::Seek(_)))
                );
                if !is_outdated {
                    is_news |= self.handle(command);
                }
            }
            is_news |= self.reload();
            is_news |= self.advance();
            is_news |= self.fill_plots();
            is_news |= self.finish_compared_run();
            is_news |= self.finish_small_failure();
            is_news |= self.finish_seed_comparison();
            is_news |= self.search_pair();
            if is_news {
                self.publish();
            }
        }
    }

    /// Returns how long to wait for a command before there is something else to do.
    fn next_timeout(&self) -> Duration {
        if self.target.is_some()
            || self.plots.filled_to().is_some()
            || self.plots.is_filling_before()
            || self.is_searching_pair()
        {
            return Duration::ZERO;
        }
        let mut wait = if self.is_playing {
            let rate = self.rate();
            Duration::try_from_secs_f64((1.0 - self.due_ticks).clamp(0.0, 1.0) / rate)
                .unwrap_or(SLICE)
        } else {
            Duration::from_millis(500)
        };
        if let Some(changed) = self.changed_at {
            wait = wait.min((changed + SETTLE).saturating_duration_since(Instant::now()));
        }
        if self.small_failure.is_some() || self.seed_comparison.is_some() {
            wait = wait.min(PROGRESS);
        }
        if let Some(failed) = self.failed_at {
            wait = wait.min((failed + PATIENCE).saturating_duration_since(Instant::now()));
        }
        wait.min(Duration::from_millis(500))
    }

    /// Returns the ticks per second of real time.
    fn rate(&self) -> f64 {
        speed_factor(self.speed) / f64::from(self.session.run().dt())
    }

    /// Handles a command and returns whether the view has to be published again.
    fn handle(&mut self, command: PlayerCommand) -> bool {
        match command {
            PlayerCommand::TogglePause => {
                self.set_playing(!self.is_playing && self.target.is_none())
            }
            PlayerCommand::StepForward => {
                self.set_playing(false);
                self.apply_input();
                self.step();
            }
            PlayerCommand::StepBack => self.go_to(self.here().saturating_sub(1)),
            PlayerCommand::Seek(tick) => self.go_to(tick),
            PlayerCommand::RunTo(tick) => self.run_to(tick),
            PlayerCommand::Skip(seconds) => self.skip(seconds),
            PlayerCommand::ChangeSpeed(doublings) => {
                let speed = self.speed.saturating_add(doublings);
                self.speed = speed.clamp(*SPEED_POWERS.start(), *SPEED_POWERS.end());
                self.due_ticks = 0.0;
                self.pace = Pace::new(Instant::now());
            }
            PlayerCommand::FilesChanged => {
                self.changed_at.get_or_insert_with(Instant::now);
                return false;
            }
            PlayerCommand::Select(None) => {
                self.has_chosen = true;
                self.selected = None;
            }
            PlayerCommand::Select(Some(agent)) => {
                self.has_chosen = true;
                self.select(agent);
            }
            PlayerCommand::SetOverlays(overlays) => {
                let had_files = std::mem::replace(&mut self.overlays, overlays).files;
                if overlays.files != had_files {
                    self.read_files();
                }
                self.choose_judging();
            }
            PlayerCommand::Plot(sources) => {
                self.plots.show(sources);
                self.choose_judging();
            }
            PlayerCommand::Pause => self.set_playing(false),
            PlayerCommand::Predict(prediction) => self.predict(prediction),
            PlayerCommand::PauseOnFailure(is_on) => self.set_pause_on_failure(is_on),
            PlayerCommand::Share => {
                self.share();
                return false;
            }
            PlayerCommand::SetVisible(is_visible) => self.is_visible = is_visible,
            PlayerCommand::MoveCursor(at) => {
                self.has_cursor_moved |= at != self.cursor;
                self.cursor = at;
                return false;
            }
            PlayerCommand::Present(is_on) => self.has_audience = is_on,
            PlayerCommand::Play(is_on) => self.set_play_mode(is_on),
            PlayerCommand::PlayKey { key, is_down } => {
                self.playing.set_key(key, is_down);
                return false;
            }
            PlayerCommand::ReleaseKeys => {
                self.playing.release_all();
                return false;
            }
            PlayerCommand::StepResult(by) => self.step_result(by),
            PlayerCommand::CloseNotice(text) => self.close_notice(&text),
            PlayerCommand::Notice { text, is_failure } => self.notice(text, is_failure),
            PlayerCommand::OfferAgent { text, agent } => self.offer_agent(text, agent),
            PlayerCommand::KeepGhost => self.keep_ghost(),
            PlayerCommand::KeepRun => self.keep_run(),
            PlayerCommand::DropGhost => {
                self.session.set_ghost(None);
                self.compared = None;
            }
            // A key that is held down repeats itself.
            PlayerCommand::Compare if self.comparison.is_some() => return false,
            // The other commands refer to the target tick, so they wait until it is reached.
            command if self.is_seeking() => {
                self.deferred.push(command);
                return false;
            }
            command => self.handle_here(command),
        }
        true
    }

    /// Handles a command that refers to the shown tick.
    fn handle_here(&mut self, command: PlayerCommand) {
        match command {
            PlayerCommand::Rerun => self.rerun(),
            PlayerCommand::RerunAll => self.rerun_all(),
            PlayerCommand::AnotherRun => self.another_run(),
            PlayerCommand::SetSeed(text) => {
                let result = self.set_seed(&text);
                self.note_answer(result);
            }
            PlayerCommand::Compare => self.compare(),
            PlayerCommand::Reload => self.force_reload(),
            PlayerCommand::Tune { group, knob, steps } => self.tune(&group, &knob, steps),
            PlayerCommand::SetParam { group, knob, text } => {
                let result = self.set_param(&group, &knob, &text);
                self.note_answer(result);
            }
            PlayerCommand::ResetParam { group, knob } => self.reset_param(&group, &knob),
            PlayerCommand::SwitchWeight { group, param } => self.switch_weight(&group, &param),
            PlayerCommand::OnlyWeight { group, param } => self.only_weight(&group, &param),
            PlayerCommand::SwapParams => self.swap_params(),
            PlayerCommand::KeepParams => self.keep_params(),
            PlayerCommand::SetGoal { group, at, radius } => {
                self.set_goal(group.as_deref(), at, radius)
            }
            PlayerCommand::Push { at, radius } => self.push(at, radius),
            PlayerCommand::Undo => self.undo(),
            PlayerCommand::Redo => self.redo(),
            PlayerCommand::WriteParams => self.write_params(),
            PlayerCommand::Find(wanted) => {
                let result = self.find(&wanted);
                self.note_answer(result);
            }
            PlayerCommand::PauseWhen(text) => {
                let result = self.set_pause_when(text);
                self.note_answer(result);
            }
            PlayerCommand::ColorBy(text) => {
                let result = self.set_color_by(text);
                self.note_answer(result);
            }
            PlayerCommand::AddExpression(text) => {
                let made = self.plot_expression(text);
                let added = made.map(|new| self.plots.add_expression(new));
                self.note_answer(added);
            }
            PlayerCommand::EditScene(edit) => self.edit_scene(&edit),
            PlayerCommand::WriteFile { read, text } => self.write_file(read, &text),
            PlayerCommand::NewScript { name, text, group } => {
                let result = self.write_new_script(&name, text.as_deref(), group);
                self.note_answer(result);
            }
            PlayerCommand::Save { is_test, name } => {
                let result = self.save(is_test, name.as_deref());
                self.note_answer(result);
            }
            PlayerCommand::SaveSmall => self.save_small(),
            _ => {}
        }
    }

    /// Returns the tick that is shown, or the one that the player is running to.
    fn here(&self) -> u64 {
        self.target.unwrap_or(self.session.tick())
    }

    /// Pauses and shows a tick of the history.
    fn go_to(&mut self, tick: u64) {
        self.run_to(tick.min(self.session.end()));
    }

    /// Runs to a tick as fast as possible and pauses there.
    fn run_to(&mut self, tick: u64) {
        self.set_playing(false);
        let tick = tick.max(self.session.first());
        self.session.approach(tick);
        self.target = Some(tick);
    }

    /// Pauses and goes some simulated seconds forward, or back if negative; at least a tick.
    fn skip(&mut self, seconds: f32) {
        let ticks = ((seconds.abs() / self.session.run().dt()).round() as u64).max(1);
        let here = self.here();
        self.run_to(match seconds < 0.0 {
            true => here.saturating_sub(ticks),
            false => here.saturating_add(ticks),
        });
    }

    /// Returns whether the player is on its way to a tick of the history, or simulates a run to compare with.
    fn is_seeking(&self) -> bool {
        if self.comparison.is_some() {
            return true;
        }
        let end = self.session.end();
        let target = self.target.map(|target| target.min(end));
        target.is_some_and(|target| self.session.tick() < target)
    }

    /// Handles the commands that wait until the target is reached, if it is.
    fn handle_deferred(&mut self) {
        if !self.is_seeking() {
            for command in std::mem::take(&mut self.deferred) {
                self.handle(command);
            }
        }
    }

    fn set_playing(&mut self, is_playing: bool) {
        self.stop_comparison();
        self.is_playing = is_playing;
        self.target = None;
        (self.goes_on, self.waits_for_fix) = (false, false);
        self.deferred.clear();
        self.due_ticks = 0.0;
        self.last_advance = Instant::now();
        self.pace = Pace::new(self.last_advance);
    }

    /// Returns whether the run stops here because the scenario ends at this tick, and says so.
    fn has_ended(&mut self) -> bool {
        let ends = self.session.tick() == self.session.run().ticks() && !self.has_audience;
        // A scenario that cannot run yet has no end.
        if ends && !self.session.is_waiting() {
            self.say_end();
        }
        ends
    }

    fn select(&mut self, agent: AgentId) {
        self.selected = Some(agent);
        self.selections += 1;
        self.explain_time = Duration::ZERO;
    }

    /// Runs the ticks that are due, as far as they fit into a time slice, and returns whether there were any.
    fn advance(&mut self) -> bool {
        let now = Instant::now();
        let elapsed = now.duration_since(self.last_advance).as_secs_f64();
        self.last_advance = now;
        if let Some(target) = self.target {
            let is_new = self.session.end() < self.session.run().ticks();
            let mut can_continue = true;
            while can_continue && self.session.tick() < target && now.elapsed() < SLICE {
                can_continue = self.step();
            }
            self.pace.measure(now, None);
            if !can_continue || self.session.tick() >= target {
                self.target = None;
                let has_come = self.comparison.is_none() && !self.goes_on;
                if can_continue && has_come && is_new {
                    self.has_ended();
                }
                if self.goes_on {
                    self.set_playing(can_continue);
                }
            }
            self.handle_deferred();
            return true;
        }
        if !self.is_playing {
            return false;
        }
        self.pace.measure(now, Some(self.rate()));
        self.due_ticks += elapsed * self.rate();
        let mut moved = false;
        while self.due_ticks >= 1.0 {
            self.due_ticks -= 1.0;
            self.apply_input();
            if !self.step() {
                self.is_playing = false;
                self.pace = Pace::new(now);
                self.waits_for_fix = self.session.is_stuck();
                return true;
            }
            moved = true;
            if now.elapsed() >= SLICE {
                // The run cannot keep up: let time pass more slowly instead of piling up a delay.
                self.due_ticks = self.due_ticks.clamp(0.0, 1.0);
                break;
            }
        }
        moved
    }

    /// Tells the world what the person does with the pointer and, in the play mode, with keys.
    fn apply_input(&mut self) {
        self.apply_cursor();
        self.apply_keys();
    }

    /// Tells the world where the pointer is, if it has moved and a script reads it. Ticks of the history keep the pointer
    /// that they had.
    fn apply_cursor(&mut self) {
        let session = &mut self.session;
        if self.has_cursor_moved && session.tick() == session.end() && session.reads_cursor() {
            self.has_cursor_moved = false;
            session.act(Action::Cursor { at: self.cursor });
        }
    }

    /// Runs one tick and returns whether the run can continue.
    fn step(&mut self) -> bool {
        self.record();
        let (is_seeking, before) = (self.is_seeking(), self.session.tick());
        let had_selected = self.note_selected() && !is_seeking;
        self.shared.set_busy(Some(Task::Tick));
        let began = Instant::now();
        let stepped = self.session.step();
        self.pace.tick(began.elapsed());
        self.shared.set_busy(None);
        match stepped {
            StepResult::Replayed | StepResult::New => {
                self.record();
                self.say_if_selected_has_left(had_selected);
                let all_are_gone = self.say_if_all_are_gone();
                if let Some(known) = &mut self.pause_on_failure {
                    // Failures on the way to a tick of the history do not stop there.
                    *known = if is_seeking { self.session.tick() } else { before.min(*known) };
                }
                // The first run of a comparison goes to its end.
                if self.comparison.is_some() {
                    return true;
                }
                let pauses = self.has_failed() | self.has_to_pause() | all_are_gone;
                !pauses && (self.target.is_some() || !self.has_ended())
            }
            StepResult::FellBack => {
                self.plots.drop_from(self.session.tick(), self.session.is_ghost_kept());
                self.notice(
                    "a script failed at runtime: continuing with the previous version",
                    true,
                );
                true
            }
            StepResult::Undone { error, actions } => {
                self.say_what_failed(&error, &actions);
                true
            }
            StepResult::Stuck => false,
        }
    }
}
