//! The player: owns the session, lets its time pass, and does what it is asked for.
//!
//! It has a thread of its own, so that the screen stays quick however long a tick takes. What there is to
//! see it puts on the [`Board`]; it never waits for anyone to look.

mod hand;
mod pace;
mod show;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use flockwork_engine::live::{ReloadResult, Session, StepResult};
use flockwork_engine::load::Watch;
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::Action;

use super::command::{Command, SPEEDS, Wanted, times};
use super::shown::{Board, Notice, Work};
use pace::Pace;

/// It looks whether something is asked for at least this often.
const SLICE: Duration = Duration::from_millis(12);
/// So long it waits after a file has changed: a save is often several changes.
const SETTLE: Duration = Duration::from_millis(25);
/// So long texts that cannot run may stay without a word: they may be saved by half.
const PATIENCE: Duration = Duration::from_millis(120);

/// With fewer ticks in a second than this, motion is hardly to be seen.
const FEWEST: f64 = 10.0;
/// With so many it is smooth.
const SMOOTH: f64 = 24.0;

/// Lets time pass.
pub(crate) struct Player {
    session: Session,
    board: Arc<Board>,
    watch: Option<Watch>,
    is_playing: bool,
    speed: i32,
    /// Ticks that should have been now.
    owed: f64,
    counted: Instant,
    pace: Pace,
    target: Option<u64>,
    selected: Option<u32>,
    /// How long it took to tell about it last.
    told_in: Duration,
    wanted: Wanted,
    is_seen: bool,
    cursor: Option<Vec2>,
    /// Whether the pointer has moved, and the world does not know.
    is_pointing: bool,
    /// What is to be done when the target is reached.
    later: Vec<Command>,
    /// What was saved last: which tick, as a test or not, and when.
    saved: Option<(u64, bool, Instant)>,
    changed: Option<Instant>,
    failed: Option<Instant>,
    notices: Vec<Notice>,
}

impl Player {
    /// A player at the start of a session, and what it shows.
    pub(crate) fn new(session: Session, watch: Option<Watch>) -> (Self, Arc<Board>) {
        let now = Instant::now();
        let board = Arc::new(Board::new(show::first(&session)));
        let mut player = Self {
            session,
            board: Arc::clone(&board),
            watch,
            is_playing: true,
            speed: 0,
            owed: 0.0,
            counted: now,
            pace: Pace::new(now),
            target: None,
            selected: None,
            told_in: Duration::ZERO,
            wanted: Wanted::default(),
            is_seen: true,
            cursor: None,
            is_pointing: false,
            later: Vec::new(),
            saved: None,
            changed: None,
            failed: None,
            notices: Vec::new(),
        };
        player.hurry();
        player.introduce();
        player.show();
        (player, board)
    }

    /// Lets time pass faster where ticks are so long that nobody would see anyone move.
    fn hurry(&mut self) {
        let dt = self.session.run().dt();
        if f64::from(dt) * FEWEST <= 1.0 {
            return;
        }
        while self.rate() < SMOOTH && self.speed < *SPEEDS.end() {
            self.speed += 1;
        }
        let times = 1 << self.speed;
        let words =
            format!("a tick is {dt} s: time passes {times} times as fast; [ and ] change it");
        self.notice(words, false);
    }

    /// Tells of a ghost that is there from the start: goldens know only some of the ticks.
    fn introduce(&mut self) {
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
            let mut next = match commands.recv_timeout(self.leisure()) {
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
                    is_news |= self.obey(command);
                }
            }
            is_news |= self.reload();
            is_news |= self.pass_time();
            if is_news {
                self.show();
            }
        }
    }

    /// How long there is nothing to do but to wait for a command.
    fn leisure(&self) -> Duration {
        if self.target.is_some() {
            return Duration::ZERO;
        }
        let mut wait = if self.is_playing {
            let rate = self.rate();
            Duration::try_from_secs_f64((1.0 - self.owed).clamp(0.0, 1.0) / rate).unwrap_or(SLICE)
        } else {
            Duration::from_millis(500)
        };
        if let Some(changed) = self.changed {
            wait = wait.min((changed + SETTLE).saturating_duration_since(Instant::now()));
        }
        if let Some(failed) = self.failed {
            wait = wait.min((failed + PATIENCE).saturating_duration_since(Instant::now()));
        }
        wait.min(Duration::from_millis(500))
    }

    /// Ticks per second of the person who looks.
    fn rate(&self) -> f64 {
        times(self.speed) / f64::from(self.session.run().dt())
    }

    /// Does what is asked for; whether there is something to show of it.
    fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Toggle => self.set_playing(!self.is_playing && self.target.is_none()),
            Command::Step => {
                self.set_playing(false);
                self.point();
                self.step();
            }
            Command::Back => {
                let here = self.target.unwrap_or(self.session.tick());
                return self.obey(Command::Seek(here.saturating_sub(1)));
            }
            Command::Seek(tick) => {
                let tick = tick.min(self.session.end());
                return self.obey(Command::RunTo(tick));
            }
            Command::RunTo(tick) => {
                self.set_playing(false);
                let tick = tick.max(self.session.first());
                self.session.approach(tick);
                self.target = Some(tick);
            }
            Command::Leap(seconds) => {
                let here = self.target.unwrap_or(self.session.tick());
                let ticks = (seconds.abs() / self.session.run().dt()).round() as u64;
                return self.obey(Command::RunTo(if seconds < 0.0 {
                    here.saturating_sub(ticks.max(1))
                } else {
                    here.saturating_add(ticks.max(1))
                }));
            }
            Command::Faster(times) => {
                let speed = self.speed.saturating_add(times);
                self.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
                self.owed = 0.0;
                self.pace = Pace::new(Instant::now());
            }
            Command::Changed => {
                self.changed.get_or_insert_with(Instant::now);
                return false;
            }
            Command::Select(agent) => {
                self.selected = agent;
                self.told_in = Duration::ZERO;
            }
            Command::Find(wanted) => self.wanted = wanted,
            Command::Seen(is_seen) => self.is_seen = is_seen,
            Command::Cursor(at) => {
                self.is_pointing |= at != self.cursor;
                self.cursor = at;
                return false;
            }
            Command::DropGhost => self.session.set_ghost(None),
            // What follows is meant for the moment that is on its way to be shown.
            later if self.is_on_the_way() => {
                self.later.push(later);
                return false;
            }
            Command::Rerun => self.rerun(),
            Command::Reload => self.retry(),
            Command::Tune { group, knob, steps } => self.tune(&group, &knob, steps),
            Command::Goal { group, at, radius } => self.set_goal(group.as_deref(), at, radius),
            Command::Push { at, radius } => self.push(at, radius),
            Command::WriteParams => self.write_params(),
            Command::Save { is_test } => self.save(is_test),
            Command::Quit => {}
        }
        true
    }

    /// Whether the moment that is asked for has been and is not yet there.
    fn is_on_the_way(&self) -> bool {
        let end = self.session.end();
        let target = self.target.map(|target| target.min(end));
        target.is_some_and(|target| self.session.tick() < target)
    }

    fn set_playing(&mut self, is_playing: bool) {
        self.is_playing = is_playing;
        self.target = None;
        self.later.clear();
        self.owed = 0.0;
        self.counted = Instant::now();
        self.pace = Pace::new(self.counted);
    }

    /// Reads the texts again if it is time to; whether there is something to show of it.
    fn reload(&mut self) -> bool {
        let now = Instant::now();
        if self.failed.is_some_and(|failed| now >= failed + PATIENCE) {
            self.failed = None;
            return true;
        }
        let is_due = self.changed.is_some_and(|changed| now >= changed + SETTLE);
        if !is_due || self.is_on_the_way() {
            return false;
        }
        self.read(Session::reload) != ReloadResult::Unchanged
    }

    /// Reads the texts again, because somebody wants it.
    fn retry(&mut self) {
        if self.read(Session::retry) == ReloadResult::Unchanged {
            self.notice("the texts are as they were", false);
        }
    }

    fn read(&mut self, how: fn(&mut Session) -> ReloadResult) -> ReloadResult {
        self.changed = None;
        if let Some(watch) = &mut self.watch {
            // If they are gone they are read as missing.
            let _ = watch.renew();
        }
        self.board.set_busy(Some(Work::Texts));
        let reloaded = how(&mut self.session);
        self.board.set_busy(None);
        match &reloaded {
            ReloadResult::Unchanged => {}
            ReloadResult::Adopted(changes) => {
                self.failed = None;
                let text = if changes.is_empty() {
                    "the texts are again as before".into()
                } else {
                    format!("from here on: {}", list(changes))
                };
                self.notice(text, false);
                self.forget_the_gone();
            }
            // A word is said only if it stays so.
            ReloadResult::Failed => self.failed = Some(Instant::now()),
        }
        reloaded
    }

    fn forget_the_gone(&mut self) {
        let agents = &self.session.simulation().world().agents;
        if self.selected.is_some_and(|id| agents.row(id).is_none()) {
            self.selected = None;
        }
    }

    /// Lets the ticks pass that are due, as far as they fit into a slice; whether there were any.
    fn pass_time(&mut self) -> bool {
        let now = Instant::now();
        let elapsed = now.duration_since(self.counted).as_secs_f64();
        self.counted = now;
        if let Some(target) = self.target {
            let mut goes_on = true;
            while goes_on && self.session.tick() < target && now.elapsed() < SLICE {
                goes_on = self.step();
            }
            if !goes_on || self.session.tick() >= target {
                self.target = None;
            }
            if !self.is_on_the_way() {
                for command in std::mem::take(&mut self.later) {
                    self.obey(command);
                }
            }
            return true;
        }
        if !self.is_playing {
            return false;
        }
        self.pace.look(now, self.rate());
        self.owed += elapsed * self.rate();
        let mut moved = false;
        while self.owed >= 1.0 {
            self.owed -= 1.0;
            self.point();
            if !self.step() {
                self.is_playing = false;
                return true;
            }
            moved = true;
            self.pace.tick();
            if now.elapsed() >= SLICE {
                // It cannot keep up: time is slower then, rather than later and later.
                self.owed = self.owed.clamp(0.0, 1.0);
                break;
            }
        }
        moved
    }

    /// Tells the world where the pointer is, if somebody has moved it and anyone would notice. What has been
    /// before keeps the pointer that was there then.
    fn point(&mut self) {
        let session = &mut self.session;
        if self.is_pointing && session.tick() == session.end() && session.reads_cursor() {
            self.is_pointing = false;
            session.act(Action::Cursor { at: self.cursor });
        }
    }

    /// One tick; whether time can go on.
    fn step(&mut self) -> bool {
        self.board.set_busy(Some(Work::Tick));
        let stepped = self.session.step();
        self.board.set_busy(None);
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

/// Changes in a line; the rest of a long list is counted.
fn list(changes: &[String]) -> String {
    const MOST: usize = 4;
    let mut text = changes[..changes.len().min(MOST)].join(", ");
    if changes.len() > MOST {
        text += &format!(" and {} more", changes.len() - MOST);
    }
    text
}
