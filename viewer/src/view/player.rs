//! The player: owns the session, lets its time pass, and does what it is asked for.
//!
//! It has a thread of its own, so that the screen stays quick however long a tick takes. What there is to
//! see it puts on the [`Board`]; it never waits for anyone to look.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use flockwork::live::{Reloaded, Row, Session, Stepped, Tracks};
use flockwork::load::Watch;
use flockwork::math::{self, Vec2};
use flockwork::sim::{Action, Message};
use flockwork::state_hash;
use flockwork::world::{Edge, Goal, GroupId};

use super::command::{Command, SPEEDS, Wanted};
use super::shown::{Board, Notice, Shown, Work};
use super::tune::Knob;

/// It looks whether something is asked for at least this often.
const SLICE: Duration = Duration::from_millis(12);
/// So long it waits after a file has changed: a save is often several changes.
const SETTLE: Duration = Duration::from_millis(25);
/// So long texts that cannot run may stay without a word: they may be saved by half.
const PATIENCE: Duration = Duration::from_millis(120);
/// The same is not saved twice within this time: a key that is held repeats itself.
const REPEAT: Duration = Duration::from_secs(1);
/// So many ticks a trail reaches back.
const TRAIL: u64 = 90;
/// A trail or a way has at most so many places.
const MOST_ROWS: u64 = 90;
/// So many of the last words of scripts are shown.
const MESSAGES: usize = 6;
/// The field has so many places in a row, and as many rows.
const FIELD: usize = 17;

/// Lets time pass.
pub(crate) struct Player {
    session: Session,
    board: Arc<Board>,
    watch: Option<Watch>,
    is_playing: bool,
    speed: i32,
    /// Ticks that should have been by now.
    owed: f64,
    counted: Instant,
    target: Option<u64>,
    selected: Option<u32>,
    wanted: Wanted,
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
    messages: Vec<Message>,
}

impl Player {
    /// A player at the start of a session, and what it shows.
    pub(crate) fn new(session: Session, watch: Option<Watch>) -> (Self, Arc<Board>) {
        let now = Instant::now();
        let board = Arc::new(Board::new(first(&session)));
        let mut player = Self {
            session,
            board: Arc::clone(&board),
            watch,
            is_playing: true,
            speed: 0,
            owed: 0.0,
            counted: now,
            target: None,
            selected: None,
            wanted: Wanted::default(),
            cursor: None,
            is_pointing: false,
            later: Vec::new(),
            saved: None,
            changed: None,
            failed: None,
            notices: Vec::new(),
            messages: Vec::new(),
        };
        player.show();
        (player, board)
    }

    /// Says something to whoever looks.
    pub(crate) fn notice(&mut self, text: impl Into<String>, is_failure: bool) {
        self.notices.push(Notice {
            text: text.into(),
            at: Instant::now(),
            is_failure,
        });
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
                let is_outdated = matches!(
                    (&command, &next),
                    (Command::Seek(_), Some(Command::Seek(_)))
                );
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
        let faster = f64::from(1u32 << self.speed.max(0));
        let slower = f64::from(1u32 << (-self.speed).max(0));
        faster / slower / f64::from(self.session.run().dt())
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
            Command::Speed(speed) => {
                self.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
                self.owed = 0.0;
            }
            Command::Changed => {
                self.changed.get_or_insert_with(Instant::now);
                return false;
            }
            Command::Select(agent) => self.selected = agent,
            Command::Find(wanted) => self.wanted = wanted,
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
    }

    fn tune(&mut self, group: &str, knob: &Knob, steps: f32) {
        let Some(id) = self.session.simulation().world().group_named(group) else {
            return;
        };
        let params = self.session.params();
        if let Some(value) = knob.turned(&params[usize::from(id.0)], steps) {
            self.session.act(Action::Set {
                group: id,
                param: knob.param.as_str().into(),
                value,
            });
        }
    }

    fn set_goal(&mut self, only: Option<&str>, at: Vec2, radius: f32) {
        let world = Arc::clone(self.session.simulation().world());
        for (group, id) in world.groups.iter().zip((0..).map(GroupId)) {
            if only.is_some_and(|only| *only != *group.name) {
                continue;
            }
            let body = group.body.radius;
            let radius = if body > 0.0 { 2.0 * body } else { radius };
            self.session.act(Action::SetGoals {
                group: id,
                goals: [Goal { at, radius }].into(),
            });
        }
    }

    /// Pushes those near a place away, as fast as the fastest of all can go.
    fn push(&mut self, at: Vec2, radius: f32) {
        let groups = self.session.simulation().world().groups.iter();
        let speeds = groups.map(|group| group.body.max_speed);
        let fastest = speeds
            .filter(|speed| speed.is_finite())
            .fold(0.0, math::max);
        self.session.act(Action::Scatter {
            at,
            radius,
            speed: if fastest > 0.0 { fastest } else { radius },
            group: None,
        });
    }

    fn rerun(&mut self) {
        let from = self.session.tick();
        match self.session.rerun() {
            Ok(end) if end <= from => {
                self.notice(
                    "nothing to run again: this is the last tick there has been",
                    true,
                );
            }
            Ok(end) => {
                self.notice(
                    format!("run again from tick {from} with the newest texts"),
                    false,
                );
                self.set_playing(false);
                self.target = Some(end);
            }
            Err(fault) => self.notice(fault.diagnostic().message, true),
        }
    }

    fn write_params(&mut self) {
        self.board.set_busy(Some(Work::Writing));
        let written = self.session.write_params();
        self.board.set_busy(None);
        match written {
            Ok(0) => self.notice("the scenario already says so", false),
            Ok(1) => self.notice("1 param written into the scenario", false),
            Ok(count) => self.notice(format!("{count} params written into the scenario"), false),
            Err(error) => self.notice(error.message, true),
        }
    }

    fn save(&mut self, is_test: bool) {
        let tick = self.session.tick();
        let last = self
            .saved
            .filter(|(of, test, at)| (*of, *test) == (tick, is_test) && at.elapsed() < REPEAT);
        if last.is_some() {
            return;
        }
        self.board.set_busy(Some(Work::Writing));
        let saved = self.session.save(is_test);
        self.board.set_busy(None);
        self.saved = Some((tick, is_test, Instant::now()));
        match saved {
            Ok(saved) => {
                let what = if is_test && saved.but.is_none() {
                    "scenario and golden"
                } else {
                    "scenario"
                };
                let path = saved.path.display();
                match saved.but {
                    None => self.notice(format!("{what} saved as {path}"), false),
                    Some(but) => self.notice(format!("{what} saved as {path}, but {but}"), true),
                }
            }
            Err(error) => self.notice(format!("not saved: {}", error.message), true),
        }
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
        self.read(Session::reload) != Reloaded::Same
    }

    /// Reads the texts again, because somebody wants it.
    fn retry(&mut self) {
        if self.read(Session::retry) == Reloaded::Same {
            self.notice("the texts are as they were", false);
        }
    }

    fn read(&mut self, how: fn(&mut Session) -> Reloaded) -> Reloaded {
        self.changed = None;
        if let Some(watch) = &mut self.watch {
            // If they are gone they are read as missing.
            let _ = watch.renew();
        }
        self.board.set_busy(Some(Work::Texts));
        let reloaded = how(&mut self.session);
        self.board.set_busy(None);
        match &reloaded {
            Reloaded::Same => {}
            Reloaded::Took(changes) => {
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
            Reloaded::Failed => self.failed = Some(Instant::now()),
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
            while self.session.tick() < target && now.elapsed() < SLICE {
                if !self.step() {
                    self.target = None;
                    return true;
                }
            }
            if self.session.tick() >= target {
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
            Stepped::Again | Stepped::On => true,
            Stepped::FellBack => {
                self.notice("a script has failed: the texts before it go on", true);
                true
            }
            Stepped::Undone(fault) => {
                let why = fault.diagnostic().message;
                self.notice(format!("what was done by hand is undone: {why}"), true);
                true
            }
            Stepped::Stuck => false,
        }
    }

    /// Puts what there is to see on the board.
    fn show(&mut self) {
        self.messages.extend(self.session.take_messages());
        let old = self.messages.len().saturating_sub(MESSAGES);
        self.messages.drain(..old);
        self.notices
            .retain(|notice| notice.at.elapsed() < Notice::LASTS);
        let (session, simulation) = (&self.session, self.session.simulation());
        let is_resting = !self.is_playing && self.target.is_none();
        let tick = session.tick();
        let since = session
            .ghost()
            .and_then(|ghost| ghost.ticks())
            .map_or(tick, |(first, _)| first.min(tick));
        let shown = Shown {
            is_playing: self.is_playing,
            target: self.target,
            speed: self.speed,
            hash: is_resting.then(|| state_hash(simulation.world(), simulation.minds())),
            account: self
                .selected
                .and_then(|id| simulation.account(id).ok().flatten())
                .map(Arc::new),
            forces: if self.wanted.forces {
                simulation.forces().unwrap_or_default()
            } else {
                Vec::new()
            },
            field: self.field(),
            trail: rows(session.tracks(), tick.saturating_sub(TRAIL), tick),
            way: rows(session.tracks(), since, tick),
            ghost: session.ghost().cloned(),
            errors: if self.failed.is_some() {
                self.board.shown().errors.clone()
            } else {
                session.errors().into()
            },
            is_stuck: session.is_stuck(),
            notices: self.notices.clone(),
            messages: self.messages.clone(),
            ..first(session)
        };
        self.board.show(shown);
    }

    /// Where the selected agent would go from the places around it.
    fn field(&self) -> Vec<(Vec2, Vec2)> {
        let simulation = self.session.simulation();
        let world = simulation.world();
        let Some((id, row)) = self
            .selected
            .filter(|_| self.wanted.field)
            .and_then(|id| Some((id, world.agents.row(id)?)))
        else {
            return Vec::new();
        };
        let around = world.agents.pos[row];
        let body = world.group(world.agents.group[row]).body;
        let size = world.space.size;
        let span = math::max(math::min(size.x, size.y) / 2.5, body.radius * 8.0);
        let step = span / (FIELD - 1) as f32;
        let half = Vec2::splat(span / 2.0);
        let mut places = Vec::with_capacity(FIELD * FIELD);
        for i in 0..FIELD * FIELD {
            let (column, line) = ((i % FIELD) as f32, (i / FIELD) as f32);
            let at = around - half + Vec2::new(column, line) * step;
            // Nobody can stand beyond an edge.
            if world.space.edge == Edge::Open || world.space.settle(at, Vec2::ZERO).0 == at {
                places.push(at);
            }
        }
        let forces = simulation.field(id, &places).unwrap_or_default();
        places.into_iter().zip(forces).collect()
    }
}

/// What is known of a session without asking for more.
fn first(session: &Session) -> Shown {
    Shown {
        name: session.name(),
        world: Arc::clone(session.simulation().world()),
        first: session.first(),
        end: session.end(),
        ticks: session.run().ticks(),
        edits: session.edits(),
        is_playing: true,
        target: None,
        speed: 0,
        hash: None,
        params: session.params(),
        account: None,
        forces: Vec::new(),
        field: Vec::new(),
        trail: Vec::new(),
        way: Vec::new(),
        ghost: None,
        errors: session.errors().into(),
        is_stuck: session.is_stuck(),
        notices: Vec::new(),
        messages: Vec::new(),
    }
}

/// The rows between two ticks, evenly left out if there are many; the last one stays.
fn rows(tracks: &Tracks, from: u64, to: u64) -> Vec<Arc<Row>> {
    let all = tracks.some(from, to, MOST_ROWS);
    all.into_iter().map(Arc::clone).collect()
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
