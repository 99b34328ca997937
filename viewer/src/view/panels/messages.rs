//! Messages: a task that takes long, recent notices, and digits that are being typed, in the column if it has room, so that they cover
//! nothing, else in the upper left corner, each where it was first shown; above the time bar, what scripts printed.

use std::time::Duration;

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::code_words::CodeWords;
use super::super::frame::scene;
use super::super::icon::Icon;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::message_places::{MessageId, Room};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::frame;
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, cut, wrap};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::{Notice, Task, ViewState};
use super::super::widget::Widget;
use super::{column, comparison};
use crate::draw::{Anchor, Palette, Pen, Picture, text, text_width};

/// A task of the player that takes longer than this is shown.
pub(in super::super) const LONG_TASK: Duration = Duration::from_millis(700);

/// The number of notices that are shown at most, with a column beside the world that has room. The log has the others.
const MOST: usize = 3;
/// The same below the table of a comparison, which has most of the column, and the room that each needs there, in pixels.
const MOST_BELOW_TABLE: usize = 2;
const ROOM: f32 = 66.0;
/// The same without such a column: over the world, they cover agents.
const MOST_OVER_WORLD: usize = 2;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("messages"),
    position: Position::Own(|scene| Some(world_room(scene))),
    widgets,
    draw,
    is_solid: false,
    ..Panel::DEFAULT
};

/// Returns the room in the upper left corner of the world, below an error.
fn world_room(scene: &Scene<'_>) -> Area {
    let layout = &scene.layout;
    Area {
        min: Vec2::new(Layout::GAP, layout.messages),
        max: Vec2::new(layout.world.0 as f32 - Layout::GAP, layout.bottom),
    }
}

/// Returns where messages can be: at the end of the column, if it has room for them, else over the world.
fn rooms(scene: &Scene<'_>) -> Vec<Room> {
    let column = column::free(scene).map(|free| Area {
        min: free.min + Vec2::splat(Layout::GAP),
        max: free.max - Vec2::splat(Layout::GAP),
    });
    let column = column.map(|area| Room { area, is_from_end: true });
    let world = Room { area: world_room(scene), is_from_end: false };
    column.into_iter().chain([world]).collect()
}

/// What a message says and does.
struct Message {
    id: MessageId,
    words: String,
    is_failure: bool,
    alpha: u8,
    /// What a click does.
    click: Option<UiCommand>,
    /// The index of the notice that a button at its end closes, if a click does something else.
    closes: Option<usize>,
}

impl Message {
    /// Returns its size in a room of a width, in pixels.
    fn size(&self, width: f32) -> Vec2 {
        let end = if self.closes.is_some() { CLOSE } else { 0.0 };
        let room = math::max(width - 2.0 * PAD - end, 60.0);
        let lines = wrap(&self.words, SIZE, room);
        let widest = lines.iter().map(|line| text_width(line, SIZE)).fold(0.0, math::max);
        Vec2::new(math::min(widest, room) + 2.0 * PAD + end, lines.len() as f32 * LINE + 12.0)
    }
}

/// A message in its place, on its own background.
struct Banner {
    message: Message,
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

/// Returns the messages with their places.
fn banners(scene: &Scene<'_>) -> Vec<Banner> {
    let (messages, rooms) = (messages(scene), rooms(scene));
    let ids: Vec<MessageId> = messages.iter().map(|message| message.id).collect();
    let size = |index: usize, width| messages[index].size(width);
    let areas = scene.ui.message_places.arrange(&ids, &rooms, size);
    messages.into_iter().zip(areas).map(|(message, area)| Banner { message, area }).collect()
}

/// Returns the messages, the oldest notice first.
fn messages(scene: &Scene<'_>) -> Vec<Message> {
    let Scene { ui, state, busy, .. } = scene;
    let mut all: Vec<Message> = Vec::new();
    let mut add = |id, words: String, is_failure| {
        all.push(Message { id, words, is_failure, alpha: 255, click: None, closes: None });
    };
    if let Some((task, time)) = busy.filter(|(_, time)| *time >= LONG_TASK) {
        let what = match task {
            Task::Tick => "computing this tick",
            Task::Reload => "trying the edited files",
            Task::Explain => "explaining the decision",
            Task::Save => "writing files",
        };
        add(MessageId::Task, format!("{what}: {:.1} s so far", time.as_secs_f32()), true);
    }
    if let Some(words) = &state.background_task {
        add(MessageId::BackgroundTask, words.clone(), false);
    }
    if !ui.digits.is_empty() {
        let key = key_of(UiCommand::RunToDigits);
        let words = format!("run to tick {}_ ({key}: run; anything else: do not)", ui.digits);
        add(MessageId::Digits, words, false);
    }
    if let Some(words) = ui.quit_question(state) {
        let (id, click) = (MessageId::Quit, Some(UiCommand::Close));
        all.push(Message { id, words, is_failure: true, alpha: 255, click, closes: None });
    }
    let has_table = comparison::PANEL.is_open(ui) && state.compared.is_some();
    let most = match column::free(scene) {
        Some(free) if has_table => MOST_BELOW_TABLE.min((free.height() / ROOM) as usize).max(1),
        Some(_) => MOST,
        None => MOST_OVER_WORLD,
    };
    let newest = state.notices.len().saturating_sub(most);
    let is_shown = |(index, notice): &(usize, &Notice)| *index >= newest || notice.opens.is_some();
    all.extend(state.notices.iter().enumerate().filter(is_shown).filter_map(notice_message));
    all
}

/// Returns what a notice says, given with its index. `None` if it has ended.
fn notice_message((index, notice): (usize, &Notice)) -> Option<Message> {
    let left = notice.duration().checked_sub(notice.at.elapsed())?;
    let alpha = (math::min(left.as_secs_f32() / Notice::FADE.as_secs_f32(), 1.0) * 255.0) as u8;
    let (click, link) = match (&notice.opens, notice.selects) {
        (Some(_), _) => (UiCommand::OpenNotice(index), " (click: open it)".to_owned()),
        (None, Some(_)) if notice.goes_to.is_some() => {
            (UiCommand::GoToNotice(index), " (click: go back to it)".to_owned())
        }
        (None, Some(agent)) => {
            (UiCommand::SelectInNotice(index), format!(" (click: select agent {agent})"))
        }
        (None, None) if notice.failed_at.is_some() => {
            (UiCommand::GoToFailureInNotice(index), " (click: go there)".to_owned())
        }
        (None, None) => (UiCommand::CloseNotice(index), String::new()),
    };
    Some(Message {
        id: MessageId::Notice(notice.since),
        words: format!("{}{link}", notice.text),
        is_failure: notice.is_failure,
        alpha,
        click: Some(click),
        closes: (!link.is_empty()).then_some(index),
    })
}

fn widgets(scene: &Scene<'_>, _: Area) -> Vec<Widget> {
    const CLOSES: &str = "click: close this; the log keeps it";
    let links = banners(scene).into_iter().filter_map(|banner| {
        let click = banner.message.click?;
        let does = match click {
            UiCommand::OpenNotice(_) => "open it in place of what is shown",
            UiCommand::GoToNotice(_) => "go back to the last turn of this agent, and select it",
            UiCommand::SelectInNotice(_) => "select the other agent of the failure",
            UiCommand::GoToFailureInNotice(_) => "go to the failure, and select its agent",
            UiCommand::Close => "click: do not quit",
            _ => CLOSES,
        };
        let close = banner.message.closes.map(|index| {
            Widget::button(banner.close_area(), Icon::Close, UiCommand::CloseNotice(index))
                .tip(CLOSES)
        });
        Some([Widget::clickable(banner.area, click).tip(does)].into_iter().chain(close))
    });
    // A click on a message that ends meanwhile must not deselect the agent.
    let is_over_world = |area: &Area| area.min.x < scene.layout.world.0 as f32;
    let taken = scene.ui.message_places.taken().filter(is_over_world).map(Widget::background);
    taken.chain(links.flatten()).collect()
}

impl Ui {
    /// Notes where messages are shown, which they keep.
    pub(in super::super) fn note_messages(
        &mut self,
        state: &ViewState,
        busy: Option<(Task, Duration)>,
    ) {
        let banners = banners(&scene(self, state, busy));
        let shown: Vec<_> = banners.iter().map(|one| (one.message.id, one.area)).collect();
        self.message_places.note(&shown);
    }
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, _: Area) {
    for banner in banners(scene) {
        draw_banner(picture, scene.palette(), &banner);
    }
    script_messages(picture, scene);
}

fn draw_banner(picture: &mut Picture, palette: &Palette, banner: &Banner) {
    let (Area { min, max }, message) = (banner.area, &banner.message);
    let faded = |color: crate::draw::Color| {
        color.alpha((u16::from(color.alpha) * u16::from(message.alpha) / 255) as u8)
    };
    picture.fill_rect(min, max, faded(palette.panel));
    let side = if message.is_failure { palette.highlight } else { palette.group(2) };
    frame(picture, banner.area, Pen::new(faded(palette.edge.alpha(120)), 1.0));
    picture.fill_rect(min, Vec2::new(min.x + 3.0, max.y), faded(side));
    let end = if message.closes.is_some() { CLOSE } else { 0.0 };
    let room = math::max(max.x - min.x - 2.0 * PAD - end, 60.0);
    let mut code = CodeWords::default();
    // Rounding must not break a line that fits.
    for (i, line) in wrap(&message.words, SIZE, room + 0.5).iter().enumerate() {
        let at = Vec2::new(min.x + PAD, min.y + 6.0 + LINE * (i as f32 + 0.75));
        // A path without spaces is not broken.
        let line = cut(line, SIZE, room + 0.5);
        code.draw(picture, at, SIZE, faded(palette.ink), &line);
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
