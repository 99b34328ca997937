//! Collects what the screen shows, and publishes it.

use std::sync::Arc;
use std::time::Instant;

use flockwork_engine::live::{Session, TrackRow, Tracks};
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::sim::{Message, NextTurn};
use flockwork_engine::state_hash;
use flockwork_engine::world::{AgentId, Edge};

use super::super::view_state::{Answer, LogLine, Notice, Task, ViewState};
use super::seeds::SeedComparison;
use super::small_failure::SmallFailure;
use super::{Player, SLICE};

/// Maximum number of positions in a trail or track.
const MAX_TRACK_ROWS: u64 = 90;
/// Maximum number of script messages that are shown.
const MAX_MESSAGES: usize = 6;
/// Maximum number of script messages in the log.
const MAX_LOG: usize = 500;
/// How long script messages stay, in seconds of real time.
const MESSAGE_SECONDS: f64 = 3.0;
/// Number of points in a row of the force field, and number of rows.
const FIELD_SIDE: usize = 17;

impl Player {
    /// Publishes the current state for the screen.
    pub(super) fn publish(&mut self) {
        self.record();
        if self.comparison.is_none() {
            self.announce_failures();
        }
        let end = self.session.end();
        let is_true = |notice: &Notice| notice.failed_at.is_none_or(|tick| tick <= end);
        self.notices.retain(|notice| notice.at.elapsed() < notice.duration() && is_true(notice));
        self.note_selected();
        let next_turn = self.next_turn();
        self.shared.set_busy(Some(Task::Explain));
        let (session, simulation) = (&self.session, self.session.simulation());
        let is_resting = !self.is_playing && self.target.is_none();
        let tick = session.tick();
        let trails_since = tick.saturating_sub(flockwork_draw::trail_ticks(simulation.world()));
        let since = session
            .ghost()
            .and_then(|ghost| ghost.ticks())
            .map_or(tick, |(first, _)| first.min(tick));
        let state = ViewState {
            is_playing: self.is_playing,
            target: self.target,
            speed: self.speed,
            reached_share: self.pace.reached_share(),
            pacing: self.pace.latest(),
            can_undo: self.changes.can_undo(),
            can_redo: self.changes.can_redo(),
            comments: Arc::clone(&self.comments),
            compared: self.compared.clone(),
            param_notes: Arc::clone(session.param_notes()),
            files: Arc::clone(&self.files),
            turn_values: self.turn_values(),
            params_aside: self.settings_aside(),
            kept_params: self.kept_params.clone(),
            first_params: Arc::clone(&self.first_params),
            hash: is_resting.then(|| state_hash(simulation.world(), simulation.minds())),
            absent: self.absent(next_turn.is_some()),
            next_turn,
            forces: if self.overlays.forces && self.is_visible {
                self.forces()
            } else {
                Vec::new()
            },
            field: self.field(),
            empty_since: empty_since(session),
            trail: rows(session.tracks(), trails_since, tick),
            own_track: rows(session.tracks(), since, tick),
            ghost: session.ghost().cloned(),
            ghost_name: self.ghost_name().to_owned(),
            selections: self.selections,
            is_ghost_kept: self.has_baseline(),
            errors: if self.failed_at.is_some() {
                self.shared.latest().errors.clone()
            } else {
                session.errors().into()
            },
            is_stuck: session.is_stuck(),
            is_waiting: session.is_waiting(),
            notices: self.notices.clone(),
            background_task: self.background_words(),
            plots: self.plots.shown_plots(&self.session),
            messages: if self.overlays.log { Vec::new() } else { self.recent_messages() },
            log: if self.overlays.log { self.log() } else { Arc::new([]) },
            judged: session
                .judged()
                .filter(|_| self.is_visible)
                .map(|judged| judged.states().into()),
            failures: Arc::clone(self.failures.all()),
            failed_pair: self.failed_pair(),
            judged_to: self.plots.filled_to().filter(|_| session.lacks_judgment()),
            pauses_on_failure: self.pause_on_failure.is_some(),
            answer: self.answer.clone(),
            pause_when: self.pause_when.as_ref().map(|one| one.text.clone()),
            prediction: self.shown_prediction(),
            numbers: self.color_numbers(),
            expressions: self.plots.expressions(),
            result: self.results.as_ref().map(|steps| steps.shown.clone()),
            ..initial(session)
        };
        self.share();
        self.shared.set_busy(None);
        self.shared.publish(state);
    }

    /// Returns what is going on beside the run, in words.
    fn background_words(&self) -> Option<String> {
        let small = self.small_failure.as_ref().map(SmallFailure::words);
        small.or_else(|| self.seed_comparison.as_ref().map(SeedComparison::words))
    }

    /// Shares the values of the selected agent with editors. The window may be behind them, so it need not be visible.
    pub(super) fn share(&self) {
        let is_resting = !self.is_playing && self.target.is_none();
        if let Some(host) = self.host.as_ref().filter(|host| host.wants_values(is_resting)) {
            host.share(&self.session, self.selected);
        }
    }

    /// Returns recent script messages of the selected agent; without one, of all agents.
    fn recent_messages(&self) -> Vec<Message> {
        // Messages of `init` belong to the first tick.
        let end = self.session.tick().max(self.session.first() + 1);
        let ticks = (MESSAGE_SECONDS * self.rate()).round() as u64;
        let begin = end.saturating_sub(ticks.max(1));
        let is_past = |message: &&Message| (begin..end).contains(&message.tick);
        let is_selected = |message: &&Message| self.selected.is_none_or(|id| id == message.agent);
        let all = self.session.messages().iter().rev();
        let all = all.filter(is_past).filter(is_selected);
        let mut last: Vec<Message> = all.take(MAX_MESSAGES).cloned().collect();
        last.reverse();
        last
    }

    /// Returns what scripts printed up to this tick and what was noticed.
    fn log(&self) -> Arc<[LogLine]> {
        // Messages of `init` belong to the first tick.
        let end = self.session.tick().max(self.session.first() + 1);
        let all = self.session.messages().iter().rev().filter(|message| message.tick < end);
        let mut lines: Vec<LogLine> = all
            .take(MAX_LOG)
            .map(|Message { tick, agent, group, place, text, .. }| {
                let file = place.rsplit('/').next().unwrap_or(place);
                LogLine {
                    tick: *tick,
                    agent: Some(*agent),
                    text: format!("agent {agent} ({group})  {file}  {text}"),
                    is_failure: false,
                }
            })
            .collect();
        lines.reverse();
        let messages = lines.into_iter().map(|line| (line.tick, line));
        // Notices stay in the order in which they came, so that the newest is last, also after going back in time.
        let notices = self.noticed.iter().scan(0, |latest, notice| {
            *latest = notice.tick.max(*latest);
            Some((*latest, notice.clone()))
        });
        let mut lines: Vec<(u64, LogLine)> = messages.chain(notices).collect();
        lines.sort_by_key(|(tick, _)| *tick);
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Returns the explained next turn of the selected agent. On the way to a tick, where explaining would delay the run, this is the last
    /// one that was explained, unless it is quick.
    fn next_turn(&mut self) -> Option<Arc<NextTurn>> {
        let id = self.selected.filter(|_| self.is_visible)?;
        if self.target.is_some() && self.explain_time > SLICE {
            let latest = self.shared.latest().next_turn.clone();
            return latest.filter(|explained| explained.id == id);
        }
        self.shared.set_busy(Some(Task::Explain));
        let since = Instant::now();
        let next_turn = self.session.simulation().next_turn(id).ok().flatten();
        self.explain_time = since.elapsed();
        self.shared.set_busy(None);
        next_turn.map(Arc::new)
    }

    /// Returns the id and the chosen force of each agent. A change of the velocity by a script counts as the force that would
    /// make it.
    fn forces(&self) -> Vec<(AgentId, Vec2)> {
        let simulation = self.session.simulation();
        let world = simulation.world();
        let wishes = simulation.wishes().unwrap_or_default().into_iter();
        let forces = wishes.filter_map(|(id, wish)| {
            let body = world.agent(world.agents.row(id)?).body();
            Some((id, wish.as_force(body, world.dt)))
        });
        forces.collect()
    }

    /// Returns points around the selected agent and the force that it would choose there.
    fn field(&self) -> Vec<(Vec2, Vec2)> {
        let simulation = self.session.simulation();
        let world = simulation.world();
        let Some((id, row)) = self
            .selected
            .filter(|_| self.overlays.field && self.is_visible)
            .and_then(|id| Some((id, world.agents.row(id)?)))
        else {
            return Vec::new();
        };
        let around = world.agents.pos(row);
        let body = world.agent(row).body();
        let size = world.space.size;
        let span = math::max(math::min(size.x, size.y) / 2.5, body.radius * 8.0);
        let step = span / (FIELD_SIDE - 1) as f32;
        let half = Vec2::splat(span / 2.0);
        let mut points = Vec::with_capacity(FIELD_SIDE * FIELD_SIDE);
        for i in 0..FIELD_SIDE * FIELD_SIDE {
            let (column, line) = ((i % FIELD_SIDE) as f32, (i / FIELD_SIDE) as f32);
            let at = around - half + Vec2::new(column, line) * step;
            // Agents cannot be inside of obstacles, nor beyond an edge.
            if world.obstacles.iter().any(|obstacle| obstacle.shape.contains(at)) {
                continue;
            }
            if world.space.edge == Edge::Open || world.space.apply_edge(at, Vec2::ZERO).0 == at {
                points.push(at);
            }
        }
        let wishes = simulation.field(id, &points).unwrap_or_default();
        let forces = wishes.into_iter().map(|wish| wish.as_force(body, world.dt));
        points.into_iter().zip(forces).collect()
    }
}

/// Returns the state of a session without overlays and explanations.
pub(super) fn initial(session: &Session) -> ViewState {
    ViewState {
        name: session.name(),
        comments: Arc::new([]),
        compared: None,
        param_notes: Arc::default(),
        files: Arc::new([]),
        turn_values: None,
        world: Arc::clone(session.simulation().world()),
        first_tick: session.first(),
        last_tick: session.end(),
        is_of_files: session.is_of_files(),
        save_name: session.usual_save_name(),
        empty_since: None,
        scenario_ticks: session.run().ticks(),
        edits: session.edits(),
        is_playing: true,
        target: None,
        speed: 0,
        reached_share: None,
        pacing: None,
        hash: None,
        params: session.params_of_use(),
        goals: session.goals(),
        can_undo: false,
        can_redo: false,
        settings: session.settings(),
        params_aside: Vec::new(),
        kept_params: None,
        file_params: Arc::clone(session.file_params()),
        file_seed: session.file_seed(),
        first_params: Arc::clone(session.file_params()),
        older: match (session.has_older_files(), session.has_older_params()) {
            (false, false) => None,
            (true, false) => Some("files"),
            (false, true) => Some("params"),
            (true, true) => Some("files and params"),
        },
        changed_at: session.changed_at(),
        next_turn: None,
        absent: None,
        forces: Vec::new(),
        field: Vec::new(),
        trail: Vec::new(),
        own_track: Vec::new(),
        ghost: None,
        ghost_name: String::new(),
        selections: 0,
        is_ghost_kept: false,
        errors: session.errors().into(),
        is_stuck: session.is_stuck(),
        is_waiting: session.is_waiting(),
        background_task: None,
        reads_pointer: session.reads_cursor(),
        notices: Vec::new(),
        messages: Vec::new(),
        plots: Vec::new(),
        prediction: None,
        numbers: None,
        expressions: Arc::new([]),
        result: None,
        handles: Arc::clone(session.handles()),
        full_parts: Arc::clone(session.full_parts()),
        log: Arc::new([]),
        expectations: Arc::clone(session.expectations()),
        judged: None,
        failures: Arc::new([]),
        failed_pair: None,
        is_judging: session.is_judging(),
        judged_to: None,
        pauses_on_failure: false,
        pause_when: None,
        answer: Answer::default(),
    }
}

/// Returns the positions between two ticks; of many ticks, an even sample that includes the last one.
pub(super) fn rows(tracks: &Tracks, from: u64, to: u64) -> Vec<Arc<TrackRow>> {
    let all = tracks.sample(from, to, MAX_TRACK_ROWS);
    all.into_iter().map(Arc::clone).collect()
}

/// Returns the tick from which on there are no agents, if there are none now.
fn empty_since(session: &Session) -> Option<u64> {
    let world = session.simulation().world();
    let rows = session.tracks().between(session.first(), world.tick).rev();
    let empty = rows.take_while(|(_, row)| row.ids.is_empty());
    let since = empty.last().map_or(world.tick, |(tick, _)| tick);
    world.agents.is_empty().then_some(since)
}
