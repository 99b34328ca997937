//! A page to read, in front of the world: a title and paragraphs, which can be scrolled.

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::panel::Scene;
use super::panel_drawing::{floating_ground, scroll_bar, writer};
use super::panel_states::PanelId;
use super::text_writer::{LINE, PAD, SIZE, SMALL, wrap};
use super::widget::Widget;
use crate::draw::Picture;

/// The contents of a page.
pub(super) struct Page {
    pub(super) title: String,
    pub(super) paragraphs: Vec<Paragraph>,
}

/// A paragraph of a page.
pub(super) struct Paragraph {
    pub(super) text: String,
    /// Whether it is written small.
    pub(super) is_quiet: bool,
}

/// Maximum width, in pixels.
const WIDTH: f32 = 620.0;
/// Height of the title, in pixels.
const TITLE: f32 = 26.0;
/// Distance from the edges of the window, in pixels.
const MARGIN: f32 = 10.0;
/// Height of the gap below a paragraph, in pixels.
const GAP: f32 = 6.0;

impl Page {
    /// Returns the height of all paragraphs in a page of a width.
    fn text_height(&self, width: f32) -> f32 {
        let height = |paragraph: &Paragraph| {
            let size = if paragraph.is_quiet { SMALL } else { SIZE };
            let lines = wrap(&paragraph.text, size, width - 2.0 * PAD).len();
            lines as f32 * LINE * size / SIZE + GAP
        };
        self.paragraphs.iter().map(height).sum()
    }

    /// Returns its area, in the middle of the world.
    pub(super) fn area(&self, scene: &Scene<'_>) -> Area {
        let (width, height) = scene.layout.world;
        let room = Vec2::new(width as f32, height as f32) - 2.0 * MARGIN;
        let width = math::max(math::min(WIDTH, room.x), 1.0);
        let wanted = self.text_height(width) + TITLE + 2.0 * PAD;
        let size = Vec2::new(width, math::max(math::min(wanted, room.y), 1.0));
        let min = (MARGIN + (room - size) / 2.0).max(Vec2::ZERO).floor();
        Area { min, max: min + size }
    }

    /// Returns the number of steps that hidden lines can be scrolled by.
    pub(super) fn max_scroll(&self, area: Area) -> f32 {
        let room = area.height() - TITLE - 2.0 * PAD;
        let hidden = self.text_height(area.width()) - room;
        // Less than a pixel is the error of rounding.
        if hidden > 1.0 { (hidden / LINE).ceil() } else { 0.0 }
    }

    pub(super) fn draw(&self, picture: &mut Picture, scene: &Scene<'_>, area: Area, id: PanelId) {
        let palette = scene.palette();
        floating_ground(picture, area, palette, 255);
        let mut writer = writer(picture, area);
        writer.title(writer.left, palette.ink, &self.title);
        writer.gap(TITLE);
        writer.start = writer.base - SIZE;
        let last = self.max_scroll(area);
        let scroll = math::min(scene.ui.panels.scroll(id), last);
        writer.gap(-scroll * LINE);
        for Paragraph { text, is_quiet } in &self.paragraphs {
            let (size, color) =
                if *is_quiet { (SMALL, palette.quiet) } else { (SIZE, palette.ink) };
            writer.wrapped(size, color, text);
            writer.gap(GAP);
        }
        let track = area.between(area.min.y + PAD + TITLE, area.max.y - PAD / 2.0);
        let (above, all) = (scroll * LINE, track.height() + last * LINE);
        scroll_bar(picture, palette, track, above..above + track.height(), all);
    }
}

/// Returns the widget of a page, which scrolls it.
pub(super) fn widgets(area: Area, id: PanelId) -> Vec<Widget> {
    vec![Widget::background(area).tip("esc: close; wheel: scroll").scrolls(id, 1)]
}
