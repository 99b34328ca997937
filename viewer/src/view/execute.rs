//! Executes what keys, clicks and the wheel do.

use std::time::Instant;

use flockwork_engine::Failure;
use flockwork_engine::math::{self, Vec2, short};
use flockwork_engine::world::AgentId;

use super::ask::Ask;
use super::choices::OPEN;
use super::command::PlayerCommand;
use super::failed_pair::PairReactions;
use super::frame::scene;
use super::keys::key_of;
use super::leaving::Destination;
use super::panel::{Escape, Opening, Panel};
use super::panels::{self, PANELS};
use super::plot::PlotSource;
use super::tune;
use super::ui::{Drag, Ui};
use super::ui_command::UiCommand;
use super::view_state::ViewState;

/// Radius of a new goal for agents without a body, in pixels.
const GOAL_RADIUS: f32 = 10.0;

/// Reach of a push, in pixels.
const PUSH_RADIUS: f32 = 90.0;

/// Steps by which everything is drawn larger while a person presents.
const PRESENTED: i32 = 2;

/// Why a panel is closed that shows something of the run.
const NO_RUN: &str = "there is no run yet: repair the error first";

impl UiCommand {
    /// Changes what the window shows, and returns the commands for the player.
    pub(crate) fn execute(self, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
        if let Some(command) = self.for_player(state) {
            return vec![command];
        }
        match self {
            Self::Toggle(id) => {
                let panel = panels::with_id(id);
                let is_open = panel.is_open(ui);
                if state.is_waiting && !is_open && id == panels::files::PANEL.id {
                    return Self::ShowError.execute(ui, state);
                }
                let no_run = (state.is_waiting && panel.needs_run).then_some(NO_RUN);
                if let Some(why) = no_run.or((panel.why_not)(state)).filter(|_| !is_open) {
                    return vec![PlayerCommand::Notice { text: why.to_owned(), is_failure: false }];
                }
                return panel.set_open(ui, !is_open);
            }
            Self::Scroll(id, steps) => scroll(ui, state, panels::with_id(id), steps as f32),
            Self::RunToDigits => return ui.run_to_digits(state),
            Self::GoToPointer => return vec![ui.go_to_pointer(state)],
            Self::GoToLog(number) => {
                let line = state.log.get(number);
                return line.map_or_else(Vec::new, |line| go_to(line.tick, line.agent));
            }
            Self::GoToFailure(index) => {
                let failure = state.failures.iter().find(|one| one.expectation == index);
                return failure.map_or_else(Vec::new, |one| go_to_failure(state, one));
            }
            Self::GoToReaction(index) => return go_to_reaction(state, index),
            Self::GoToWorst(index) => {
                let judged = state.judged.as_ref().and_then(|judged| judged.get(index));
                return judged.map_or_else(Vec::new, |one| go_to(one.margin.tick, None));
            }
            Self::PlotMargin(index) => {
                return vec![ui.show_plot(state.expectations.get(index).map(PlotSource::from))];
            }
            Self::CompareParams => {
                // Two runs are compared by their numbers.
                let can_compare = state.can_compare_params();
                let plot = can_compare.then(|| ui.plot_to_compare(state)).flatten();
                panels::comparison::PANEL.set_open(ui, true);
                return plot.into_iter().chain([PlayerCommand::Compare]).collect();
            }
            Self::PlotCompared(index) => {
                let row = state.compared.as_ref().and_then(|table| table.rows.get(index));
                let source = row.and_then(|row| row.plot_source(state));
                return source.map(|source| ui.show_plot(Some(source))).into_iter().collect();
            }
            Self::NextColors => return ui.next_colors(state),
            Self::PlotsAndList => {
                let list = &panels::plot_list::PANEL;
                if list.is_open(ui) {
                    return list.set_open(ui, false);
                }
                return vec![ui.step_plot(state, ui.plots.current, 0)];
            }
            Self::StepPlot(plot, by) => return vec![ui.step_plot(state, plot, by)],
            Self::ListPlots(plot) => ui.list_plots(state, plot),
            Self::ChoosePlot(number) => return ui.choose_plot(state, number),
            Self::TogglePlot(number) => return ui.toggle_plot(state, number),
            Self::UnfoldGroup(index) => ui.unfold_group(state, index),
            Self::ResizePlots => ui.plots.height = Some(ui.plot_height_at_pointer(state)),
            Self::PredictAfter(number) => {
                return ui.predict_after(state, number).into_iter().collect();
            }
            Self::PredictOther => {
                return vec![PlayerCommand::Predict(None), PlayerCommand::Select(None)];
            }
            Self::Tune(steps) => return ui.tune(state, steps),
            Self::TuneParam(param, steps) => {
                ui.param = param;
                return ui.tune(state, steps);
            }
            Self::Choose(choice) => return choice.execute(ui, state),
            Self::SelectChoice(by) => ui.select_choice(by, state),
            Self::TakeSuggestion => {
                if let Some(question) = &mut ui.question {
                    question.take_suggestion();
                }
            }
            Self::SlideParam(param) => return ui.slide_param(state, param),
            Self::CloseNotice(index) => {
                let notice = state.notices.get(index);
                let close = notice.map(|one| PlayerCommand::CloseNotice(one.text.clone()));
                return close.into_iter().collect();
            }
            Self::SelectInNotice(index) => {
                let Some(notice) = state.notices.get(index) else { return Vec::new() };
                let close = PlayerCommand::CloseNotice(notice.text.clone());
                return vec![close, PlayerCommand::Select(notice.selects)];
            }
            Self::GoToFailureInNotice(index) => return go_to_failure_in_notice(state, index),
            Self::GoToNotice(index) => {
                let Some(notice) = state.notices.get(index) else { return Vec::new() };
                let close = PlayerCommand::CloseNotice(notice.text.clone());
                let going = notice.goes_to.map(|tick| go_to(tick, notice.selects));
                return going.into_iter().flatten().chain([close]).collect();
            }
            Self::EndOnlyWeight(group) => return ui.end_only_weight(state, group),
            Self::GoToAbsent => {
                let absent = state.absent.as_ref();
                return absent.map_or_else(Vec::new, |one| go_to(one.nearest, Some(one.id)));
            }
            Self::TypeCount => return ui.ask_count(state),
            Self::ResetParam(param) => return ui.reset_param(state, param),
            Self::SwitchParam(param) => {
                ui.param = param;
                return ui.switch_weight(state, false);
            }
            Self::OnlyWeight => return ui.switch_weight(state, true),
            Self::OnlyWeightFromStart => return ui.only_weight_from_start(state),
            Self::ShowAlone(param) => {
                ui.param = param;
                return ui.only_weight_from_start(state);
            }
            Self::ResizeColumn => {
                let width = Some(ui.size.0 as f32 - ui.pointer.x);
                match ui.has_files_below_column(state) {
                    true => ui.files.width = width,
                    false => ui.column_width = width,
                }
            }
            Self::Goal => return goal_here(ui, state).into_iter().collect(),
            Self::Push => return push_here(ui, state).into_iter().collect(),
            Self::RemoveMark => {
                let edit = ui.editor.as_mut().and_then(|editor| editor.remove(state));
                return edit.map(PlayerCommand::EditScene).into_iter().collect();
            }
            Self::Forces => {
                ui.overlays.forces = !ui.overlays.forces;
                return vec![PlayerCommand::SetOverlays(ui.overlays)];
            }
            Self::Field => {
                ui.overlays.field = !ui.overlays.field;
                return vec![PlayerCommand::SetOverlays(ui.overlays)];
            }
            Self::Scale(steps) => return ui.change_scale(steps),
            Self::Write => {
                let files = ui.write_files(state);
                ui.files.others_sent = Some(Instant::now());
                // Who types in a file may be trying other params.
                if ui.files.is_typing && !files.is_empty() {
                    return files;
                }
                let has_params = files.is_empty() || state.unwritten().next().is_some();
                let params = has_params.then_some(PlayerCommand::WriteParams);
                return params.into_iter().chain(files).collect();
            }
            Self::ResizeFiles => {
                let right = ui.layout(state).area(panels::files::PANEL.id).map(|area| area.max.x);
                ui.files.width = right.map(|right| right - ui.pointer.x);
            }
            Self::PlaceCursor => {
                ui.click_text(state);
                if ui.has_ctrl {
                    // What moves under the pointer then is not selected.
                    ui.drag = Some(Drag::Panel);
                    ui.ask_for_definition(state);
                }
            }
            Self::SelectToPointer => ui.select_to_pointer(state),
            Self::ShowGroups => return ui.open_groups(),
            Self::ShowFile(index) => ui.show_file(state, index),
            Self::Find(action) => return ui.find_in_file(action, state),
            Self::WriteSuggestion(index) => ui.write_suggestion(state, index),
            Self::WriteFix(line) => return ui.write_fix(state, line, None),
            Self::NextProblem(is_forward) => return ui.next_problem(state, is_forward),
            Self::ShowProblems(line) => return ui.show_problems(state, line),
            Self::SelectSuggestion(by) => ui.select_suggestion(state, by),
            Self::DropText => ui.drop_text(state),
            Self::KeepText => ui.keep_text(state),
            Self::ActOnCopy(action) => return ui.act_on_copy(action, state),
            Self::ShowCall(_)
            | Self::ShowError
            | Self::ShowSkipped(_)
            | Self::ShowChangedCondition(..) => return ui.show_place(self, state),
            Self::TogglePointer => {
                ui.has_pointer = !ui.has_pointer;
                return if ui.has_pointer {
                    Vec::new()
                } else {
                    vec![PlayerCommand::MoveCursor(None)]
                };
            }
            Self::Present => return ui.present(),
            Self::Follow if ui.is_following => self.change(ui, state),
            Self::Follow | Self::ChainForces if state.next_turn.is_none() => {
                let text = "select an agent first: this is about the selected one".to_owned();
                return vec![PlayerCommand::Notice { text, is_failure: false }];
            }
            Self::Ask(Ask::Save { .. }) => {
                self.change(ui, state);
                // What is saved is the tick that was shown when the person asked for it.
                return vec![PlayerCommand::Pause];
            }
            Self::Ask(Ask::Rename) => return ui.ask_for_name(state),
            Self::Ask(Ask::NewScript) => return ui.ask_for_script(state),
            Self::Ask(Ask::Use) => return ui.ask_for_uses(state),
            Self::Ask(Ask::Choice) | Self::ListScenarios => {
                // They would cover the list.
                let covering = [&panels::help::PANEL, &panels::menu::PANEL];
                let closed = covering.into_iter().flat_map(|panel| panel.set_open(ui, false));
                let commands = closed.collect();
                self.change(ui, state);
                return commands;
            }
            Self::Close => return ui.close(state),
            Self::Quit => ui.leave(Destination::Quit, state),
            Self::Leave(action) => return ui.answer_leaving(action, state),
            Self::OpenNotice(index) => {
                let notice = state.notices.get(index);
                if let Some(path) = notice.and_then(|notice| notice.opens.clone()) {
                    ui.leave(Destination::Scenario(path), state);
                }
            }
            _ => match self.for_window(ui, state) {
                Some(Ok(command)) => ui.window_commands.push(command),
                Some(Err(why)) => {
                    let text = why.to_owned();
                    return vec![PlayerCommand::Notice { text, is_failure: true }];
                }
                None => self.change(ui, state),
            },
        }
        Vec::new()
    }

    /// Returns the command of the player that this is, whatever the window shows.
    fn for_player(self, state: &ViewState) -> Option<PlayerCommand> {
        Some(match self {
            Self::TogglePause => PlayerCommand::TogglePause,
            Self::StepForward => PlayerCommand::StepForward,
            Self::StepBack => PlayerCommand::StepBack,
            Self::SecondBack => PlayerCommand::Skip(-1.0),
            Self::SecondForward => PlayerCommand::Skip(1.0),
            Self::FirstTick => PlayerCommand::Seek(state.first_tick),
            // At the last tick so far, there is only the end of the scenario to go to.
            Self::LastTick
                if state.world.tick == state.last_tick
                    && state.last_tick < state.scenario_ticks =>
            {
                PlayerCommand::RunTo(state.scenario_ticks)
            }
            Self::LastTick => PlayerCommand::Seek(state.last_tick),
            Self::Faster => PlayerCommand::ChangeSpeed(1),
            Self::Slower => PlayerCommand::ChangeSpeed(-1),
            Self::NormalSpeed => PlayerCommand::ChangeSpeed(-state.speed),
            Self::Rerun => PlayerCommand::Rerun,
            Self::RerunAll => PlayerCommand::RerunAll,
            Self::AnotherRun => PlayerCommand::AnotherRun,
            Self::FileSeed => PlayerCommand::SetSeed(String::new()),
            Self::PauseOnFailure => PlayerCommand::PauseOnFailure(!state.pauses_on_failure),
            Self::ToggleGhost if state.ghost.is_none() => PlayerCommand::KeepRun,
            Self::ToggleGhost => PlayerCommand::DropGhost,
            Self::KeepGhost => PlayerCommand::KeepGhost,
            Self::SwapParams => PlayerCommand::SwapParams,
            Self::KeepParams => PlayerCommand::KeepParams,
            Self::Undo => PlayerCommand::Undo,
            Self::Redo => PlayerCommand::Redo,
            Self::PreviousResult => PlayerCommand::StepResult(-1),
            Self::NextResult => PlayerCommand::StepResult(1),
            Self::SaveSmall => PlayerCommand::SaveSmall,
            Self::Reload => PlayerCommand::Reload,
            _ => return None,
        })
    }

    /// Changes only what the window shows.
    fn change(self, ui: &mut Ui, state: &ViewState) {
        match self {
            Self::Fit => ui.fit(),
            Self::Zoom(steps) => ui.zoom(state, steps as f32, None),
            Self::ShowAllTime => ui.shown_time.ticks = None,
            Self::ZoomTime(steps) => ui.zoom_time(state, steps),
            Self::Pan(right, down) => ui.pan(state, Vec2::new(right as f32, down as f32)),
            Self::Follow => ui.is_following = !ui.is_following,
            Self::ChainForces => ui.has_chain = !ui.has_chain,
            Self::Trails => ui.has_trails = !ui.has_trails,
            Self::SwapColors => ui.is_dark = !ui.is_dark,
            Self::SwitchHelp => {
                ui.help_page = ui.help_page.other();
                ui.panels.state_mut(panels::help::PANEL.id).scroll = 0.0;
            }
            Self::ToggleGroup(group) => ui.toggle_group(state, group),
            Self::NextGroup => ui.next_group(state),
            Self::ParamAbove => ui.param = ui.param.saturating_sub(1),
            Self::ParamBelow => {
                let last = tune::knobs(ui.params(state).1).len().saturating_sub(1);
                ui.param = (ui.param + 1).min(last);
            }
            Self::SelectParam(param) => ui.param = param,
            Self::TypeParam(param) => {
                ui.param = param;
                ui.ask_value(state);
            }
            Self::Ask(ask) => {
                let last = match ask {
                    Ask::Find => ui.last_find.clone(),
                    Ask::PauseWhen => state.pause_when.clone().unwrap_or_default(),
                    Ask::ColorBy => {
                        state.numbers.as_ref().map(|one| one.text.clone()).unwrap_or_default()
                    }
                    Ask::Plot => match ui.plots.current() {
                        Some(PlotSource::Expression { text, .. }) => text.clone(),
                        _ => String::new(),
                    },
                    Ask::Filter(id) => ui.panels.filter(id).to_owned(),
                    Ask::Save { .. } => state.save_name.clone(),
                    Ask::Value => return ui.ask_value(state),
                    Ask::Seed => state.world.seed.to_string(),
                    Ask::Line | Ask::Use => String::new(),
                    Ask::Rename | Ask::NewScript => return,
                    Ask::Choice => {
                        ui.other_scenarios.find();
                        String::new()
                    }
                };
                ui.ask(ask, &last);
                let group = state.world.groups.last().filter(|_| ask == Ask::PauseWhen);
                if let (Some(question), Some(group)) = (&mut ui.question, group) {
                    question.example += &format!(", or world.count(\"{}\") == 0", group.name);
                }
            }
            Self::ListScenarios => {
                ui.other_scenarios.find();
                ui.ask(Ask::Choice, OPEN);
                // What is typed comes behind it.
                if let Some(question) = &mut ui.question {
                    question.is_last = false;
                }
            }
            Self::Tool(tool) => {
                if let Some(editor) = &mut ui.editor {
                    editor.tool = (editor.tool != Some(tool)).then_some(tool);
                }
            }
            _ => {}
        }
    }
}

/// Scrolls a panel by some steps, as far as there is more.
fn scroll(ui: &mut Ui, state: &ViewState, panel: &Panel, steps: f32) {
    let last = (panel.max_scroll)(&scene(ui, state, None));
    let scroll = &mut ui.panels.state_mut(panel.id).scroll;
    *scroll = math::max(math::min(math::min(*scroll, last) + steps, last), 0.0);
}

impl Ui {
    /// Closes or stops one thing: the frontmost and the latest one first.
    fn close(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let first_open = |ui: &Self, escape| {
            let mut front = PANELS.iter().rev();
            front.find(|panel| panel.escape == escape && panel.is_open(ui))
        };
        let in_turn = |ui: &Self| first_open(ui, Escape::InTurn).or(first_open(ui, Escape::Last));
        if self.cancel_drag() {
            // The dragged thing is back where it was.
        } else if !self.digits.is_empty() {
            self.digits.clear();
        } else if let Some(panel) = first_open(self, Escape::First) {
            return panel.set_open(self, false);
        } else if state.target.is_some() {
            return vec![PlayerCommand::TogglePause];
        } else if let Some(panel) = in_turn(self) {
            if !(panel.step_back)(self, state) {
                return panel.set_open(self, false);
            }
        } else {
            self.is_following = false;
            return vec![PlayerCommand::Select(None)];
        }
        Vec::new()
    }

    /// Draws everything larger and closes all panels, so that an audience sees the world; if that is so, goes back.
    fn present(&mut self) -> Vec<PlayerCommand> {
        let mut commands = vec![PlayerCommand::Present(self.presented.is_none())];
        if let Some(before) = self.presented.take() {
            for id in before {
                commands.extend(panels::with_id(id).set_open(self, true));
            }
            commands.extend(self.change_scale(-PRESENTED));
            return commands;
        }
        let by_hand = PANELS.iter().filter(|panel| panel.opening != Opening::WithContents);
        // The legend says what the colors mean. Plots and sliders are for the audience.
        let kept = [panels::legend::PANEL.id, panels::params::PANEL.id, panels::plot::PANEL.id];
        let by_hand = by_hand.filter(|panel| !kept.contains(&panel.id));
        let open: Vec<_> = by_hand.filter(|panel| panel.is_open(self)).collect();
        for panel in &open {
            commands.extend(panel.set_open(self, false));
        }
        // Also what is closed meanwhile.
        let params = panels::params::PANEL.is_open(self).then_some(panels::params::PANEL.id);
        self.presented = Some(open.into_iter().map(|panel| panel.id).chain(params).collect());
        self.change_scale(PRESENTED);
        let (scale, key) = (short(self.scale.factor()), key_of(UiCommand::Present));
        // The next notice about the size takes its place.
        let text = format!(
            "drawn at {scale}x for an audience, and nothing interrupts the run, not even its end: {key} goes back"
        );
        commands.push(PlayerCommand::Notice { text, is_failure: false });
        commands
    }

    /// Runs to the tick whose digits were typed; without digits, asks for the value of the selected param.
    fn run_to_digits(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        if let Ok(tick) = std::mem::take(&mut self.digits).parse() {
            return vec![PlayerCommand::RunTo(tick)];
        }
        if panels::params::PANEL.is_open(self) {
            self.ask_value(state);
        }
        Vec::new()
    }

    /// Returns the command that goes to the tick under the pointer, which is on the time bar.
    fn go_to_pointer(&self, state: &ViewState) -> PlayerCommand {
        let tick = self.layout(state).tick_at(self.pointer, state);
        if tick > state.last_tick { PlayerCommand::RunTo(tick) } else { PlayerCommand::Seek(tick) }
    }
}

/// Returns the commands that go to a tick and select an agent there, if there is one.
fn go_to(tick: u64, agent: Option<AgentId>) -> Vec<PlayerCommand> {
    let select = agent.map(|agent| PlayerCommand::Select(Some(agent)));
    [PlayerCommand::Seek(tick)].into_iter().chain(select).collect()
}

/// Returns the commands that go to a failure and select its agent. Of two agents, this is the one that does not react to the other,
/// and a notice offers the other one.
fn go_to_failure(state: &ViewState, failure: &Failure) -> Vec<PlayerCommand> {
    let (first, other) = failure.first_and_other();
    // A failure about no agent is one about the only agent.
    let ids = &state.world.agents.id;
    let only = ids.first().copied().filter(|_| ids.len() == 1);
    let mut commands = go_to(failure.tick, first.or(only));
    if let Some((first, other)) = first.zip(other) {
        let cause = failure.cause().map(|cause| format!("{cause}; ")).unwrap_or_default();
        let text = format!("{cause}{}", is_selected(first));
        commands.push(PlayerCommand::OfferAgent { text, agent: other });
    }
    commands
}

/// Returns the commands that go to the failure that a notice is about, and close the notice.
fn go_to_failure_in_notice(state: &ViewState, index: usize) -> Vec<PlayerCommand> {
    let Some(notice) = state.notices.get(index) else { return Vec::new() };
    let failure = state.failures.iter().find(|one| Some(one.tick) == notice.failed_at);
    let going = failure.map(|failure| go_to_failure(state, failure));
    let close = PlayerCommand::CloseNotice(notice.text.clone());
    going.into_iter().flatten().chain([close]).collect()
}

/// Returns the commands that go to the tick since when an agent of a failed pair reacts to the other one, and select it.
fn go_to_reaction(state: &ViewState, index: usize) -> Vec<PlayerCommand> {
    let Some(pair) = &state.failed_pair else { return Vec::new() };
    let PairReactions::Known(both) = &pair.reactions else { return Vec::new() };
    let one = both.get(index);
    one.map_or_else(Vec::new, |one| go_to(one.tick(&pair.failure), Some(one.agent)))
}

/// Says which of two agents is selected.
pub(super) fn is_selected(agent: AgentId) -> String {
    format!("agent {agent} is selected")
}

/// Returns the command that sets a goal at the pointer, for the selected agent's group or for all groups.
/// `None` if a panel is under the pointer.
fn goal_here(ui: &Ui, state: &ViewState) -> Option<PlayerCommand> {
    let at = ui.place_of_action(state)?;
    let next_turn = state.next_turn.as_ref();
    Some(PlayerCommand::SetGoal {
        group: next_turn.map(|next_turn| next_turn.group_name.to_string()),
        at,
        radius: ui.camera(state).units(GOAL_RADIUS),
    })
}

/// Returns the command that pushes agents near the pointer away. `None` if a panel is under the pointer.
fn push_here(ui: &mut Ui, state: &ViewState) -> Option<PlayerCommand> {
    let at = ui.place_of_action(state)?;
    let radius = ui.camera(state).units(PUSH_RADIUS);
    ui.pushed = Some((at, radius, Instant::now()));
    Some(PlayerCommand::Push { at, radius })
}
