//! What the window and the desktop tell each other through the X server: how large the screen is, how large the system wants
//! everything to be drawn, where a window is, and to which program it belongs. On other systems nothing is known.

/// The screen that windows are opened on.
#[derive(Default)]
pub(super) struct Desktop {
    /// Width and height, in pixels.
    pub(super) size: Option<(u32, u32)>,
    /// How large everything is to be drawn; `None` if the system is not set to anything.
    pub(super) scale: Option<f32>,
    /// The connection to the server. Some servers restart when their last connection ends, and cannot be reached
    /// meanwhile. So this one must stay until there is a window.
    #[cfg(all(unix, not(target_os = "macos")))]
    _server: Option<x11rb::rust_connection::RustConnection>,
}

#[cfg(all(unix, not(target_os = "macos")))]
pub(super) use x11::{corner_of, introduce};

#[cfg(not(all(unix, not(target_os = "macos"))))]
impl Desktop {
    /// Returns what is known of the screen: nothing on this system.
    pub(super) fn ask() -> Self {
        Self::default()
    }
}

/// Returns `None`: on this system only the window library knows the place of a window.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(super) fn corner_of(_: usize) -> Option<(i32, i32)> {
    None
}

/// Does nothing: other systems know the program by its file.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(super) fn introduce(_: usize, _: (u32, u32)) {}

#[cfg(all(unix, not(target_os = "macos")))]
mod x11 {
    use flockwork_engine::math::Vec2;
    use x11rb::connection::Connection;
    use x11rb::properties::WmSizeHints;
    use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, PropMode};
    use x11rb::resource_manager::{Database, new_from_resource_manager};
    use x11rb::rust_connection::RustConnection;
    use x11rb::wrapper::ConnectionExt as _;

    use super::super::scale::rounded;
    use super::Desktop;
    use crate::draw::{LIGHT, Picture};

    /// The dots per inch at which nothing is drawn larger.
    const NORMAL_DPI: f32 = 96.0;

    impl Desktop {
        /// Returns what the server of this session knows; nothing if there is no server.
        pub(in super::super) fn ask() -> Self {
            let Ok((server, number)) = x11rb::connect(None) else {
                return Self::default();
            };
            let screen = &server.setup().roots[number];
            let resources = new_from_resource_manager(&server).ok().flatten();
            let gdk = std::env::var("GDK_SCALE").ok();
            Self {
                size: Some((screen.width_in_pixels.into(), screen.height_in_pixels.into())),
                scale: scale(resources.as_ref(), gdk.as_deref()),
                _server: Some(server),
            }
        }
    }

    /// Returns how large the system wants everything to be drawn: by `Xft.dpi` of its resources, else by `GDK_SCALE`.
    fn scale(resources: Option<&Database>, gdk: Option<&str>) -> Option<f32> {
        let dpi = resources.and_then(|all| all.get_string("Xft.dpi", ""));
        let dpi = dpi.and_then(number).map(|dpi| dpi / NORMAL_DPI);
        dpi.or_else(|| number(gdk?)).map(rounded)
    }

    fn number(text: &str) -> Option<f32> {
        text.trim().parse().ok().filter(|number: &f32| number.is_finite() && *number > 0.0)
    }

    /// Returns the upper left corner of a window with its frame, where the window manager puts it if it is asked to move the
    /// window there.
    pub(in super::super) fn corner_of(window: usize) -> Option<(i32, i32)> {
        let window = u32::try_from(window).ok()?;
        let (server, number) = x11rb::connect(None).ok()?;
        let root = server.setup().roots[number].root;
        let inner = server.translate_coordinates(window, root, 0, 0).ok()?.reply().ok()?;
        let (left, top) = frame(&server, window).unwrap_or_default();
        Some((i32::from(inner.dst_x) - left, i32::from(inner.dst_y) - top))
    }

    /// Returns the widths of the frame at the left and at the top. `None` if there is no window manager to draw one.
    fn frame(server: &RustConnection, window: u32) -> Option<(i32, i32)> {
        let name = server.intern_atom(false, b"_NET_FRAME_EXTENTS").ok()?.reply().ok()?.atom;
        let asked = server.get_property(false, window, name, AtomEnum::CARDINAL, 0, 4).ok()?;
        let widths: Vec<u32> = asked.reply().ok()?.value32()?.collect();
        // Left, right, top, bottom.
        let [left, _, top, _] = widths[..] else { return None };
        Some((i32::try_from(left).ok()?, i32::try_from(top).ok()?))
    }

    /// Tells the desktop which program a window belongs to, what its icon is, and the smallest size, in pixels. The window library
    /// tells none of this, so a desktop cannot group windows, or end a program that hangs.
    pub(in super::super) fn introduce(window: usize, smallest: (u32, u32)) {
        // A desktop that learns nothing shows the window all the same.
        let _ = u32::try_from(window).ok().and_then(|window| tell(window, smallest));
    }

    fn tell(window: u32, (width, height): (u32, u32)) -> Option<()> {
        let (server, _) = x11rb::connect(None).ok()?;
        let set = |name: &[u8], ty: AtomEnum, values: &[u32]| {
            let name = server.intern_atom(false, name).ok()?.reply().ok()?.atom;
            server.change_property32(PropMode::REPLACE, window, name, ty, values).ok()?;
            Some(())
        };
        // The name of the window among those of the program, and the name of the program.
        let class = b"flockwork\0Flockwork\0";
        server
            .change_property8(
                PropMode::REPLACE,
                window,
                AtomEnum::WM_CLASS,
                AtomEnum::STRING,
                class,
            )
            .ok()?;
        // A process is known by its number and the name of its machine.
        let machine = gethostname::gethostname();
        let (name, machine) = (AtomEnum::WM_CLIENT_MACHINE, machine.as_encoded_bytes());
        server.change_property8(PropMode::REPLACE, window, name, AtomEnum::STRING, machine).ok()?;
        set(b"_NET_WM_PID", AtomEnum::CARDINAL, &[std::process::id()])?;
        set(b"_NET_WM_ICON", AtomEnum::CARDINAL, &icon())?;
        let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
        let hints =
            WmSizeHints { min_size: Some((side(width), side(height))), ..WmSizeHints::new() };
        hints.set_normal_hints(&server, window).ok()?;
        // A reply comes only after the server has done what it was told.
        server.get_input_focus().ok()?.reply().ok()?;
        Some(())
    }

    /// Side of the icon, in pixels.
    const ICON: u32 = 64;

    /// Returns the icon: three agents that fly together. Width, height, then the pixels with their opacity.
    fn icon() -> Vec<u32> {
        let mut picture = Picture::new((ICON, ICON), LIGHT.ground);
        for (i, (x, y)) in [(44.0, 20.0), (20.0, 22.0), (38.0, 46.0)].into_iter().enumerate() {
            let dart = [(14.0, -8.0), (-10.0, -10.0), (-4.0, 0.0), (-4.0, 12.0)];
            let corners = dart.map(|(right, down)| Vec2::new(x + right, y + down));
            picture.polygon(&corners, LIGHT.groups()[i]);
        }
        let mut pixels = Vec::new();
        picture.copy_rgb(&mut pixels);
        [ICON, ICON].into_iter().chain(pixels.into_iter().map(|rgb| rgb | 0xff00_0000)).collect()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_system_s_scale_is_read() {
            let of = |resources: &str, gdk| {
                scale(Some(&Database::new_from_data(resources.as_bytes())), gdk)
            };
            for (resources, gdk, expected) in [
                ("Xft.dpi:\t192\nXft.hinting: 1\n", None, Some(2.0)),
                ("*color1: red\nXft.dpi: 144", Some("3"), Some(1.5)),
                ("Xft.dpi: 96\n", Some("2"), Some(1.0)),
                // Sharp lines are worth more than 2 %.
                ("Xft.dpi: 98\n", None, Some(1.0)),
                ("Xft.dpi: 72\n", None, Some(1.0)),
                ("Xft.dpi: 10000\n", None, Some(4.0)),
                ("Xft.dpi: large\n", None, None),
                ("Xft.dpi: nan\n", Some("2"), Some(2.0)),
                ("Xft.dpi: 0\n", Some("-1"), None),
                ("Xft.rgba: none\n", Some("2"), Some(2.0)),
                ("", Some(""), None),
                ("", None, None),
            ] {
                assert_eq!(of(resources, gdk), expected, "{resources:?}, {gdk:?}");
            }
            assert_eq!(scale(None, Some("2")), Some(2.0));
        }
    }
}
