//! Messages: a task that takes long, recent notices, and digits that are being typed, in the column if it has room, so that they cover
//! nothing, else in the upper left corner; above the time bar, what scripts printed.

use std::time::{Duration, Instant};

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::icon::Icon;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::frame;
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, cut, wrap};
use super::super::ui_command::UiCommand;
use super::super::view_state::{Notice, Task};
use super::super::widget::Widget;
use super::column;
use crate::draw::{Anchor, Palette, Pen, Picture, text, text_width};

/// A task of the player that takes longer than this is shown.
pub(in super::super) const LONG_TASK: Duration = Duration::from_millis(700);

/// The number of notices that are shown at most beside the world.
const MOST: usize = 3;
/// The same over the world, where they cover agents. The log has the others.
const MOST_OVER_WORLD: usize = 1;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("messages"),
    position: Position::Own(|scene| Some(area(scene))),
    widgets,
    draw,
    is_solid: false,
    ..Panel::DEFAULT
};

/// Returns where notices are: at the end of the column, if it has room for them, else in the upper left corner, below an error.
fn area(scene: &Scene<'_>) -> Area {
    let layout = &scene.layout;
    if let Some(free) = column::free(scene) {
        let inner = Area {
            min: free.min + Vec2::splat(Layout::GAP),
            max: free.max - Vec2::splat(Layout::GAP),
        };
        let end = banners(scene, inner).last().map(|last| last.area.max.y);
        if let Some(end) = end.filter(|end| *end <= inner.max.y) {
            return Area { min: inner.min + Vec2::new(0.0, inner.max.y - end), ..inner };
        }
    }
    Area {
        min: Vec2::new(Layout::GAP, layout.messages),
        max: Vec2::new(layout.world.0 as f32 - Layout::GAP, layout.bottom),
    }
}

/// A message on its own background.
struct Banner {
    words: String,
    is_failure: bool,
    alpha: u8,
    /// What a click does.
    click: Option<UiCommand>,
    /// The index of the notice that a button at its end closes, if a click does something else.
    closes: Option<usize>,
    area: Area,
}

impl Banner {
    /// Returns the area of the button that closes it.
    fn close_area(&self) -> Area {
        let Area { min, max } = self.area;
        Area::new(max.x - CLOSE - 3.0, min.y + 3.0, CLOSE, CLOSE)
    }
}

/// Side of the button that closes a notice, in pixels.
const CLOSE: f32 = Widget::MIN_SIDE;

/// Returns the messages from the top down.
fn banners(scene: &Scene<'_>, area: Area) -> Vec<Banner> {
    let Scene { ui, state, busy, .. } = scene;
    let mut all: Vec<Banner> = Vec::new();
    let mut add = |words: String,
                   is_failure: bool,
                   alpha: u8,
                   click: Option<UiCommand>,
                   closes: Option<usize>| {
        let top = all.last().map_or(area.min.y, |last: &Banner| last.area.max.y + 6.0);
        let end = if closes.is_some() { CLOSE } else { 0.0 };
        let room = math::max(area.width() - 2.0 * PAD - end, 60.0);
        let lines = wrap(&words, SIZE, room);
        let widest = lines.iter().map(|line| text_width(line, SIZE)).fold(0.0, math::max);
        let width = math::min(widest, room) + 2.0 * PAD + end;
        let area = Area::new(area.min.x, top, width, lines.len() as f32 * LINE + 12.0);
        all.push(Banner { words, is_failure, alpha, click, closes, area });
    };
    if let Some((task, time)) = busy.filter(|(_, time)| *time >= LONG_TASK) {
        let what = match task {
            Task::Tick => "computing this tick",
            Task::Reload => "trying the edited files",
            Task::Explain => "explaining the decision",
            Task::Save => "writing files",
        };
        add(format!("{what}: {:.1} s so far", time.as_secs_f32()), true, 255, None, None);
    }
    if let Some(words) = &state.background_task {
        add(words.clone(), false, 255, None, None);
    }
    if let Some(words) = ui.quit_question(state) {
        add(words, true, 255, Some(UiCommand::Close), None);
    }
    let now = Instant::now();
    let is_over_world = area.min.x < scene.layout.world.0 as f32;
    let most = if is_over_world { MOST_OVER_WORLD } else { MOST };
    let newest = state.notices.len().saturating_sub(most);
    let is_shown = |(index, notice): &(usize, &Notice)| *index >= newest || notice.opens.is_some();
    for (index, notice) in state.notices.iter().enumerate().rev().filter(is_shown) {
        let (age, lasts) = (now.saturating_duration_since(notice.at), notice.duration());
        if age >= lasts {
            continue;
        }
        let left = (lasts - age).as_secs_f32();
        let alpha = (math::min(left, 1.0) * 255.0) as u8;
        let (click, link) = match (&notice.opens, notice.selects) {
            (Some(_), _) => (UiCommand::OpenNotice(index), " (click: open it)".to_owned()),
            (None, Some(agent)) => {
                (UiCommand::SelectInNotice(index), format!(" (click: select agent {agent})"))
            }
            (None, None) => (UiCommand::CloseNotice(index), String::new()),
        };
        let closes = (!link.is_empty()).then_some(index);
        add(format!("{}{link}", notice.text), notice.is_failure, alpha, Some(click), closes);
    }
    if !ui.digits.is_empty() {
        let key = key_of(UiCommand::RunToDigits);
        let words = format!("run to tick {}_ ({key}: run; anything else: do not)", ui.digits);
        add(words, false, 255, None, None);
    }
    all
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    const CLOSES: &str = "click: close this; the log keeps it";
    let links = banners(scene, area).into_iter();
    let links = links.filter_map(|banner| {
        let click = banner.click?;
        let does = match click {
            UiCommand::OpenNotice(_) => "open it in place of what is shown",
            UiCommand::SelectInNotice(_) => "select the other agent of the failure",
            UiCommand::Close => "click: do not quit",
            _ => CLOSES,
        };
        let close = banner.closes.map(|index| {
            Widget::button(banner.close_area(), Icon::Close, UiCommand::CloseNotice(index))
                .tip(CLOSES)
        });
        Some([Widget::clickable(banner.area, click).tip(does)].into_iter().chain(close))
    });
    links.flatten().collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    for banner in banners(scene, area) {
        draw_banner(picture, scene.palette(), &banner);
    }
    script_messages(picture, scene);
}

fn draw_banner(picture: &mut Picture, palette: &Palette, banner: &Banner) {
    let Area { min, max } = banner.area;
    let faded = |color: crate::draw::Color| {
        color.alpha((u16::from(color.alpha) * u16::from(banner.alpha) / 255) as u8)
    };
    picture.fill_rect(min, max, faded(palette.panel));
    let side = if banner.is_failure { palette.highlight } else { palette.group(2) };
    frame(picture, banner.area, Pen::new(faded(palette.edge.alpha(120)), 1.0));
    picture.fill_rect(min, Vec2::new(min.x + 3.0, max.y), faded(side));
    let end = if banner.closes.is_some() { CLOSE } else { 0.0 };
    let room = math::max(max.x - min.x - 2.0 * PAD - end, 60.0);
    // Rounding must not break a line that fits.
    for (i, line) in wrap(&banner.words, SIZE, room + 0.5).iter().enumerate() {
        let at = Vec2::new(min.x + PAD, min.y + 6.0 + LINE * (i as f32 + 0.75));
        // A path without spaces is not broken.
        let line = cut(line, SIZE, room + 0.5);
        text(picture, at, Anchor::Left, SIZE, faded(palette.ink), &line);
    }
}

/// Draws what scripts printed, above the strip.
fn script_messages(picture: &mut Picture, scene: &Scene<'_>) {
    let Scene { state, layout, .. } = scene;
    let palette = scene.palette();
    let bottom = layout.bottom - Layout::GAP - 4.0;
    let count = state.messages.len();
    for (i, message) in state.messages.iter().enumerate() {
        let y = bottom - (count - 1 - i) as f32 * 16.0;
        let room = layout.world.0 as f32;
        let at = Vec2::new(math::max(room / 2.0 - 200.0, 10.0), y);
        let words = cut(&message.to_string(), SMALL, room - at.x - 10.0);
        let width = text_width(&words, SMALL);
        let (min, max) = (Vec2::new(-4.0, -12.0), Vec2::new(width + 4.0, 4.0));
        picture.fill_rect(at + min, at + max, palette.panel);
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
    }
}
