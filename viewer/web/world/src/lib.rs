//! A world in a browser: the same session as in the window, its picture, and what a page shows beside it.
//!
//! This is the interface of the page's worker. A string with JSON has the same objects as `--json` of the commands. Errors are
//! JavaScript errors, whose message is a JSON list of findings.

mod facts;
mod finding;
mod golden;
mod picture;

use std::collections::BTreeMap;
use std::path::Path;

use flockwork_engine::live::{
    COUNT, ParamSetting, ReloadResult, Replay, Session, StepResult, WeightChanges, WeightSwitches,
    is_off,
};
use flockwork_engine::load::OpenFiles;
use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::param_text;
use flockwork_engine::sim::{Action, NextTurn};
use flockwork_engine::world::AgentId;
use flockwork_engine::{Diagnostic, Diagnostics, Options, Setting, state_hash};
use js_sys::{Float32Array, Uint8ClampedArray, Uint16Array, Uint32Array};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use golden::Recorded;
use picture::View;

/// With more agents than this, expectations are not judged: it takes up to twice the time of a tick.
const MAX_JUDGED_AGENTS: usize = 10_000;

/// Number of earlier ticks that are judged before the expectations are told. After an edit there can be many, and a page must not wait.
const JUDGED_AT_ONCE: usize = 60;

/// A world that runs, with its history.
#[wasm_bindgen]
pub struct World {
    session: Session,
    view: View,
    selected: Option<AgentId>,
    /// Where the pointer is, if the world does not know it yet.
    cursor: Option<Option<Vec2>>,
    /// Earlier ticks as they run again to be judged.
    replay: Option<Replay>,
    /// The last golden that was recorded here.
    recorded: Option<Recorded>,
    switches: WeightSwitches,
}

/// What a page may set when it opens a world.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WorldOptions {
    seed: Option<u64>,
    /// Values of params, written as in a scenario, by `group.param`, or by `param` for those that the groups share.
    params: BTreeMap<String, String>,
}

type Thrown<T> = Result<T, JsError>;

fn thrown(errors: impl Into<Diagnostics>) -> JsError {
    JsError::new(&finding::list(&errors.into().into_vec()))
}

/// The files, and the run of one of them.
#[wasm_bindgen]
impl World {
    /// Opens a scenario. `files` is a JSON object with the texts of all files by their paths, such as `scripts/flock.rhai`;
    /// `options` is one with `seed` and `params`.
    #[wasm_bindgen(constructor)]
    pub fn new(files: &str, scenario: &str, options: &str) -> Thrown<Self> {
        let texts: BTreeMap<String, String> = serde_json::from_str(files)?;
        let options: WorldOptions = serde_json::from_str(options)?;
        let mut open = OpenFiles::default();
        for (path, text) in &texts {
            open.open(Path::new(path), text);
        }
        let mut of_run = Options::default();
        of_run.seed = options.seed;
        for (name, value) in options.params {
            of_run.settings.push(format!("{name}={value}").parse::<Setting>()?);
        }
        let session = Session::open_files(open, Path::new(scenario), of_run).map_err(thrown)?;
        let view = View::new(session.simulation().world());
        let (selected, cursor, replay, recorded) = (None, None, None, None);
        let switches = WeightSwitches::default();
        let mut this = Self { session, view, selected, cursor, replay, recorded, switches };
        this.choose_judging();
        Ok(this)
    }

    /// Adds a file, or changes its text. `reload` makes it count.
    #[wasm_bindgen(js_name = setFile)]
    pub fn set_file(&mut self, path: &str, text: &str) {
        self.session.files_mut().open(Path::new(path), text);
    }

    /// Removes a file. `reload` makes it count.
    #[wasm_bindgen(js_name = removeFile)]
    pub fn remove_file(&mut self, path: &str) {
        self.session.files_mut().close(Path::new(path));
    }

    /// Returns the text of a file. The world itself changes a scenario only when params are written into it.
    pub fn file(&self, path: &str) -> Option<String> {
        self.session.files().get(Path::new(path)).map(|source| source.text.clone())
    }

    /// Reads the files again. If they have changed and can run, they run from this tick on; otherwise the version before runs on.
    /// Returns a JSON object: `result` is `unchanged`, `adopted` or `failed`, and `changes` a few words for each change.
    pub fn reload(&mut self) -> String {
        let (result, changes) = match self.session.reload() {
            ReloadResult::Unchanged => ("unchanged", Vec::new()),
            ReloadResult::Adopted(changes) => ("adopted", changes),
            ReloadResult::Failed => ("failed", Vec::new()),
        };
        self.choose_judging();
        serde_json::json!({ "result": result, "changes": changes }).to_string()
    }

    /// Returns why the newest files do not run, as a JSON list of findings; an empty list if they do.
    pub fn errors(&self) -> String {
        finding::list(self.session.errors())
    }

    /// Writes the params that were set into the scenario, and nothing else; only one of them if it is named. Returns its new text.
    #[wasm_bindgen(js_name = writeParams)]
    pub fn write_params(
        &mut self,
        group: Option<String>,
        name: Option<String>,
    ) -> Thrown<Option<String>> {
        let is_wanted = |one: &ParamSetting| {
            group.as_ref().is_none_or(|group| *group == one.group)
                && name.as_ref().is_none_or(|name| *name == one.param)
        };
        self.session.write_params_where(is_wanted).map_err(thrown)?;
        let path = self.session.path();
        Ok(self.session.files().get(path).map(|source| source.text.clone()))
    }

    /// Returns the version of Flockwork.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn choose_judging(&mut self) {
        let agents = self.session.simulation().world().agents.len();
        self.session.set_judging(agents <= MAX_JUDGED_AGENTS);
    }
}

/// Time.
#[wasm_bindgen]
impl World {
    /// Returns the name of the scenario.
    pub fn name(&self) -> String {
        self.session.name()
    }

    /// Returns the earliest tick that can be shown.
    #[wasm_bindgen(js_name = firstTick)]
    pub fn first_tick(&self) -> f64 {
        self.session.first() as f64
    }

    /// Returns the current tick.
    pub fn tick(&self) -> f64 {
        self.session.tick() as f64
    }

    /// Returns the last tick that is known.
    pub fn end(&self) -> f64 {
        self.session.end() as f64
    }

    /// Returns the tick at which the scenario ends. A world goes on beyond it.
    pub fn ticks(&self) -> f64 {
        self.session.run().ticks() as f64
    }

    /// Returns the seconds per tick.
    pub fn dt(&self) -> f32 {
        self.session.simulation().world().dt
    }

    /// Goes on by one tick. Returns `new`, `replayed`, `fell back` (the files have failed, and the version before goes on from here),
    /// `undone` (what a person did here has failed and is undone) or `stuck`.
    pub fn step(&mut self) -> String {
        if self.session.tick() == self.session.end()
            && self.session.reads_cursor()
            && let Some(at) = self.cursor.take()
        {
            self.session.act(Action::Cursor { at });
        }
        let result = match self.session.step() {
            StepResult::New => "new",
            StepResult::Replayed => "replayed",
            StepResult::FellBack => "fell back",
            StepResult::Undone { .. } => "undone",
            StepResult::Stuck => "stuck",
        };
        result.to_owned()
    }

    /// Goes to a tick from the first to the last one that is known.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(&mut self, tick: f64) {
        // A number that is no tick becomes 0, which is the first one.
        self.session.seek(tick as u64);
    }

    /// Returns the hash of the state, as the program prints it: it is the same on every machine.
    pub fn hash(&self) -> String {
        let simulation = self.session.simulation();
        format!("{:016x}", state_hash(simulation.world(), simulation.minds()))
    }
}

/// What a person does.
#[wasm_bindgen]
impl World {
    /// Sets a param of a group from this tick on. The value is written as in a scenario.
    #[wasm_bindgen(js_name = setParam)]
    pub fn set_param(&mut self, group: &str, param: &str, value: &str) -> Thrown<()> {
        if param == COUNT {
            return self.set_count(group, value);
        }
        self.session.set_param(group, param, value).map_err(thrown)?;
        let id = self.session.simulation().world().names().group(group);
        let params = id.map(|id| self.session.params().swap_remove(usize::from(id.0)));
        // What is switched off keeps the value that it comes back to.
        if !params.as_ref().and_then(|params| params.get(param)).is_some_and(is_off) {
            self.switches.forget(group, param);
        }
        Ok(())
    }

    /// Begins the run again with another number of agents.
    fn set_count(&mut self, group: &str, value: &str) -> Thrown<()> {
        let count = value.trim().parse();
        let count = count.map_err(|_| Diagnostic::error("expected an integer")).map_err(thrown)?;
        self.session.set_count(group, count).map_err(thrown)?;
        self.replay = None;
        self.choose_judging();
        Ok(())
    }

    /// Switches a weight off, or on again. Returns a JSON object: `changes` has the new values by the names of the params, and `words`
    /// says why there are none.
    #[wasm_bindgen(js_name = switchWeight)]
    pub fn switch_weight(&mut self, group: &str, param: &str) -> Thrown<String> {
        match self.switches.switch(&self.session, group, param) {
            Ok(changes) => self.set_weights(group, changes, ""),
            Err(words) => self.set_weights(group, Vec::new(), &words),
        }
    }

    /// Switches all weights of a group off but one. If they are off, switches all on again. Returns a JSON object as `switchWeight`
    /// does; `words` says what has been done.
    #[wasm_bindgen(js_name = onlyWeight)]
    pub fn only_weight(&mut self, group: &str, only: &str) -> Thrown<String> {
        let (changes, words) = self.switches.only(&self.session, group, only);
        self.set_weights(group, changes, &words)
    }

    fn set_weights(&mut self, group: &str, changes: WeightChanges, words: &str) -> Thrown<String> {
        let texts =
            changes.into_iter().filter_map(|(param, value)| Some((param, param_text(&value)?)));
        let texts: BTreeMap<String, String> = texts.collect();
        for (param, text) in &texts {
            self.set_param(group, param, text)?;
        }
        Ok(serde_json::json!({ "changes": texts, "words": words }).to_string())
    }

    /// Takes over from another world of the same scenario which values its weights come back to.
    #[wasm_bindgen(js_name = keepSwitches)]
    pub fn keep_switches(&mut self, before: &Self) {
        self.switches = before.switches.clone();
    }

    /// Presses or releases a key, for scenarios with inputs. Returns whether the scenario has this key.
    pub fn press(&mut self, key: &str, down: bool) -> bool {
        let inputs = self.session.simulation().world().inputs.iter();
        let of_key: Vec<Action> = inputs
            .filter(|input| *input.key == *key && input.is_down != down)
            .map(|input| Action::Input { name: input.name.clone(), down })
            .collect();
        let is_known = !of_key.is_empty();
        for action in of_key {
            self.session.act(action);
        }
        is_known
    }

    /// Returns whether a script of this scenario reads where the pointer is.
    #[wasm_bindgen(js_name = readsCursor)]
    pub fn reads_cursor(&self) -> bool {
        self.session.reads_cursor()
    }

    /// Tells the world where the pointer is, in pixels of the picture; nothing if it is elsewhere.
    #[wasm_bindgen(js_name = moveCursor)]
    pub fn move_cursor(&mut self, x: Option<f32>, y: Option<f32>) {
        let pixel = x.zip(y).map(|(x, y)| Vec2::new(x, y));
        let camera = self.view.camera(self.session.simulation().world());
        self.cursor = Some(pixel.map(|pixel| camera.place(pixel)));
    }

    /// Selects the agent with an id, or none.
    pub fn select(&mut self, agent: Option<u32>) {
        self.selected = agent.map(AgentId);
    }

    /// Selects the agent at a place of the picture, in pixels, and returns its id.
    #[wasm_bindgen(js_name = selectAt)]
    pub fn select_at(&mut self, x: f32, y: f32) -> Option<u32> {
        self.selected = self.view.agent_at(self.session.simulation().world(), Vec2::new(x, y));
        self.selected()
    }

    /// Returns the id of the selected agent.
    pub fn selected(&self) -> Option<u32> {
        self.selected.map(|id| id.0)
    }

    /// Returns the next turn of the selected agent, explained.
    fn next_turn(&self) -> Option<NextTurn> {
        self.session.simulation().next_turn(self.selected?).ok().flatten()
    }
}

/// The picture. Lengths are in pixels of the page.
#[wasm_bindgen]
impl World {
    /// Draws the world and returns the bytes of its pixels, four for each. `ratio` is the number of pixels of the screen for one of
    /// the page. The array shows the memory of the program: use it before the next call.
    pub fn draw(&mut self, width: f32, height: f32, ratio: f32) -> Thrown<Uint8ClampedArray> {
        let next_turn = self.next_turn();
        let bytes = self.view.draw(&self.session, next_turn.as_ref(), (width, height), ratio);
        let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory()
            .dyn_into()
            .map_err(|_| JsError::new("WebAssembly has no memory here"))?;
        let (from, count) = (bytes.as_ptr() as u32, bytes.len() as u32);
        Ok(Uint8ClampedArray::new_with_byte_offset_and_length(&memory.buffer(), from, count))
    }

    /// Shows the whole world again.
    pub fn fit(&mut self) {
        self.view.fit();
    }

    /// Moves the picture to the right and down.
    pub fn pan(&mut self, dx: f32, dy: f32) {
        self.view.pan(self.session.simulation().world(), dx, dy);
    }

    /// Magnifies the picture around a place of it.
    pub fn zoom(&mut self, factor: f32, x: f32, y: f32) {
        self.view.zoom(self.session.simulation().world(), factor, Vec2::new(x, y));
    }

    /// Keeps the selected agent in the middle, or does not any more.
    pub fn follow(&mut self, on: bool) {
        self.view.is_following = on;
    }

    /// Chooses light or dark colors.
    #[wasm_bindgen(js_name = setDark)]
    pub fn set_dark(&mut self, on: bool) {
        self.view.is_dark = on;
    }

    /// Draws where agents were in the last ticks, or does not any more.
    #[wasm_bindgen(js_name = setTrails)]
    pub fn set_trails(&mut self, on: bool) {
        self.view.has_trails = on;
    }
}

/// What pages draw and plot themselves.
#[wasm_bindgen]
impl World {
    /// Returns the positions of the agents in world units: x and y, agent by agent, in the order of `ids`.
    pub fn positions(&self) -> Float32Array {
        self.pairs(|world, row| world.agents.pos(row))
    }

    /// Returns the velocities in world units per second.
    pub fn velocities(&self) -> Float32Array {
        self.pairs(|world, row| world.agents.vel(row))
    }

    /// Returns the headings, which have the length 1.
    pub fn headings(&self) -> Float32Array {
        self.pairs(|world, row| world.agents.heading(row))
    }

    fn pairs(&self, of: impl Fn(&flockwork_engine::world::World, usize) -> Vec2) -> Float32Array {
        let world = self.session.simulation().world();
        let all: Vec<f32> =
            (0..world.agents.len()).flat_map(|row| of(world, row).to_array()).collect();
        Float32Array::from(&all[..])
    }

    /// Returns the ids of the agents, ascending.
    pub fn ids(&self) -> Uint32Array {
        let agents = &self.session.simulation().world().agents;
        let all: Vec<u32> = agents.id.iter().map(|id| id.0).collect();
        Uint32Array::from(&all[..])
    }

    /// Returns the number of the group of each agent.
    #[wasm_bindgen(js_name = groupOf)]
    pub fn group_of(&self) -> Uint16Array {
        let agents = &self.session.simulation().world().agents;
        let all: Vec<u16> = agents.group.iter().map(|group| group.0).collect();
        Uint16Array::from(&all[..])
    }

    /// Returns a JSON object about the rectangle of the world: `min`, `max`, and `edge`.
    pub fn space(&self) -> String {
        facts::space(self.session.simulation().world())
    }

    /// Returns a JSON list of the groups: `name`, `color` and `agents`.
    pub fn groups(&self) -> String {
        facts::groups(self.session.simulation().world(), self.view.palette())
    }

    /// Returns a JSON list of the params: `group`, `name`, `kind`, `value` and `written`, as a scenario has them, and `number` if it is one.
    /// `comment` is the one beside it in the scenario. Of a weight, `isWeight` is true and `isOff` says whether it is 0; `before` is then
    /// the value that it comes back to.
    pub fn params(&self) -> String {
        facts::params(&self.session, &self.switches)
    }

    /// Returns a JSON list of measures at this tick: `name`, `unit`, `doc` and `value`.
    pub fn measures(&self) -> String {
        facts::measures(&self.session)
    }

    /// Returns a JSON list of what scripts have printed up to this tick: `tick`, `agent`, `group`, `place` and `text`.
    pub fn messages(&self) -> String {
        facts::messages(&self.session)
    }

    /// Returns a JSON list of the expectations: `text`, `state` (`not yet`, `holds`, `nearly failed`, `failed`, `not judged`), and, if it has
    /// failed, `tick`, `agent` and `why`. Of earlier ticks that are not judged, it judges a few: ask again.
    pub fn expectations(&mut self) -> String {
        self.judge_some();
        facts::expectations(&self.session)
    }

    /// Returns whether earlier ticks must be judged before it is known what holds now.
    #[wasm_bindgen(js_name = lacksJudgment)]
    pub fn lacks_judgment(&self) -> bool {
        self.session.lacks_judgment()
    }

    fn judge_some(&mut self) {
        if !self.session.lacks_judgment() {
            self.replay = None;
            return;
        }
        let mut replay = self.session.replay(self.session.tick(), self.replay.take());
        for _ in 0..JUDGED_AT_ONCE {
            if !self.session.lacks_judgment() || !self.session.advance(&mut replay) {
                break;
            }
        }
        self.replay = Some(replay);
    }

    /// Returns a JSON object that explains what the selected agent decides next, as `flockwork explain --json`, with a `text` for people.
    pub fn explain(&self) -> Option<String> {
        facts::explanation(&self.session.name(), &self.next_turn()?)
    }

    /// Returns a JSON object with what the selected agent computes in its next turn: `tick`, `agent`, `group` and `files`. Each file has
    /// its `name` and its `text`, and the `values` of names in it, from the byte `start` to `end`.
    pub fn values(&self) -> Option<String> {
        facts::values(self.session.simulation(), self.selected?)
    }

    /// Returns a JSON list of the keys that the scenario has as inputs: `key` and `name`.
    pub fn inputs(&self) -> String {
        facts::inputs(self.session.simulation().world())
    }
}

/// Goldens: recordings of runs that were right.
#[wasm_bindgen]
impl World {
    /// Runs the scenario from its start to its end, and returns its golden, as `flockwork test --update` writes it.
    #[wasm_bindgen(js_name = recordGolden)]
    pub fn record_golden(&mut self, reason: &str) -> Thrown<String> {
        let recorded = Recorded::new(&self.session, reason).map_err(thrown)?;
        Ok(self.recorded.insert(recorded).golden.clone())
    }

    /// Runs the scenario from its start to its end, and compares the run with a golden. Returns a JSON object: `passed`, `same` (to the
    /// bit), the first `tick` that differs, the `agent` that differs most, the `file` and `line` that the cause is about, and a `text` for
    /// people. These are null if they are not known.
    pub fn compare(&self, golden: &str) -> String {
        let recorded = self.recorded.as_ref().filter(|one| one.golden == golden);
        golden::compare(&self.session, golden, recorded)
    }
}
