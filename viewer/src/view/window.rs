//! The window itself: passes keys and mouse actions in, and pixels out.

mod exit_message;
mod keyboard;
pub(super) mod opening;
mod pointer;
mod title;
mod unwritten_files;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flockwork_engine::live::Session;
use flockwork_engine::load::Watch;
use flockwork_engine::math::Vec2;
use flockwork_engine::{Diagnostic, NoThreads, Options, with_threads};
use minifb::{MouseButton, MouseMode, Window};

use exit_message::{ExitMessage, unwritten_params};
use keyboard::{Keyboard, PressedKeys};
use opening::new_window;
use title::title;
use unwritten_files::UnwrittenFiles;

use super::clipboard::Clipboard;
use super::command::PlayerCommand;
use super::desktop::{Desktop, corner_of};
use super::editor;
use super::explain;
use super::first_failure::FirstFailure;
use super::keys::{self, play, press};
use super::keys_file;
use super::leaving::Destination;
use super::other_scenarios::OtherScenarios;
use super::panels::messages;
use super::player::Player;
use super::recorder::Recorder;
use super::recording_mark::recording_mark;
use super::scale::Scale;
use super::screen::screen;
use super::tune_results::TuneResults;
use super::ui::{Button, Ui};
use super::ui_command::UiCommand;
use super::view_state::{Notice, SharedView, Task, ViewState};
use super::window_command::WindowCommand;
use super::window_events::{self, WindowEvent};
use super::window_position::{self, WindowPosition};
use crate::draw::Picture;
use crate::sharing::Host;

/// Time between two frames: 60 per second.
const FRAME: Duration = Duration::from_micros(16_667);
/// Time between two looks at the keys while the window is not visible.
const HIDDEN_FRAME: Duration = Duration::from_millis(100);
/// Time between two looks at the mouse if the server does not report clicks: clicks are short.
const POLL: Duration = Duration::from_millis(4);
/// Time between two repaints if the server does not report when they are needed.
const REPAINT: Duration = Duration::from_millis(500);
/// When the window closes, a tick that takes longer than this is not waited for.
const MAX_WAIT: Duration = Duration::from_millis(300);
/// Minimum time between two changes of the title.
const TITLE: Duration = Duration::from_millis(200);

/// Why the window could not be opened or was closed by an error.
#[derive(Debug)]
pub(crate) enum WindowError {
    /// The system cannot open a window.
    Display(minifb::Error),
    /// No threads could be started.
    Threads(NoThreads),
    /// The player ended by itself, which is a bug.
    PlayerEnded,
    /// The system closed the window; this has already been reported.
    Lost,
}

/// The settings of a new window.
pub(crate) struct ViewSettings {
    /// Width and height in pixels of the screen; `None` for those of the last time.
    pub size: Option<(u32, u32)>,
    /// Pixels of the screen per pixel of the layout; `None` for what the system is set to.
    pub scale: Option<f32>,
    pub is_dark: bool,
    pub is_paused: bool,
    /// The failure to show.
    pub failure: Option<FirstFailure>,
    /// The file to show, and the line at its top, from 1.
    pub file: Option<(String, usize)>,
    /// The results of a tune, and the options of their runs. The session has the values of the first one.
    pub results: Option<(Arc<TuneResults>, Options)>,
    pub threads: usize,
    /// The command `flockwork explain` for this run, without an agent and a tick.
    pub explain_command: String,
    /// Whether to share the values of the selected agent with editors, and to show lines there.
    pub is_sharing: bool,
    /// Path of films; `None` for names of the scenario and the tick.
    pub record_to: Option<PathBuf>,
    /// Returns whether a signal asks the program to end.
    pub is_interrupted: Box<dyn Fn() -> bool>,
    /// Says something to the person after the window is closed.
    pub say: fn(&str),
    /// Reports that the system closed the window, at a tick. It is also called if that ends the program.
    pub on_lost: fn(u64),
}

/// Shows a session until the window is closed. Returns a warning if the position of the window cannot be remembered.
///
/// # Errors
///
/// If there is no display, or no threads.
pub(crate) fn open(
    mut session: Session,
    settings: &ViewSettings,
) -> Result<Option<Diagnostic>, WindowError> {
    // The window comes first: without it, nothing else is useful.
    let desktop = Desktop::ask();
    let factor = settings.scale.or(desktop.scale);
    let file = window_position::path();
    let (last, unread) = match file.as_deref().map(WindowPosition::read) {
        Some(Ok(last)) => (last, None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let (size, at) = window_position::to_open(settings.size, last, factor, desktop.size);
    let mut name = session.name();
    name.retain(|letter| !letter.is_control());
    let window = new_window(&name, size, at).map_err(WindowError::Display)?;
    drop(desktop);
    let (sender, commands) = channel();
    let scenario = session.path().to_owned();
    let unread = keys_file::use_own_keys().err().or(unread);
    opening::name_reference(&mut session);
    let (player, shared, host) = new_player(session, settings, &sender, unread);
    if settings.is_paused {
        let _ = sender.send(PlayerCommand::TogglePause);
    }
    let done = sender.clone();
    let (playing, thread_errors) = play_on_thread(player, commands, settings.threads);
    let mut recorder = Recorder::new(scenario.clone(), settings.record_to.clone(), sender.clone());
    let mut window_loop = WindowLoop::new(
        window,
        settings,
        Scale::new(size, factor),
        Arc::clone(&shared),
        sender,
        &mut recorder,
        host,
    );
    window_loop.ui.other_scenarios = OtherScenarios::of(&scenario);
    window_position::restore_sizes(last, &mut window_loop.ui);
    window_loop.find_left_copies();
    let (on_lost, say, last) = (settings.on_lost, settings.say, Arc::clone(&shared));
    let unwritten = window_loop.unwritten.clone();
    let report_unwritten = move || {
        unwritten.keep().iter().for_each(|words| say(words));
        if let Some(words) = unwritten_params(last.latest().at_risk(), &scenario) {
            say(&words);
        }
    };
    let (last, report_params) = (Arc::clone(&shared), report_unwritten.clone());
    let report_loss = move || {
        on_lost(last.latest().world.tick);
        report_params();
    };
    let exit_message = ExitMessage::new(report_loss.clone());
    let end = window_loop.run(&playing, &settings.is_interrupted);
    // After a signal there is little time, so what is typed comes first.
    let is_interrupted = end != AfterFrame::Lost && (settings.is_interrupted)();
    if is_interrupted {
        window_loop.keep_typed(&shared.latest());
        report_unwritten();
    }
    let mut unwritten = None;
    if let Some(file) = file.filter(|_| end == AfterFrame::Closed) {
        unwritten = window_loop.position().write(&file).err();
    }
    // Close the window at once, but finish writing files.
    if end == AfterFrame::Lost {
        // Xlib would end the program if it were asked to close a window that does not exist.
        std::mem::forget(window_loop);
        report_loss();
    } else {
        drop(window_loop);
    }
    drop(exit_message);
    let _ = done.send(PlayerCommand::Quit);
    recorder.finish(settings.say);
    let is_done = wait_for_player(&playing, &shared);
    if end != AfterFrame::Lost && !is_interrupted {
        report_unwritten();
    }
    match thread_errors.try_recv() {
        Ok(error) => Err(WindowError::Threads(error)),
        Err(_) if is_done && (end == AfterFrame::NextFrame || playing.join().is_err()) => {
            Err(WindowError::PlayerEnded)
        }
        Err(_) if end == AfterFrame::Lost => Err(WindowError::Lost),
        Err(_) => Ok(unwritten.map(|error| {
            Diagnostic::warning(format!("the place of the window is lost: {}", error.message))
        })),
    }
}

/// Returns a player of a session, its view, and what it shares with editors. `unread` is why the position of the window is not
/// known.
fn new_player(
    session: Session,
    settings: &ViewSettings,
    sender: &Sender<PlayerCommand>,
    unread: Option<Diagnostic>,
) -> (Player, Arc<SharedView>, Option<Arc<Host>>) {
    let scenario = session.path().to_owned();
    let (watch, unwatched) = match watch(&scenario, sender) {
        Ok(watch) => (Some(watch), None),
        Err(error) => (None, Some(error)),
    };
    let (mut player, shared) = Player::new(session, watch);
    if let Some((results, options)) = &settings.results {
        player = player.with_results(Arc::clone(results), options.clone());
    }
    if let Some(error) = unwatched {
        player.notice(
            format!(
                "{}; press {} to read the files again",
                error.message,
                keys::key_of(UiCommand::Reload)
            ),
            true,
        );
    }
    if let Some(error) = unread {
        player.notice(error.message, true);
    }
    let host = match settings.is_sharing.then(|| Host::open(&scenario)) {
        Some(Ok(host)) => Some(Arc::new(host)),
        Some(Err(why)) => {
            player.notice(why, true);
            None
        }
        None => None,
    };
    if let Some(host) = &host {
        let share = sender.clone();
        host.on_reader(move || {
            let _ = share.send(PlayerCommand::Share);
        });
        player.share_with(Arc::clone(host));
    }
    (player, shared, host)
}

/// Lets a player handle commands on a thread of its own, and returns that and what receives the error if it has no threads.
fn play_on_thread(
    player: Player,
    commands: Receiver<PlayerCommand>,
    threads: usize,
) -> (JoinHandle<()>, Receiver<NoThreads>) {
    let (report_error, errors) = channel();
    let playing = thread::spawn(move || {
        if let Err(error) = with_threads(threads, || player.play(commands)) {
            let _ = report_error.send(error);
        }
    });
    (playing, errors)
}

/// Waits until the player has finished writing files, and returns whether it has ended. Does not wait for a long tick.
fn wait_for_player(playing: &JoinHandle<()>, shared: &SharedView) -> bool {
    while !playing.is_finished() {
        let is_computing = |(task, time): (Task, Duration)| task != Task::Save && time > MAX_WAIT;
        if shared.busy().is_some_and(is_computing) {
            return false;
        }
        thread::sleep(POLL);
    }
    true
}

fn watch(path: &Path, sender: &Sender<PlayerCommand>) -> Result<Watch, Diagnostic> {
    let sender = sender.clone();
    Watch::of_scenario(path, move || {
        let _ = sender.send(PlayerCommand::FilesChanged);
    })
}

/// The next step after a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterFrame {
    /// The next frame follows.
    NextFrame,
    /// The person closed the window.
    Closed,
    /// The system closed the window.
    Lost,
}

/// The window and its loop of input and drawing.
struct WindowLoop<'r> {
    window: Window,
    /// Events from the X server; `None` on other systems or if the server does not send them.
    events: Option<Receiver<WindowEvent>>,
    ui: Ui,
    shared: Arc<SharedView>,
    sender: Sender<PlayerCommand>,
    keys: Rc<RefCell<PressedKeys>>,
    picture: Picture,
    pixels: Vec<u32>,
    /// Where the pointer is, in pixels of the layout.
    pointer: Option<Vec2>,
    is_down: [bool; 3],
    is_active: bool,
    is_hidden: bool,
    title: String,
    titled_at: Instant,
    /// The state that was drawn last and when, and whether the window needs drawing for another reason.
    drawn: Option<Arc<ViewState>>,
    drawn_at: Instant,
    is_dirty: bool,
    clipboard: Clipboard,
    recorder: &'r mut Recorder,
    unwritten: UnwrittenFiles,
    /// Shows lines in editors that read what it shares.
    host: Option<Arc<Host>>,
}

impl<'r> WindowLoop<'r> {
    fn new(
        mut window: Window,
        settings: &ViewSettings,
        scale: Scale,
        shared: Arc<SharedView>,
        sender: Sender<PlayerCommand>,
        recorder: &'r mut Recorder,
        host: Option<Arc<Host>>,
    ) -> Self {
        let keys = Rc::new(RefCell::new(PressedKeys::default()));
        window.set_input_callback(Box::new(Keyboard(Rc::clone(&keys))));
        let mut ui = Ui::new(scale.window, settings.is_dark);
        ui.set_scale(scale);
        for command in opening::begin(&mut ui, settings) {
            let _ = sender.send(command);
        }
        ui.open_at_start(&shared.latest());
        ui.explain_command.clone_from(&settings.explain_command);
        Self {
            picture: Picture::new(scale.window, ui.palette().ground),
            ui,
            events: window_events::events(window.get_window_handle() as usize),
            window,
            shared,
            sender,
            keys,
            pixels: Vec::new(),
            pointer: None,
            is_down: [false; 3],
            is_active: false,
            is_hidden: false,
            title: String::new(),
            titled_at: Instant::now(),
            drawn: None,
            drawn_at: Instant::now(),
            is_dirty: true,
            clipboard: Clipboard::default(),
            recorder,
            unwritten: UnwrittenFiles::of_user(),
            host,
        }
    }

    /// Shows frames until the window is closed or the player has ended.
    fn run(&mut self, playing: &JoinHandle<()>, is_interrupted: &dyn Fn() -> bool) -> AfterFrame {
        loop {
            match self.frame() {
                AfterFrame::NextFrame if is_interrupted() => return AfterFrame::Closed,
                AfterFrame::NextFrame if playing.is_finished() => return AfterFrame::NextFrame,
                AfterFrame::NextFrame => {}
                end => return end,
            }
        }
    }

    /// Returns where the window is.
    fn position(&self) -> WindowPosition {
        let corner = corner_of(self.window.get_window_handle() as usize);
        let at = corner.unwrap_or_else(|| {
            let (x, y) = self.window.get_position();
            (x as i32, y as i32)
        });
        WindowPosition::new(&self.ui, at)
    }

    /// Handles one frame and returns what happens next.
    fn frame(&mut self) -> AfterFrame {
        let began = Instant::now();
        let (width, height) = self.window.get_size();
        let size = (width.max(1) as u32, height.max(1) as u32);
        if size != self.ui.scale.window {
            self.ui.set_scale(self.ui.scale.resized(size));
            self.is_dirty = true;
        }
        self.is_dirty |= self.ui.show_due_tip(began);
        let state = self.shared.latest();
        self.is_dirty |= self.ui.advance_files(&state);
        let commands = self.ui.follow(&state);
        self.send(commands);
        self.ui.keep_speeds(&state);
        self.is_dirty |= self.ui.region.keep(&state.world, state.last_tick, state.is_moving());
        let busy = self.shared.busy();
        // Xlib ends the program if it is asked for anything after the server is gone.
        if self.wait_for_events(began, &state) == AfterFrame::Lost {
            return AfterFrame::Lost;
        }
        if !self.is_hidden && self.needs_drawing(&state, busy) {
            self.draw(&state, busy);
        }
        self.window.update();
        self.update_title(&state, busy);
        self.poll_input(&state);
        self.keep_typed(&state);
        for command in std::mem::take(&mut self.ui.window_commands) {
            self.execute(command, state.world.tick);
        }
        let frame = if self.is_hidden { HIDDEN_FRAME } else { FRAME };
        let next = self.wait_for_events(began + frame, &state);
        if next == AfterFrame::NextFrame && !self.window.is_open() {
            self.ask_before_closing(&state);
        }
        if next == AfterFrame::NextFrame && self.ui.is_closing {
            return AfterFrame::Closed;
        }
        next
    }

    /// Does as `q` does when the desktop asks to close the window. `minifb` cannot take that back: if something would be
    /// lost, a new window takes the place of this one.
    fn ask_before_closing(&mut self, state: &ViewState) {
        self.ui.leave(Destination::Quit, state);
        if self.ui.is_closing {
            return;
        }
        let WindowPosition { size, at, .. } = self.position();
        let Ok(mut window) = new_window(&self.title, size, Some(at)) else {
            self.ui.is_closing = true;
            return;
        };
        self.keys.borrow_mut().release_all();
        self.send(vec![PlayerCommand::ReleaseKeys]);
        window.set_input_callback(Box::new(Keyboard(Rc::clone(&self.keys))));
        self.events = window_events::events(window.get_window_handle() as usize);
        self.window = window;
        (self.is_active, self.is_hidden, self.is_dirty) = (false, false, true);
        self.ui.cancel_drag();
        self.ui.release(state);
        self.is_down = [false; 3];
        self.title.clear();
    }

    /// Does what a key or a click has asked of the window.
    fn execute(&mut self, command: WindowCommand, tick: u64) {
        match command {
            WindowCommand::Record => self.recorder.toggle(self.picture.size(), tick),
            WindowCommand::TakePicture => self.recorder.want_picture(),
            WindowCommand::Paste => match self.clipboard.text() {
                Ok(text) => self.ui.paste(&text, &self.shared.latest()),
                Err(error) => self.notice(format!("nothing to paste: {error}"), true),
            },
            WindowCommand::Copy { text, caveat } => {
                let caveat = caveat.map(|caveat| format!(", {caveat}")).unwrap_or_default();
                let copied = self.clipboard.copy(&text);
                let text = text.lines().next().unwrap_or_default();
                match copied {
                    Ok(()) => self.notice(format!("copied: {text}{caveat}"), !caveat.is_empty()),
                    Err(error) => {
                        self.notice(format!("{text}{caveat} (not copied: {error})"), true);
                    }
                }
            }
            WindowCommand::OpenScenario(path) => self.open_scenario(path),
            WindowCommand::EditKeys => match keys_file::path() {
                None => self.notice("there is no folder for settings: set HOME".to_owned(), true),
                Some(path) => match keys_file::create(&path) {
                    Ok(()) => {
                        let file = path.display().to_string();
                        self.execute(WindowCommand::Edit { file, line: 1 }, tick);
                    }
                    Err(error) => self.notice(error.message, true),
                },
            },
            WindowCommand::Edit { file, line }
                if self.host.as_ref().is_some_and(|host| host.show(&file, line)) =>
            {
                self.notice(format!("showing {file}:{line} in your editor"), false);
            }
            WindowCommand::Edit { file, line } => match editor::open(&file, line) {
                Ok(opened) => {
                    self.notice(format!("opening {file}:{line} in {}", opened.name), false);
                    let sender = self.sender.clone();
                    thread::spawn(move || {
                        if let Some(text) = opened.wait() {
                            let _ = sender.send(PlayerCommand::Notice { text, is_failure: true });
                        }
                    });
                }
                Err(text) => self.notice(text, true),
            },
        }
    }

    fn notice(&self, text: String, is_failure: bool) {
        self.send(vec![PlayerCommand::Notice { text, is_failure }]);
    }

    fn draw(&mut self, state: &Arc<ViewState>, busy: Option<(Task, Duration)>) {
        let began = Instant::now();
        self.is_dirty = false;
        self.drawn = Some(Arc::clone(state));
        self.drawn_at = Instant::now();
        self.picture.resize(self.ui.scale.window, self.ui.scale.factor());
        if self.recorder.is_due(began) {
            // Notices come and go: pictures and films are without them.
            let calm = ViewState { notices: Vec::new(), ..(**state).clone() };
            screen(&mut self.picture, &self.ui, &calm, None);
            self.recorder.take(&self.picture, state.world.tick, began);
        }
        self.ui.note_messages(state, busy);
        self.ui.note_param_ranges(state);
        screen(&mut self.picture, &self.ui, state, busy);
        if let Some(mark) = self.recorder.mark() {
            recording_mark(&mut self.picture, &self.ui, state, mark);
        }
        self.picture.copy_rgb(&mut self.pixels);
        let (width, height) = self.picture.size();
        let (width, height) = (width as usize, height as usize);
        // This fails only for a buffer of another size.
        let _ = self.window.update_with_buffer(&self.pixels, width, height);
        // An average, so that the number in the status line can be read.
        self.ui.frame_time = (self.ui.frame_time * 15 + began.elapsed()) / 16;
    }

    /// Returns whether the window would look different. Notices fade, and the time of a long task is counted.
    fn needs_drawing(&self, state: &Arc<ViewState>, busy: Option<(Task, Duration)>) -> bool {
        let is_new = self.drawn.as_ref().is_none_or(|drawn| !Arc::ptr_eq(drawn, state));
        let lasts = |notice: &Notice| notice.is_fading(FRAME * 2);
        let is_busy = busy.is_some_and(|(_, time)| time >= messages::LONG_TASK);
        let is_old = self.events.is_none() && self.drawn_at.elapsed() >= REPAINT;
        let is_due = self.recorder.is_due(Instant::now());
        let is_fading =
            self.ui.pushed.is_some_and(|(.., at)| at.elapsed() < explain::PUSH_TIME + FRAME * 2);
        let has_moved = is_new || is_fading || state.notices.iter().any(lasts);
        self.is_dirty || has_moved || is_busy || is_old || is_due
    }

    /// Waits until a time and handles events meanwhile.
    fn wait_for_events(&mut self, until: Instant, state: &ViewState) -> AfterFrame {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Some(events) = &self.events else {
                if left.is_zero() {
                    return AfterFrame::NextFrame;
                }
                thread::sleep(left.min(POLL));
                self.window.update();
                self.poll_input(state);
                continue;
            };
            match events.recv_timeout(left) {
                Ok(WindowEvent::Lost) => return AfterFrame::Lost,
                Ok(event) => self.handle(event, state),
                Err(RecvTimeoutError::Timeout) => return AfterFrame::NextFrame,
                Err(RecvTimeoutError::Disconnected) => self.events = None,
            }
        }
    }

    fn handle(&mut self, event: WindowEvent, state: &ViewState) {
        self.is_dirty = true;
        let commands = match event {
            WindowEvent::Hidden(is_hidden) => {
                self.is_hidden = is_hidden;
                if is_hidden {
                    // Free the memory; the next visible frame allocates it again.
                    self.pixels = Vec::new();
                    self.picture = Picture::new((1, 1), self.ui.palette().ground);
                }
                vec![PlayerCommand::SetVisible(!is_hidden)]
            }
            WindowEvent::Unfocused => {
                self.keys.borrow_mut().release_all();
                vec![PlayerCommand::ReleaseKeys]
            }
            WindowEvent::Exposed | WindowEvent::Lost => Vec::new(),
            WindowEvent::Press(button, at) => {
                let mut commands = self.move_pointer(Some(at), state);
                commands.extend(self.ui.press(button, state));
                commands
            }
            WindowEvent::Release(button, at) => {
                let mut commands = self.move_pointer(Some(at), state);
                if button != Button::Right {
                    commands.extend(self.ui.release(state));
                }
                commands
            }
            WindowEvent::Wheel(by, at) => {
                let mut commands = self.move_pointer(Some(at), state);
                commands.extend(self.ui.wheel(by, state));
                commands
            }
        };
        self.send(commands);
    }

    fn poll_input(&mut self, state: &ViewState) {
        let mut commands = Vec::new();
        let is_active = self.window.is_active();
        if self.is_active && !is_active {
            self.keys.borrow_mut().release_all();
            commands.push(PlayerCommand::ReleaseKeys);
            self.ui.cancel_drag();
        }
        self.is_active = is_active;
        // Before the other keys: the one that begins the play mode does not count in it.
        let changes = self.keys.borrow_mut().take_changes();
        commands.extend(changes.into_iter().filter_map(|change| play(change, &self.ui, state)));
        let keys = self.keys.borrow_mut().take();
        self.is_dirty |= !keys.is_empty();
        for key in keys {
            commands.extend(press(key, &mut self.ui, state));
        }
        let pointer = self.window.get_unscaled_mouse_pos(MouseMode::Discard);
        let pointer = pointer.map(|(x, y)| Vec2::new(x, y));
        commands.extend(self.move_pointer(pointer, state));
        let buttons = [
            (MouseButton::Left, Button::Left),
            (MouseButton::Middle, Button::Middle),
            (MouseButton::Right, Button::Right),
        ];
        for (i, (button, ours)) in buttons.into_iter().enumerate() {
            let is_down = self.window.get_mouse_down(button);
            self.is_dirty |= is_down != self.is_down[i];
            if is_down && !self.is_down[i] {
                commands.extend(self.ui.press(ours, state));
            } else if !is_down && self.is_down[i] && ours != Button::Right {
                commands.extend(self.ui.release(state));
            }
            self.is_down[i] = is_down;
        }
        if let Some((_, by)) = self.window.get_scroll_wheel().filter(|(_, by)| *by != 0.0) {
            self.is_dirty = true;
            commands.extend(self.ui.wheel(by, state));
        }
        self.send(commands);
    }

    fn send(&self, commands: Vec<PlayerCommand>) {
        for command in commands {
            // If the player has ended, the window is about to close.
            let _ = self.sender.send(command);
        }
    }

    /// Updates the title, which shows the state of a window that is behind others.
    fn update_title(&mut self, state: &ViewState, busy: Option<(Task, Duration)>) {
        if !self.title.is_empty() && self.titled_at.elapsed() < TITLE {
            return;
        }
        self.titled_at = Instant::now();
        let title = title(state, busy);
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }
}
