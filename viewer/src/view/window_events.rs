//! Events of the window from the X server that `minifb` does not pass on: when it has to be painted again, whether it is
//! visible, each press and release of a button, and the end of the server.
//!
//! Owns a second connection to the server, on a thread that only waits. On other systems there are no such events, and the
//! window relies on `minifb`.

use flockwork_engine::math::Vec2;

use super::ui::Button;

/// An event of the window.
#[cfg_attr(
    not(all(unix, not(target_os = "macos"))),
    expect(dead_code, reason = "only the X server sends these events")
)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WindowEvent {
    /// A part that was covered is visible again, and blank.
    Exposed,
    /// Whether the whole window is hidden.
    Hidden(bool),
    /// The window lost the keyboard focus.
    Unfocused,
    /// A button went down, at a point in pixels.
    Press(Button, Vec2),
    /// A button went up, at a point in pixels.
    Release(Button, Vec2),
    /// The wheel turned by a step, at a point in pixels; positive is away from the person.
    Wheel(f32, Vec2),
    /// The server has ended, or another program has destroyed the window.
    Lost,
}

#[cfg(all(unix, not(target_os = "macos")))]
pub(super) use x11::events;

/// Returns `None`: there are no events on this system.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(super) fn events(_: usize) -> Option<std::sync::mpsc::Receiver<WindowEvent>> {
    None
}

#[cfg(all(unix, not(target_os = "macos")))]
mod x11 {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;

    use flockwork_engine::math::Vec2;
    use x11rb::connection::Connection;
    use x11rb::protocol;
    use x11rb::protocol::xinput::{
        self, ButtonPressEvent, ConnectionExt as _, Device, XIEventMask,
    };
    use x11rb::protocol::xproto::{
        AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, NotifyDetail, Property,
        Visibility,
    };
    use x11rb::rust_connection::RustConnection;

    use super::{Button, WindowEvent};

    /// Maximum number of window states that are read; about a dozen states exist.
    const MAX_STATES: u32 = 64;

    /// Starts to listen to the events of a window. `None` if the server refuses a second connection: then the window relies
    /// on `minifb`.
    pub(in super::super) fn events(window: usize) -> Option<Receiver<WindowEvent>> {
        let listener = Listener::new(u32::try_from(window).ok()?)?;
        let (sender, events) = channel();
        thread::spawn(move || listener.listen(&sender));
        Some(events)
    }

    /// A connection that receives the events of a window.
    struct Listener {
        server: RustConnection,
        window: u32,
        /// Atom of the property that lists the states of a window.
        states: u32,
        /// Atom of the state of a minimized window.
        hidden: u32,
        /// Whether the window is on no screen.
        is_unmapped: bool,
        is_minimized: bool,
        /// Whether other windows cover all of it.
        is_covered: bool,
    }

    impl Listener {
        fn new(window: u32) -> Option<Self> {
            let (server, _) = x11rb::connect(None).ok()?;
            let events = EventMask::EXPOSURE
                | EventMask::VISIBILITY_CHANGE
                | EventMask::STRUCTURE_NOTIFY
                | EventMask::PROPERTY_CHANGE
                | EventMask::FOCUS_CHANGE;
            let selection = ChangeWindowAttributesAux::new().event_mask(events);
            let asked = server.change_window_attributes(window, &selection).ok()?;
            asked.check().ok()?;
            let atom = |name: &[u8]| {
                let asked = server.intern_atom(false, name).ok()?;
                Some(asked.reply().ok()?.atom)
            };
            let (states, hidden) = (atom(b"_NET_WM_STATE")?, atom(b"_NET_WM_STATE_HIDDEN")?);
            let this = Self {
                server,
                window,
                states,
                hidden,
                is_unmapped: false,
                is_minimized: false,
                is_covered: false,
            };
            // If this fails, clicks come from `minifb`, which loses short ones.
            let _ = this.take_buttons();
            Some(this)
        }

        /// Asks for mouse buttons through the input extension, which delivers them to this connection. `minifb` only keeps
        /// whether a button is down, so it loses a press and a release between two looks.
        fn take_buttons(&self) -> Option<()> {
            let version = self.server.xinput_xi_query_version(2, 0).ok()?;
            version.reply().ok()?;
            let buttons = xinput::EventMask {
                deviceid: Device::ALL_MASTER.into(),
                mask: vec![XIEventMask::BUTTON_PRESS | XIEventMask::BUTTON_RELEASE],
            };
            let window = self.window;
            let asked = self.server.xinput_xi_select_events(window, &[buttons]);
            asked.ok()?.check().ok()
        }

        /// Passes events on until the receiver or the server is gone.
        fn listen(mut self, sender: &Sender<WindowEvent>) {
            loop {
                let event = match self.server.wait_for_event() {
                    Ok(event) => self.translate(&event),
                    Err(_) => Some(WindowEvent::Lost),
                };
                let Some(event) = event else { continue };
                if sender.send(event).is_err() || event == WindowEvent::Lost {
                    return;
                }
            }
        }

        fn translate(&mut self, event: &protocol::Event) -> Option<WindowEvent> {
            let was_hidden = self.is_hidden();
            match event {
                // More expose events of the same change follow.
                protocol::Event::Expose(expose) if expose.count > 0 => return None,
                protocol::Event::Expose(_) => return Some(WindowEvent::Exposed),
                // When the focus goes from no window to this one, the server says this first. Handled late, it would release keys that
                // went down after it.
                protocol::Event::FocusOut(focus) if focus.detail == NotifyDetail::POINTER => {}
                protocol::Event::FocusOut(_) => return Some(WindowEvent::Unfocused),
                protocol::Event::XinputButtonPress(button) => return pressed(button, true),
                protocol::Event::XinputButtonRelease(button) => return pressed(button, false),
                protocol::Event::DestroyNotify(_) => return Some(WindowEvent::Lost),
                protocol::Event::MapNotify(_) => self.is_unmapped = false,
                protocol::Event::UnmapNotify(_) => self.is_unmapped = true,
                protocol::Event::VisibilityNotify(seen) => {
                    self.is_covered = seen.state == Visibility::FULLY_OBSCURED;
                }
                protocol::Event::PropertyNotify(property) if property.atom == self.states => {
                    self.is_minimized =
                        property.state == Property::NEW_VALUE && self.has_hidden_state();
                }
                _ => {}
            }
            let is_hidden = self.is_hidden();
            (is_hidden != was_hidden).then_some(WindowEvent::Hidden(is_hidden))
        }

        fn is_hidden(&self) -> bool {
            self.is_unmapped || self.is_minimized || self.is_covered
        }

        /// Returns whether the window manager has minimized the window: some leave it mapped then, but invisible.
        fn has_hidden_state(&self) -> bool {
            let (any, window) = (AtomEnum::ATOM, self.window);
            let asked = self.server.get_property(false, window, self.states, any, 0, MAX_STATES);
            let answer = asked.ok().and_then(|asked| asked.reply().ok());
            let states = answer.as_ref().and_then(|answer| answer.value32());
            states.is_some_and(|mut states| states.any(|state| state == self.hidden))
        }
    }

    /// Translates a button. Steps of the wheel are buttons that go down and up.
    fn pressed(event: &ButtonPressEvent, is_down: bool) -> Option<WindowEvent> {
        // Fixed-point numbers with 16 fractional bits.
        let pixel = |fixed: i32| (fixed as f32 / 65536.0).floor();
        let at = Vec2::new(pixel(event.event_x), pixel(event.event_y));
        let button = match event.detail {
            1 => Button::Left,
            2 => Button::Middle,
            3 => Button::Right,
            4 if is_down => return Some(WindowEvent::Wheel(1.0, at)),
            5 if is_down => return Some(WindowEvent::Wheel(-1.0, at)),
            _ => return None,
        };
        Some(if is_down {
            WindowEvent::Press(button, at)
        } else {
            WindowEvent::Release(button, at)
        })
    }
}
