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
use super::keys::{Key, press};
use super::panels;
use super::player::Player;
use super::screen::screen;
use super::shown::{Board, Notice, Shown, Work};
use super::ui::{Button, Ui};
use crate::draw::Picture;

/// From one frame to the next: 60 in a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// From one look at the keys and the mouse to the next. The mouse is only seen where it is by then, and a
/// click is short.
const LOOK: Duration = Duration::from_millis(4);
/// A tick that takes longer is not waited for at the end.
const WAIT: Duration = Duration::from_millis(300);
/// The title is set anew at most once in so many frames.
const TITLE: u64 = 12;

/// Why there is no window.
#[derive(Debug)]
pub(crate) enum NoWindow {
    /// The system gives none.
    Display(minifb::Error),
    /// There is nothing to compute with.
    Threads(flockwork::NoThreads),
    /// What computes has ended by itself, which is a mistake of the program.
    Ended,
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
    let is_broken = loop {
        if !shell.frame() {
            break false;
        }
        if playing.is_finished() {
            break true;
        }
    };
    // The window is gone at once; what is being written is not.
    drop(shell);
    let _ = done.send(Command::Quit);
    while !playing.is_finished() {
        let is_computing = |(work, time): (Work, Duration)| work != Work::Writing && time > WAIT;
        if board.busy().is_some_and(is_computing) {
            return Ok(());
        }
        thread::sleep(LOOK);
    }
    match failed.try_recv() {
        Ok(error) => Err(NoWindow::Threads(error)),
        Err(_) if is_broken || playing.join().is_err() => Err(NoWindow::Ended),
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
    /// What was drawn last, and whether anything has been done to the window since.
    drawn: Option<Arc<Shown>>,
    is_touched: bool,
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
            drawn: None,
            is_touched: true,
        }
    }

    /// One frame; whether there is to be another.
    fn frame(&mut self) -> bool {
        let began = Instant::now();
        let (width, height) = self.window.get_size();
        let size = (width.max(1) as u32, height.max(1) as u32);
        if size != self.ui.size {
            self.ui.resized(size);
            self.is_touched = true;
        }
        let shown = self.board.shown();
        let busy = self.board.busy();
        let is_shown = if self.needs_drawing(&shown, busy) {
            self.is_touched = false;
            self.drawn = Some(Arc::clone(&shown));
            self.picture.resize(size);
            screen(&mut self.picture, &self.ui, &shown, busy);
            self.picture.copy_rgb(&mut self.pixels);
            let (width, height) = self.picture.size();
            let (width, height) = (width as usize, height as usize);
            self.window
                .update_with_buffer(&self.pixels, width, height)
                .is_ok()
        } else {
            self.window.update();
            true
        };
        self.name(&shown, busy);
        self.frames += 1;
        self.input(&shown);
        while began.elapsed() + LOOK < FRAME {
            thread::sleep(LOOK);
            self.window.update();
            self.input(&shown);
        }
        thread::sleep(FRAME.saturating_sub(began.elapsed()));
        is_shown && self.window.is_open() && !self.ui.is_over
    }

    /// Whether the window would look otherwise than it does. Notices fade, and what takes long is counted.
    fn needs_drawing(&self, shown: &Arc<Shown>, busy: Option<(Work, Duration)>) -> bool {
        let is_new = self
            .drawn
            .as_ref()
            .is_none_or(|drawn| !Arc::ptr_eq(drawn, shown));
        let lasts = |notice: &Notice| notice.at.elapsed() < Notice::LASTS + FRAME * 2;
        let is_busy = busy.is_some_and(|(_, time)| time >= panels::LONG);
        self.is_touched || is_new || is_busy || shown.notices.iter().any(lasts)
    }

    fn input(&mut self, shown: &Shown) {
        let mut commands = Vec::new();
        let keys = self.keys.take();
        self.is_touched |= !keys.is_empty();
        for key in keys {
            commands.extend(press(key, &mut self.ui, shown));
        }
        let pointer = self.window.get_unscaled_mouse_pos(MouseMode::Discard);
        let pointer = pointer.map(|(x, y)| Vec2::new(x, y));
        if pointer != self.pointer {
            self.pointer = pointer;
            self.is_touched |= self.ui.is_dragging();
            commands.extend(self.ui.moved(pointer, shown));
        }
        let buttons = [
            (MouseButton::Left, Button::Left),
            (MouseButton::Right, Button::Right),
        ];
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
        for command in commands {
            // Where nobody listens any more the window is about to close.
            let _ = self.tell.send(command);
        }
    }

    /// The title says what a person wants to know of a window that is behind others.
    fn name(&mut self, shown: &Shown, busy: Option<(Work, Duration)>) {
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
fn title(shown: &Shown, busy: Option<(Work, Duration)>) -> String {
    let state = match (shown.hash, shown.target) {
        (Some(hash), _) => format!("paused - {hash:016x}"),
        (None, Some(target)) => format!("going to {target}"),
        (None, None) => panels::speed(shown.speed),
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
