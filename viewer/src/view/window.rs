//! The window itself: brings keys and the mouse in, and pixels out.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use flockwork::live::Session;
use flockwork::load::Watch;
use flockwork::math::Vec2;
use flockwork::{Diagnostic, with_threads};
use minifb::{InputCallback, MouseButton, MouseMode, ScaleMode, Window, WindowOptions};

use super::command::Command;
use super::keys::Key;
use super::player::Player;
use super::screen::screen;
use super::shown::{Board, Shown};
use super::ui::{Button, Ui};
use crate::draw::Picture;

/// From one frame to the next: 60 in a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// From one look at the keys and the mouse to the next. The mouse is only seen where it is by then, and a
/// click is short.
const LOOK: Duration = Duration::from_millis(4);
/// The title is set anew at most once in so many frames.
const TITLE: u64 = 12;

/// Why there is no window.
#[derive(Debug)]
pub(crate) enum NoWindow {
    /// The system gives none.
    Display(minifb::Error),
    /// There is nothing to compute with.
    Threads(flockwork::NoThreads),
}

/// How the window begins.
pub(crate) struct Look {
    pub size: (u32, u32),
    pub is_dark: bool,
    pub is_paused: bool,
    pub threads: usize,
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
    let mut window = Window::new(&session.name(), width as usize, height as usize, options)
        .map_err(NoWindow::Display)?;
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
    let mut shell = Shell::new(window, look, board, tell);
    while shell.frame() && !playing.is_finished() {}
    let _ = done.send(Command::Quit);
    match failed.try_recv() {
        Ok(error) => Err(NoWindow::Threads(error)),
        // A tick that takes long is not waited for.
        Err(_) => Ok(()),
    }
}

fn watch(path: &Path, tell: &Sender<Command>) -> Result<Watch, Diagnostic> {
    let tell = tell.clone();
    Watch::of_scenario(path, move || {
        let _ = tell.send(Command::Changed);
    })
}

/// The window with what is in it.
struct Shell {
    window: Window,
    ui: Ui,
    board: Arc<Board>,
    tell: Sender<Command>,
    keys: Rc<RefCell<Vec<Key>>>,
    picture: Picture,
    pixels: Vec<u32>,
    pointer: Option<Vec2>,
    is_down: [bool; 2],
    frames: u64,
    title: String,
}

impl Shell {
    fn new(mut window: Window, look: &Look, board: Arc<Board>, tell: Sender<Command>) -> Self {
        let keys = Rc::new(RefCell::new(Vec::new()));
        window.set_input_callback(Box::new(Keyboard(Rc::clone(&keys))));
        let ui = Ui::new(look.size, look.is_dark);
        Self {
            picture: Picture::new(look.size, ui.palette().ground),
            ui,
            window,
            board,
            tell,
            keys,
            pixels: Vec::new(),
            pointer: None,
            is_down: [false; 2],
            frames: 0,
            title: String::new(),
        }
    }

    /// One frame; whether there is to be another.
    fn frame(&mut self) -> bool {
        let began = Instant::now();
        let (width, height) = self.window.get_size();
        let size = (width.max(1) as u32, height.max(1) as u32);
        if size != self.ui.size {
            self.ui.resized(size);
        }
        let shown = self.board.shown();
        let busy = self.board.busy_since().map(|since| since.elapsed());
        self.picture.resize(size);
        screen(&mut self.picture, &self.ui, &shown, busy);
        self.picture.copy_rgb(&mut self.pixels);
        self.name(&shown, busy);
        let (width, height) = self.picture.size();
        let drawn = self
            .window
            .update_with_buffer(&self.pixels, width as usize, height as usize);
        self.frames += 1;
        self.input(&shown);
        while began.elapsed() + LOOK < FRAME {
            thread::sleep(LOOK);
            self.window.update();
            self.input(&shown);
        }
        thread::sleep(FRAME.saturating_sub(began.elapsed()));
        drawn.is_ok() && self.window.is_open() && !self.ui.is_over
    }

    fn input(&mut self, shown: &Shown) {
        let mut commands = Vec::new();
        for key in self.keys.borrow_mut().drain(..) {
            commands.extend(self.ui.key(key, shown));
        }
        let pointer = self.window.get_unscaled_mouse_pos(MouseMode::Discard);
        let pointer = pointer.map(|(x, y)| Vec2::new(x, y));
        if pointer != self.pointer {
            self.pointer = pointer;
            commands.extend(self.ui.moved(pointer, shown));
        }
        let buttons = [
            (MouseButton::Left, Button::Left),
            (MouseButton::Right, Button::Right),
        ];
        for (i, (button, ours)) in buttons.into_iter().enumerate() {
            let is_down = self.window.get_mouse_down(button);
            if is_down && !self.is_down[i] {
                commands.extend(self.ui.press(ours, shown));
            } else if !is_down && self.is_down[i] && ours == Button::Left {
                commands.extend(self.ui.release(shown));
            }
            self.is_down[i] = is_down;
        }
        if let Some((_, by)) = self.window.get_scroll_wheel().filter(|(_, by)| *by != 0.0) {
            commands.extend(self.ui.wheel(by, shown));
        }
        for command in commands {
            // Where nobody listens any more the window is about to close.
            let _ = self.tell.send(command);
        }
    }

    /// The title says what a person wants to know of a window that is behind others.
    fn name(&mut self, shown: &Shown, busy: Option<Duration>) {
        if !self.frames.is_multiple_of(TITLE) {
            return;
        }
        let title = title(shown, busy);
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }
}

/// What a window is called. Plain letters only: window managers read titles in several ways.
fn title(shown: &Shown, busy: Option<Duration>) -> String {
    let state = match (shown.hash, shown.target) {
        (Some(hash), _) => format!("paused - {hash:016x}"),
        (None, Some(target)) => format!("going to {target}"),
        (None, None) => super::panels::speed(shown.speed),
    };
    let mut title = format!("{} - tick {} - {state}", shown.name, shown.world.tick);
    if !shown.errors.is_empty() {
        title += " - does not run";
    }
    if busy.is_some_and(|busy| busy.as_secs_f32() > 0.7) {
        title += " - busy";
    }
    title
}

/// Keeps the keys that go down between two frames: polling would lose the quick ones.
struct Keyboard(Rc<RefCell<Vec<Key>>>);

impl InputCallback for Keyboard {
    fn add_char(&mut self, letter: u32) {
        if let Some(letter) = char::from_u32(letter).filter(|letter| !letter.is_control()) {
            self.0
                .borrow_mut()
                .push(Key::Char(letter.to_ascii_lowercase()));
        }
    }

    fn set_key_state(&mut self, key: minifb::Key, is_down: bool) {
        let key = match key {
            minifb::Key::Left => Key::Left,
            minifb::Key::Right => Key::Right,
            minifb::Key::Up => Key::Up,
            minifb::Key::Down => Key::Down,
            minifb::Key::Home => Key::Home,
            minifb::Key::End => Key::End,
            minifb::Key::Enter | minifb::Key::NumPadEnter => Key::Enter,
            minifb::Key::Escape => Key::Escape,
            minifb::Key::Backspace => Key::Backspace,
            minifb::Key::Tab => Key::Tab,
            minifb::Key::F5 => Key::F5,
            _ => return,
        };
        if is_down {
            self.0.borrow_mut().push(key);
        }
    }
}
