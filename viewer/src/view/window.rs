//! The window itself: brings keys and the mouse in, and pixels out.

mod keyboard;
mod last_words;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flockwork_engine::live::Session;
use flockwork_engine::load::Watch;
use flockwork_engine::math::Vec2;
use flockwork_engine::{Diagnostic, with_threads};
use minifb::{MouseButton, MouseMode, ScaleMode, Window, WindowOptions};

use keyboard::{Held, Keyboard};
use last_words::LastWords;

use super::command::Command;
use super::keys::press;
use super::panels;
use super::player::Player;
use super::screen::screen;
use super::server::{self, Event};
use super::shown::{Board, Notice, Shown, Work};
use super::ui::{Button, Ui};
use crate::draw::Picture;

/// From one frame to the next: 60 in a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// From one look at the keys to the next while nothing of the window can be seen.
const HIDDEN_FRAME: Duration = Duration::from_millis(100);
/// From one look at the mouse to the next where the server does not tell of clicks: they are short.
const LOOK: Duration = Duration::from_millis(4);
/// From one repaint to the next where the server does not tell when it is needed.
const REPAINT: Duration = Duration::from_millis(500);
/// A tick that takes longer is not waited for at the end.
const WAIT: Duration = Duration::from_millis(300);
/// The title is set anew at most this often.
const TITLE: Duration = Duration::from_millis(200);

/// Why there is no window.
#[derive(Debug)]
pub(crate) enum NoWindow {
    /// The system gives none.
    Display(minifb::Error),
    /// There is nothing to compute with.
    Threads(flockwork_engine::NoThreads),
    /// What computes has ended by itself, which is a mistake of the program.
    Ended,
    /// The system has taken it away while it was open, which has been said.
    Gone,
}

/// How the window begins.
pub(crate) struct Look {
    pub size: (u32, u32),
    pub is_dark: bool,
    pub is_paused: bool,
    pub threads: usize,
    /// Says that the window was taken away from outside, at a tick. Where that ends the program, it is said on the way.
    pub gone: fn(u64),
}

/// Shows a session until the window is closed.
///
/// # Errors
///
/// If there is no display, or no threads.
pub(crate) fn open(session: Session, look: &Look) -> Result<(), NoWindow> {
    // First, since without it nothing else is of use.
    let (width, height) = look.size;
    let options = WindowOptions {
        resize: true,
        scale_mode: ScaleMode::UpperLeft,
        ..WindowOptions::default()
    };
    let mut name = session.name();
    name.retain(|letter| !letter.is_control());
    let mut window =
        Window::new(&name, width as usize, height as usize, options).map_err(NoWindow::Display)?;
    // It would sleep through what the mouse does.
    window.set_target_fps(0);
    let (tell, commands) = channel();
    let watch = watch(session.path(), &tell);
    let (watch, unwatched) = match watch {
        Ok(watch) => (Some(watch), None),
        Err(error) => (None, Some(error)),
    };
    let (mut player, board) = Player::new(session, watch);
    if let Some(error) = unwatched {
        player.notice(format!("{}; F5 reads them again", error.message), true);
    }
    if look.is_paused {
        let _ = tell.send(Command::Toggle);
    }
    let (threads, done) = (look.threads, tell.clone());
    let (said, failed) = channel();
    let playing = thread::spawn(move || {
        if let Err(error) = with_threads(threads, || player.play(commands)) {
            let _ = said.send(error);
        }
    });
    let mut shell = Shell::new(window, look, Arc::clone(&board), tell);
    let (gone, last) = (look.gone, Arc::clone(&board));
    let gone = move || gone(last.shown().world.tick);
    let last_words = LastWords::new(gone.clone());
    let end = loop {
        match shell.frame() {
            Next::Frame if playing.is_finished() => break Next::Frame,
            Next::Frame => {}
            end => break end,
        }
    };
    // The window is gone at once; what is being written is not.
    if end == Next::Gone {
        // Xlib would end the program, if it were asked to close what is no more.
        std::mem::forget(shell);
        gone();
    } else {
        drop(shell);
    }
    drop(last_words);
    let _ = done.send(Command::Quit);
    let is_done = wait_for_player(&playing, &board);
    match failed.try_recv() {
        Ok(error) => Err(NoWindow::Threads(error)),
        Err(_) if is_done && (end == Next::Frame || playing.join().is_err()) => {
            Err(NoWindow::Ended)
        }
        Err(_) if end == Next::Gone => Err(NoWindow::Gone),
        Err(_) => Ok(()),
    }
}

/// Waits until nothing is written any more; whether the player has ended. A tick may take too long to wait for it.
fn wait_for_player(playing: &JoinHandle<()>, board: &Board) -> bool {
    while !playing.is_finished() {
        let is_computing = |(work, time): (Work, Duration)| work != Work::Writing && time > WAIT;
        if board.busy().is_some_and(is_computing) {
            return false;
        }
        thread::sleep(LOOK);
    }
    true
}

fn watch(path: &Path, tell: &Sender<Command>) -> Result<Watch, Diagnostic> {
    let tell = tell.clone();
    Watch::of_scenario(path, move || {
        let _ = tell.send(Command::Changed);
    })
}

/// What comes after a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Another frame.
    Frame,
    /// Nothing: somebody has closed the window.
    Closed,
    /// Nothing: the system has taken it away.
    Gone,
}

/// The window with what is in it.
struct Shell {
    window: Window,
    /// What the server says of it; none where nobody tells.
    events: Option<Receiver<Event>>,
    ui: Ui,
    board: Arc<Board>,
    tell: Sender<Command>,
    keys: Rc<RefCell<Held>>,
    picture: Picture,
    pixels: Vec<u32>,
    pointer: Option<Vec2>,
    is_down: [bool; 2],
    is_active: bool,
    is_hidden: bool,
    title: String,
    titled: Instant,
    /// What was drawn last and when, and whether anything has been done to the window since.
    drawn: Option<Arc<Shown>>,
    drawn_at: Instant,
    is_touched: bool,
}

impl Shell {
    fn new(mut window: Window, look: &Look, board: Arc<Board>, tell: Sender<Command>) -> Self {
        let keys = Rc::new(RefCell::new(Held::default()));
        window.set_input_callback(Box::new(Keyboard(Rc::clone(&keys))));
        let ui = Ui::new(look.size, look.is_dark);
        Self {
            picture: Picture::new(look.size, ui.palette().ground),
            ui,
            events: server::events(window.get_window_handle() as usize),
            window,
            board,
            tell,
            keys,
            pixels: Vec::new(),
            pointer: None,
            is_down: [false; 2],
            is_active: false,
            is_hidden: false,
            title: String::new(),
            titled: Instant::now(),
            drawn: None,
            drawn_at: Instant::now(),
            is_touched: true,
        }
    }

    /// One frame, and what comes after it.
    fn frame(&mut self) -> Next {
        let began = Instant::now();
        let (width, height) = self.window.get_size();
        let size = (width.max(1) as u32, height.max(1) as u32);
        if size != self.ui.size {
            self.ui.resized(size);
            self.is_touched = true;
        }
        let shown = self.board.shown();
        let busy = self.board.busy();
        // Xlib ends the program if it is asked for anything after the server has gone.
        if self.hear(began, &shown) == Next::Gone {
            return Next::Gone;
        }
        if !self.is_hidden && self.needs_drawing(&shown, busy) {
            self.draw(&shown, busy);
        }
        self.window.update();
        self.name(&shown, busy);
        self.input(&shown);
        let frame = if self.is_hidden { HIDDEN_FRAME } else { FRAME };
        let next = self.hear(began + frame, &shown);
        if next == Next::Frame && (self.ui.is_over || !self.window.is_open()) {
            return Next::Closed;
        }
        next
    }

    fn draw(&mut self, shown: &Arc<Shown>, busy: Option<(Work, Duration)>) {
        self.is_touched = false;
        self.drawn = Some(Arc::clone(shown));
        self.drawn_at = Instant::now();
        self.picture.resize(self.ui.size);
        screen(&mut self.picture, &self.ui, shown, busy);
        self.picture.copy_rgb(&mut self.pixels);
        let (width, height) = self.picture.size();
        let (width, height) = (width as usize, height as usize);
        // It fails only for a buffer of another size.
        let _ = self.window.update_with_buffer(&self.pixels, width, height);
    }

    /// Whether the window would look otherwise than it does. Notices fade, and what takes long is counted.
    fn needs_drawing(&self, shown: &Arc<Shown>, busy: Option<(Work, Duration)>) -> bool {
        let is_new = self.drawn.as_ref().is_none_or(|drawn| !Arc::ptr_eq(drawn, shown));
        let lasts = |notice: &Notice| notice.at.elapsed() < Notice::LASTS + FRAME * 2;
        let is_busy = busy.is_some_and(|(_, time)| time >= panels::LONG);
        let is_old = self.events.is_none() && self.drawn_at.elapsed() >= REPAINT;
        self.is_touched || is_new || is_busy || is_old || shown.notices.iter().any(lasts)
    }

    /// Waits, and does what the server tells of meanwhile.
    fn hear(&mut self, until: Instant, shown: &Shown) -> Next {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Some(events) = &self.events else {
                if left.is_zero() {
                    return Next::Frame;
                }
                thread::sleep(left.min(LOOK));
                self.window.update();
                self.input(shown);
                continue;
            };
            match events.recv_timeout(left) {
                Ok(Event::Gone) => return Next::Gone,
                Ok(event) => self.happened(event, shown),
                Err(RecvTimeoutError::Timeout) => return Next::Frame,
                Err(RecvTimeoutError::Disconnected) => self.events = None,
            }
        }
    }

    fn happened(&mut self, event: Event, shown: &Shown) {
        self.is_touched = true;
        let commands = match event {
            Event::Hidden(is_hidden) => {
                self.is_hidden = is_hidden;
                if is_hidden {
                    // They are made again when somebody looks.
                    self.pixels = Vec::new();
                    self.picture = Picture::new((1, 1), self.ui.palette().ground);
                }
                vec![Command::Seen(!is_hidden)]
            }
            Event::Unfocused => {
                self.keys.borrow_mut().release_all();
                Vec::new()
            }
            Event::Exposed | Event::Gone => Vec::new(),
            Event::Press(button, at) => {
                let mut commands = self.point(Some(at), shown);
                commands.extend(self.ui.press(button, shown));
                commands
            }
            Event::Release(button, at) => {
                let mut commands = self.point(Some(at), shown);
                if button == Button::Left {
                    commands.extend(self.ui.release(shown));
                }
                commands
            }
            Event::Wheel(by, at) => {
                let mut commands = self.point(Some(at), shown);
                commands.extend(self.ui.wheel(by, shown));
                commands
            }
        };
        self.ask(commands);
    }

    /// The pointer is at a place, or has left the window.
    fn point(&mut self, at: Option<Vec2>, shown: &Shown) -> Vec<Command> {
        if at == self.pointer {
            return Vec::new();
        }
        self.pointer = at;
        self.is_touched |= self.ui.is_dragging();
        self.ui.moved(at, shown)
    }

    fn input(&mut self, shown: &Shown) {
        let mut commands = Vec::new();
        let is_active = self.window.is_active();
        if self.is_active && !is_active {
            self.keys.borrow_mut().release_all();
        }
        self.is_active = is_active;
        let keys = self.keys.borrow_mut().take();
        self.is_touched |= !keys.is_empty();
        for key in keys {
            commands.extend(press(key, &mut self.ui, shown));
        }
        let pointer = self.window.get_unscaled_mouse_pos(MouseMode::Discard);
        let pointer = pointer.map(|(x, y)| Vec2::new(x, y));
        commands.extend(self.point(pointer, shown));
        let buttons = [(MouseButton::Left, Button::Left), (MouseButton::Right, Button::Right)];
        for (i, (button, ours)) in buttons.into_iter().enumerate() {
            let is_down = self.window.get_mouse_down(button);
            self.is_touched |= is_down != self.is_down[i];
            if is_down && !self.is_down[i] {
                commands.extend(self.ui.press(ours, shown));
            } else if !is_down && self.is_down[i] && ours == Button::Left {
                commands.extend(self.ui.release(shown));
            }
            self.is_down[i] = is_down;
        }
        if let Some((_, by)) = self.window.get_scroll_wheel().filter(|(_, by)| *by != 0.0) {
            self.is_touched = true;
            commands.extend(self.ui.wheel(by, shown));
        }
        self.ask(commands);
    }

    fn ask(&self, commands: Vec<Command>) {
        for command in commands {
            // Where nobody listens any more the window is about to close.
            let _ = self.tell.send(command);
        }
    }

    /// The title says what a person wants to know of a window that is behind others.
    fn name(&mut self, shown: &Shown, busy: Option<(Work, Duration)>) {
        if !self.title.is_empty() && self.titled.elapsed() < TITLE {
            return;
        }
        self.titled = Instant::now();
        let title = title(shown, busy);
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }
}

/// What a window is called. Plain letters only: window managers read titles in several ways.
fn title(shown: &Shown, busy: Option<(Work, Duration)>) -> String {
    let state = match (shown.hash, shown.target) {
        (Some(hash), _) => format!("paused - {hash:016x}"),
        (None, Some(target)) => format!("going to {target}"),
        (None, None) => panels::speed(shown.speed, shown.reached),
    };
    let mut title = format!("{} - tick {} - {state}", shown.name, shown.world.tick);
    if !shown.errors.is_empty() {
        title += " - does not run";
    }
    if busy.is_some_and(|(_, time)| time >= panels::LONG) {
        title += " - busy";
    }
    title.retain(|letter| !letter.is_control());
    title
}
