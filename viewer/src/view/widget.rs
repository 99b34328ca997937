//! Widgets: the parts of the window that do something when they are clicked.

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::icon::Icon;
use super::key::KeyBinding;
use super::panel_states::PanelId;
use super::pointer_shape::PointerShape;
use super::ui_command::UiCommand;
use crate::draw::{Palette, Picture};

/// A part of a panel that does something. It is drawn and hit in the same area.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Widget {
    pub(super) area: Area,
    /// The icon to draw; `None` if the panel draws the widget.
    pub(super) icon: Option<Icon>,
    /// The command of a click, if it has one.
    pub(super) click: Option<UiCommand>,
    /// The command of a click with the right button, if it has one.
    pub(super) right_click: Option<UiCommand>,
    /// The commands of the wheel, if it has any: away from the person, and towards the person.
    pub(super) wheel: Option<[UiCommand; 2]>,
    /// Whether the click counts at once and again for each movement, as on a slider.
    pub(super) is_slider: bool,
    /// Whether it would do something, but cannot now. Its tooltip says why, at once.
    pub(super) is_gray: bool,
    tip: Option<String>,
    /// The key that does the same. The frame looks it up.
    pub(super) key: Option<&'static KeyBinding>,
}

impl Widget {
    /// The smallest width and height, in pixels.
    pub(super) const MIN_SIDE: f32 = 24.0;

    /// Returns a button with an icon. Its tooltip says what the key of the command does.
    pub(super) fn button(area: Area, icon: Icon, click: UiCommand) -> Self {
        Self { icon: Some(icon), ..Self::clickable(area, click) }
    }

    /// Returns a part that can be clicked and that the panel draws. Its tooltip says what the key of the command does, if it has one.
    pub(super) fn clickable(area: Area, click: UiCommand) -> Self {
        Self { click: Some(click), ..Self::background(area) }
    }

    /// Returns a part that only the wheel may do something with.
    pub(super) fn background(area: Area) -> Self {
        let (is_slider, is_gray) = (false, false);
        Self {
            area,
            icon: None,
            click: None,
            right_click: None,
            wheel: None,
            is_slider,
            is_gray,
            tip: None,
            key: None,
        }
    }

    /// Returns a part that does nothing now, and says why.
    pub(super) fn gray(area: Area, why: String) -> Self {
        Self { is_gray: true, ..Self::background(area).tip(why) }
    }

    /// Sets what the tooltip says.
    pub(super) fn tip(self, words: impl Into<String>) -> Self {
        Self { tip: Some(words.into()), ..self }
    }

    /// Sets what a click with the right button does.
    pub(super) fn right_click(self, command: UiCommand) -> Self {
        Self { right_click: Some(command), ..self }
    }

    /// Sets what the wheel does: away from the person, and towards the person.
    pub(super) fn wheel(self, away: UiCommand, towards: UiCommand) -> Self {
        Self { wheel: Some([away, towards]), ..self }
    }

    /// Makes the wheel scroll a panel by some steps: up if it turns away from the person. With a negative number, it scrolls down then.
    pub(super) fn scrolls(self, panel: PanelId, steps: i32) -> Self {
        self.wheel(UiCommand::Scroll(panel, -steps), UiCommand::Scroll(panel, steps))
    }

    /// Makes the click count at once, and again for each movement of the pointer until the button is released.
    pub(super) fn slider(self) -> Self {
        Self { is_slider: true, ..self }
    }

    /// Returns what the tooltip says, and the name of the key that does the same.
    pub(super) fn tip_words(&self) -> (Option<&str>, Option<&'static str>) {
        let words = self.tip.as_deref().or(self.key.map(|key| key.does));
        (words, self.key.map(|key| key.label.as_str()).filter(|label| !label.is_empty()))
    }

    /// Draws the widget; `is_hot` if the pointer is on it.
    pub(super) fn draw(&self, picture: &mut Picture, palette: &Palette, is_hot: bool) {
        let shape = self.click.map(PointerShape::of_command);
        // Text and the time bar show in their own way where the pointer is.
        let is_edge = matches!(shape, Some(PointerShape::Sideways | PointerShape::UpDown));
        if is_hot && self.click.is_some() && (is_edge || !self.is_slider) {
            let alpha = if self.icon.is_some() { 34 } else { 20 };
            picture.fill_rect(self.area.min, self.area.max, palette.ink.alpha(alpha));
        }
        if let Some(icon) = self.icon {
            let middle = ((self.area.min + self.area.max) / 2.0).floor();
            let size = self.area.max - self.area.min;
            // In a window without room, icons are not drawn over each other.
            if math::min(size.x, size.y) >= Self::MIN_SIDE {
                icon.draw(picture, middle, palette.ink);
            }
        }
    }
}

/// Returns areas of the same size beside each other, in pixels.
pub(super) fn row_of<const COUNT: usize>(at: Vec2, size: Vec2) -> [Area; COUNT] {
    std::array::from_fn(|i| {
        let min = at + Vec2::new(i as f32 * size.x, 0.0);
        Area { min, max: min + size }
    })
}
