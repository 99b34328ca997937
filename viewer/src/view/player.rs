//! The player: owns the session, lets its time pass, and does what it is asked for.
//!
//! It has a thread of its own, so that the screen stays quick however long a tick takes. What there is to
//! see it puts on the [`SharedView`]; it never waits for anyone to look.

mod actions;
mod pace;
mod publish;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use flockwork_engine::live::{ReloadResult, Session, StepResult};
use flockwork_engine::load::Watch;
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::Action;

use super::command::{Command, Overlays, SPEED_POWERS, times};
use super::view_state::{Notice, SharedView, Task};
use pace::Pace;

/// It looks whether something is asked for at least this often.
const SLICE: Duration = Duration::from_millis(12);
/// So long it waits after a file has changed: a save is often several changes.
const SETTLE: Duration = Duration::from_millis(25);
/// So long texts that cannot run may stay without a word: they may be saved by half.
const PATIENCE: Duration = Duration::from_millis(120);

/// With fewer ticks in a second than this, motion is hardly to be seen.
const MIN_TICKS_PER_S: f64 = 10.0;
/// With so many it is smooth.
const SMOOTH_TICKS_PER_S: f64 = 24.0;

/// Lets time pass.
pub(crate) struct Player {
    session: Session,
    shared: Arc<SharedView>,
    watch: Option<Watch>,
    is_playing: bool,
    speed: i32,
    /// Ticks that should have been now.
    due_ticks: f64,
    last_advance: Instant,
    pace: Pace,
    target: Option<u64>,
    selected: Option<u32>,
    /// How long it took to tell about it last.
    explain_time: Duration,
    overlays: Overlays,
    is_visible: bool,
    cursor: Option<Vec2>,
    /// Whether the pointer has moved, and the world does not know.
    has_cursor_moved: bool,
    /// What is to be done when the target is reached.
    deferred: Vec<Command>,
    /// What was saved last: which tick, as a test or not, and when.
    saved: Option<(u64, bool, Instant)>,
    changed_at: Option<Instant>,
    failed_at: Option<Instant>,
    notices: Vec<Notice>,
}

impl Player {
    /// A player at the start of a session, and what it shows.
    pub(crate) fn new(session: Session, watch: Option<Watch>) -> (Self, Arc<SharedView>) {
        let now = Instant::now();
        let shared = Arc::new(SharedView::new(publish::initial(&session)));
        let mut player = Self {
            session,
            shared: Arc::clone(&shared),
            watch,
            is_playing: true,
            speed: 0,
            due_ticks: 0.0,
            last_advance: now,
            pace: Pace::new(now),
            target: None,
            selected: None,
            explain_time: Duration::ZERO,
            overlays: Overlays::default(),
            is_visible: true,
            cursor: None,
            has_cursor_moved: false,
            deferred: Vec::new(),
            saved: None,
            changed_at: None,
            failed_at: None,
            notices: Vec::new(),
        };
        player.speed_up_long_ticks();
        player.announce_ghost();
        player.publish();
        (player, shared)
    }

    /// Lets time pass faster where ticks are so long that nobody would see anyone move.
    fn speed_up_long_ticks(&mut self) {
        let dt = self.session.run().dt();
        if f64::from(dt) * MIN_TICKS_PER_S <= 1.0 {
            return;
        }
        while self.rate() < SMOOTH_TICKS_PER_S && self.speed < *SPEED_POWERS.end() {
            self.speed += 1;
        }
        let times = 1 << self.speed;
        let words =
            format!("a tick is {dt} s: time passes {times} times as fast; [ and ] change it");
        self.notice(words, false);
    }

    /// Tells of a ghost that is there from the start: goldens know only some of the ticks.
    fn announce_ghost(&mut self) {
        let Some(ghost) = self.session.ghost().cloned() else {
            return;
        };
        let mut ticks = ghost.between(0, u64::MAX).map(|(tick, _)| tick);
        if let (Some(first), Some(second)) = (ticks.next(), ticks.next())
            && second > first + 1
        {
            let words = format!(
                "the golden's ghost stands at its keyframes, every {} ticks",
                second - first
            );
            self.notice(words, false);
        }
    }

    /// Says something to whoever looks.
    pub(crate) fn notice(&mut self, text: impl Into<String>, is_failure: bool) {
        self.notices.push(Notice { text: text.into(), at: Instant::now(), is_failure });
    }

    /// Does what is asked for until there is nobody to ask.
    pub(crate) fn play(mut self, commands: Receiver<Command>) {
        loop {
            let mut next = match commands.recv_timeout(self.next_timeout()) {
                Ok(command) => Some(command),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut is_news = false;
            while let Some(command) = next {
                next = commands.try_recv().ok();
                if command == Command::Quit {
                    return;
                }
                // Of a drag over the time bar only the end counts.
                let is_outdated =
                    matches!((&command, &next), (Command::Seek(_), Some(Command::Seek(_))));
                if !is_outdated {
                    is_news |= self.handle(command);
                }
            }
            is_news |= self.reload();
            is_news |= self.advance();
            if is_news {
                self.publish();
            }
        }
    }

    /// How long there is nothing to do but to wait for a command.
    fn next_timeout(&self) -> Duration {
        if self.target.is_some() {
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
        if let Some(failed) = self.failed_at {
            wait = wait.min((failed + PATIENCE).saturating_duration_since(Instant::now()));
        }
        wait.min(Duration::from_millis(500))
    }

    /// Ticks per second of the person who looks.
    fn rate(&self) -> f64 {
        times(self.speed) / f64::from(self.session.run().dt())
    }

    /// Does what is asked for; whether there is something to show of it.
    fn handle(&mut self, command: Command) -> bool {
        match command {
            Command::TogglePause => self.set_playing(!self.is_playing && self.target.is_none()),
            Command::StepForward => {
                self.set_playing(false);
                self.apply_cursor();
                self.step();
            }
            Command::StepBack => {
                let here = self.target.unwrap_or(self.session.tick());
                return self.handle(Command::Seek(here.saturating_sub(1)));
            }
            Command::Seek(tick) => {
                let tick = tick.min(self.session.end());
                return self.handle(Command::RunTo(tick));
            }
            Command::RunTo(tick) => {
                self.set_playing(false);
                let tick = tick.max(self.session.first());
                self.session.approach(tick);
                self.target = Some(tick);
            }
            Command::Skip(seconds) => {
                let here = self.target.unwrap_or(self.session.tick());
                let ticks = (seconds.abs() / self.session.run().dt()).round() as u64;
                return self.handle(Command::RunTo(if seconds < 0.0 {
                    here.saturating_sub(ticks.max(1))
                } else {
                    here.saturating_add(ticks.max(1))
                }));
            }
            Command::ChangeSpeed(times) => {
                let speed = self.speed.saturating_add(times);
                self.speed = speed.clamp(*SPEED_POWERS.start(), *SPEED_POWERS.end());
                self.due_ticks = 0.0;
                self.pace = Pace::new(Instant::now());
            }
            Command::FilesChanged => {
                self.changed_at.get_or_insert_with(Instant::now);
                return false;
            }
            Command::Select(agent) => {
                self.selected = agent;
                self.explain_time = Duration::ZERO;
            }
            Command::SetOverlays(overlays) => self.overlays = overlays,
            Command::SetVisible(is_visible) => self.is_visible = is_visible,
            Command::MoveCursor(at) => {
                self.has_cursor_moved |= at != self.cursor;
                self.cursor = at;
                return false;
            }
            Command::DropGhost => self.session.set_ghost(None),
            // What follows is meant for the moment that is on its way to be shown.
            later if self.is_seeking() => {
                self.deferred.push(later);
                return false;
            }
            Command::Rerun => self.rerun(),
            Command::Reload => self.force_reload(),
            Command::Tune { group, knob, steps } => self.tune(&group, &knob, steps),
            Command::SetGoal { group, at, radius } => self.set_goal(group.as_deref(), at, radius),
            Command::Push { at, radius } => self.push(at, radius),
            Command::WriteParams => self.write_params(),
            Command::Save { is_test } => self.save(is_test),
            Command::Quit => {}
        }
        true
    }

    /// Whether the moment that is asked for has been and is not yet there.
    fn is_seeking(&self) -> bool {
        let end = self.session.end();
        let target = self.target.map(|target| target.min(end));
        target.is_some_and(|target| self.session.tick() < target)
    }

    fn set_playing(&mut self, is_playing: bool) {
        self.is_playing = is_playing;
        self.target = None;
        self.deferred.clear();
        self.due_ticks = 0.0;
        self.last_advance = Instant::now();
        self.pace = Pace::new(self.last_advance);
    }

    /// Reads the texts again if it is time to; whether there is something to show of it.
    fn reload(&mut self) -> bool {
        let now = Instant::now();
        if self.failed_at.is_some_and(|failed| now >= failed + PATIENCE) {
            self.failed_at = None;
            return true;
        }
        let is_due = self.changed_at.is_some_and(|changed| now >= changed + SETTLE);
        if !is_due || self.is_seeking() {
            return false;
        }
        self.reload_with(Session::reload) != ReloadResult::Unchanged
    }

    /// Reads the texts again, because somebody wants it.
    fn force_reload(&mut self) {
        if self.reload_with(Session::retry) == ReloadResult::Unchanged {
            self.notice("the texts are as they were", false);
        }
    }

    fn reload_with(&mut self, how: fn(&mut Session) -> ReloadResult) -> ReloadResult {
        self.changed_at = None;
        if let Some(watch) = &mut self.watch {
            // If they are gone they are read as missing.
            let _ = watch.renew();
        }
        self.shared.set_busy(Some(Task::Reload));
        let reloaded = how(&mut self.session);
        self.shared.set_busy(None);
        match &reloaded {
            ReloadResult::Unchanged => {}
            ReloadResult::Adopted(changes) => {
                self.failed_at = None;
                let text = if changes.is_empty() {
                    "the texts are again as before".into()
                } else {
                    format!("from here on: {}", list(changes))
                };
                self.notice(text, false);
                self.deselect_removed();
            }
            // A word is said only if it stays so.
            ReloadResult::Failed => self.failed_at = Some(Instant::now()),
        }
        reloaded
    }

    fn deselect_removed(&mut self) {
        let agents = &self.session.simulation().world().agents;
        if self.selected.is_some_and(|id| agents.row(id).is_none()) {
            self.selected = None;
        }
    }

    /// Lets the ticks pass that are due, as far as they fit into a slice; whether there were any.
    fn advance(&mut self) -> bool {
        let now = Instant::now();
        let elapsed = now.duration_since(self.last_advance).as_secs_f64();
        self.last_advance = now;
        if let Some(target) = self.target {
            let mut goes_on = true;
            while goes_on && self.session.tick() < target && now.elapsed() < SLICE {
                goes_on = self.step();
            }
            if !goes_on || self.session.tick() >= target {
                self.target = None;
            }
            if !self.is_seeking() {
                for command in std::mem::take(&mut self.deferred) {
                    self.handle(command);
                }
            }
            return true;
        }
        if !self.is_playing {
            return false;
        }
        self.pace.measure(now, self.rate());
        self.due_ticks += elapsed * self.rate();
        let mut moved = false;
        while self.due_ticks >= 1.0 {
            self.due_ticks -= 1.0;
            self.apply_cursor();
            if !self.step() {
                self.is_playing = false;
                return true;
            }
            moved = true;
            self.pace.tick();
            if now.elapsed() >= SLICE {
                // It cannot keep up: time is slower then, rather than later and later.
                self.due_ticks = self.due_ticks.clamp(0.0, 1.0);
                break;
            }
        }
        moved
    }

    /// Tells the world where the pointer is, if somebody has moved it and anyone would notice. What has been
    /// before keeps the pointer that was there then.
    fn apply_cursor(&mut self) {
        let session = &mut self.session;
        if self.has_cursor_moved && session.tick() == session.end() && session.reads_cursor() {
            self.has_cursor_moved = false;
            session.act(Action::Cursor { at: self.cursor });
        }
    }

    /// One tick; whether time can go on.
    fn step(&mut self) -> bool {
        self.shared.set_busy(Some(Task::Tick));
        let stepped = self.session.step();
        self.shared.set_busy(None);
        match stepped {
            StepResult::Replayed | StepResult::New => true,
            StepResult::FellBack => {
                self.notice("a script has failed: the texts before it go on", true);
                true
            }
            StepResult::Undone(fault) => {
                let why = fault.diagnostic().message;
                self.notice(format!("what was done by hand is undone: {why}"), true);
                true
            }
            StepResult::Stuck => false,
        }
    }
}

/// Changes in a line; the rest of a long list is last_advance.
fn list(changes: &[String]) -> String {
    const MOST: usize = 4;
    let mut text = changes[..changes.len().min(MOST)].join(", ");
    if changes.len() > MOST {
        text += &format!(" and {} more", changes.len() - MOST);
    }
    text
}
