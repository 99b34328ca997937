//! The properties of the screen that the X server reports: how large it is, how large the system wants everything to be
//! drawn, and where a window is. On other systems nothing is known.

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
pub(super) use x11::corner_of;

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

#[cfg(all(unix, not(target_os = "macos")))]
mod x11 {
    use x11rb::connection::Connection;
    use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};
    use x11rb::resource_manager::{Database, new_from_resource_manager};
    use x11rb::rust_connection::RustConnection;

    use super::super::scale::rounded;
    use super::Desktop;

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
