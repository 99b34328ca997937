//! Messages: a task that takes long, recent notices, and digits that are being typed, below each other in the upper left corner of the world,
//! each where it was first shown; above the time bar, what scripts printed.

use std::time::Duration;

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::AgentId;

use super::super::area::Area;
use super::super::frame::scene;
use super::super::icon::Icon;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::message_places::MessageId;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{CORNER, floating_ground, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, cut, wrap_at_most};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::{Notice, Task, ViewState};
use super::super::widget::Widget;
use super::{choices, comparison, leaving, question, remarks};
use crate::draw::{Anchor, Palette, Picture, text, text_width};

/// A task of the player that takes longer than this is shown.
pub(in super::super) const LONG_TASK: Duration = Duration::from_millis(700);

/// The number of notices that are shown at most, and the part of the height of the world that they and each message take: they cover agents.
/// The log has the others, and the tooltip the rest of one that is cut.
const MOST: usize = 2;
const SHARE: f32 = 0.25;
/// Width of each message where the world is not narrower, in pixels.
const WIDTH: f32 = 300.0;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("messages"),
    position: Position::Own(|scene| Some(room(scene))),
    widgets,
    draw,
    is_solid: false,
    ..Panel::DEFAULT
};

/// Returns the room in the upper left corner of the world, below an error and above the remarks.
fn room(scene: &Scene<'_>) -> Area {
    let (layout, end) = (&scene.layout, scene.layout.world.0 as f32 - Layout::GAP);
    let bottom = remarks::area(scene).map_or(layout.bottom, |remarks| remarks.min.y);
    Area {
        min: Vec2::new(Layout::GAP, layout.messages),
        max: Vec2::new(math::min(end, Layout::GAP + WIDTH), bottom),
    }
}

/// What a message says and does.
struct Message {
    id: MessageId,
    words: String,
    is_failure: bool,
    alpha: u8,
    /// The agent that it is about.
    about: Option<AgentId>,
    /// What a click does.
    click: Option<UiCommand>,
    /// The index of the notice that a button at its end closes, if a click does something else.
    closes: Option<usize>,
    /// The height that it may have, in pixels.
    room: f32,
}

impl Message {
    /// Returns its lines in a room of a width, in pixels.
    fn lines(&self, width: f32) -> Vec<String> {
        let end = if self.closes.is_some() { CLOSE } else { 0.0 };
        let most = math::max((self.room - 2.0 * PAD - SIZE) / LINE + 1.0, 1.0) as usize;
        // Rounding must not break a line that fits.
        let width = math::max(width - 2.0 * PAD - end, 60.0) + 0.5;
        wrap_at_most(&self.words, SIZE, width, most)
    }

    /// Returns whether the end of its words has no room.
    fn is_cut(&self, width: f32) -> bool {
        self.lines(width).last().is_some_and(|line| line.ends_with('…'))
    }

    /// Returns its size in a room of a width, in pixels.
    fn size(&self, width: f32) -> Vec2 {
        let lines = self.lines(width).len() as f32;
        Vec2::new(width, lines * LINE - (LINE - SIZE) + 2.0 * PAD)
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

/// The room around an agent that a message is about, in pixels.
const AROUND: f32 = 14.0;
/// Side of the button that closes a notice, in pixels.
const CLOSE: f32 = Widget::MIN_SIDE;

/// Returns the messages with their places. While a question is asked, those for which it leaves no room are only in the log.
fn banners(scene: &Scene<'_>) -> Vec<Banner> {
    let (messages, room) = (messages(scene), room(scene));
    let ids: Vec<MessageId> = messages.iter().map(|message| message.id).collect();
    let size = |index: usize, width| messages[index].size(width);
    let subject = |index: usize| subject_area(scene, messages[index].about?);
    let in_front = [question::area(scene), choices::list_area(scene), leaving::area(scene)];
    let in_front: Vec<Area> = in_front.into_iter().flatten().collect();
    let areas = scene.ui.message_places.arrange(&ids, room, &in_front, size, subject);
    let has_room = |area: &Area| in_front.is_empty() || area.max.y <= room.max.y;
    let placed = messages.into_iter().zip(areas).filter(|(_, area)| has_room(area));
    placed.map(|(message, area)| Banner { message, area }).collect()
}

/// Returns the area of an agent on the screen, with some room around it.
fn subject_area(scene: &Scene<'_>, id: AgentId) -> Option<Area> {
    let agents = &scene.state.world.agents;
    let at = scene.ui.camera(scene.state).pixel(agents.pos(agents.row(id)?));
    Some(Area { min: at - AROUND, max: at + AROUND })
}

/// Returns the messages, the oldest notice first.
fn messages(scene: &Scene<'_>) -> Vec<Message> {
    let Scene { ui, state, busy, .. } = scene;
    let mut all: Vec<Message> = Vec::new();
    let room = scene.layout.bottom * SHARE;
    let mut add = |id, words: String, is_failure| {
        let (about, click, closes) = (None, None, None);
        all.push(Message { id, words, is_failure, alpha: 255, about, click, closes, room });
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
    // The table says how far its own runs are.
    if let (Some(words), None) = (&state.background_task, comparison::progress(ui, state)) {
        add(MessageId::BackgroundTask, words.clone(), false);
    }
    if !ui.digits.is_empty() {
        let key = key_of(UiCommand::RunToDigits);
        let words = format!("run to tick {}_ ({key}: run; anything else: do not)", ui.digits);
        add(MessageId::Digits, words, false);
    }
    let newest = state.notices.len().saturating_sub(MOST);
    let failure = state.notices.iter().rposition(|notice| notice.failed_at.is_some());
    let is_shown = |(index, notice): &(usize, &Notice)| {
        *index >= newest || notice.opens.is_some() || Some(*index) == failure
    };
    let shown = state.notices.iter().enumerate().rev().filter(is_shown);
    let (width, mut height) = (self::room(scene).width(), 0.0);
    // The newest one is there in any case, and the way to a failure and one that opens something stay as long as they last.
    let has_room = |message: &Message| {
        let is_first = height == 0.0;
        height += message.size(width).y;
        let leads = matches!(
            message.click,
            Some(UiCommand::OpenNotice(_) | UiCommand::GoToFailureInNotice(_))
        );
        is_first || leads || height <= room
    };
    let notices: Vec<Message> =
        shown.filter_map(|one| notice_message(state, one, room)).filter(has_room).collect();
    all.extend(notices.into_iter().rev());
    all
}

/// Returns what a notice says, given with its index, for a height in pixels. `None` if it has ended.
fn notice_message(
    state: &ViewState,
    (index, notice): (usize, &Notice),
    room: f32,
) -> Option<Message> {
    let mut failures = state.failures.iter();
    let failure = notice.failed_at.and_then(|tick| failures.find(|one| one.tick == tick));
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
            (UiCommand::GoToFailureInNotice(index), " (click: go to the failure)".to_owned())
        }
        (None, None) => (UiCommand::CloseNotice(index), String::new()),
    };
    Some(Message {
        id: MessageId::Notice(notice.since),
        words: format!("{}{link}", notice.text),
        is_failure: notice.is_failure,
        alpha,
        about: notice.selects.or(failure.and_then(|failure| failure.agent)),
        click: Some(click),
        closes: (!link.is_empty()).then_some(index),
        room,
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
            _ => CLOSES,
        };
        let close = banner.message.closes.map(|index| {
            Widget::button(banner.close_area(), Icon::Close, UiCommand::CloseNotice(index))
                .tip(CLOSES)
        });
        let tip = match banner.message.is_cut(banner.area.width()) {
            true => format!("{}\n{does}", banner.message.words),
            false => does.to_owned(),
        };
        Some([Widget::clickable(banner.area, click).tip(tip)].into_iter().chain(close))
    });
    // A click on a message that ends meanwhile must not deselect the agent.
    let taken = scene.ui.message_places.taken().map(Widget::background);
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
    floating_ground(picture, banner.area, palette, message.alpha);
    let side = if message.is_failure { palette.highlight } else { palette.group(2) };
    let (top, bottom) = (min.y + CORNER, max.y - CORNER);
    picture.fill_rect(Vec2::new(min.x, top), Vec2::new(min.x + 3.0, bottom), faded(side));
    // A path without spaces is not broken.
    writer(picture, banner.area).lines(SIZE, faded(palette.ink), &message.lines(max.x - min.x));
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
