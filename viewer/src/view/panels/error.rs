//! The panel of an error: why the current files do not run, with its position and a snippet.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{ground, writer};
use super::super::panel_states::PanelId;
use super::super::snippet::Snippet;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, wrap};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::ui_files::ShownError;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::files;
use crate::draw::{Picture, text_width};

/// Maximum width of the panel, in pixels.
const MAX_WIDTH: f32 = 860.0;
/// The part of the height of the window that it takes over the world. The tooltip has the rest.
const MAX_SHARE: f32 = 0.25;
/// Width of the text of the panel, if there is room, in pixels.
const MIN_WIDTH: f32 = 320.0;
/// Font size of the title, in pixels.
const TITLE: f32 = SIZE + 1.0;
/// Height of the gap above the source, in pixels.
const GAP: f32 = 4.0;
/// Height of a line of small letters, in pixels.
const SMALL_LINE: f32 = 16.0;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("error"),
    position: Position::Alert(size),
    widgets,
    draw,
    ..Panel::DEFAULT
};

/// The first error as lines that fit the panel.
struct ErrorLines<'a> {
    title: Vec<&'a str>,
    /// The file, line and column, and the source around them, if it has room.
    source: Option<(String, Option<Snippet<'a>>)>,
    /// Small lines below the source.
    help: Vec<String>,
    /// The consequences of the error for the run.
    effect: Vec<&'static str>,
    /// Width of the panel, in pixels.
    width: f32,
    /// Whether some of it has no room.
    is_cut: bool,
}

impl<'a> ErrorLines<'a> {
    /// Returns the lines for a panel that is as wide as they need, up to a size in pixels: with as many lines of the source as have room.
    fn new(shown: &ShownError<'a>, state: &ViewState, room: Vec2) -> Self {
        let arounds = (0..=Snippet::AROUND).rev().map(Some).chain([None]);
        let mut all = arounds.map(|around| Self::with_source(shown, state, room.x, around));
        let first = all.find(|lines| lines.height() <= room.y);
        first.unwrap_or_else(|| Self::with_source(shown, state, room.x, None))
    }

    /// Returns the lines with so many lines of the source around the position; with none of it if `around` is `None`.
    fn with_source(
        shown: &ShownError<'a>,
        state: &ViewState,
        max_width: f32,
        around: Option<usize>,
    ) -> Self {
        let error = shown.error;
        let room = math::max(max_width - 2.0 * PAD, 60.0);
        let title = wrap(&error.message, TITLE, room);
        let mut help = error.help.clone();
        let more = shown.more;
        if more > 0 && shown.has_files {
            help.push(format!("and {more} more: F8 goes to the next one"));
        } else if more > 0 {
            let key = key_of(files::PANEL.toggle());
            help.push(format!("and {more} more, which are marked in their files ({key})"));
        }
        if shown.is_edited {
            // The first key is the one that also counts while the person types.
            let write = key_of(UiCommand::Write).split(' ').next().unwrap_or_default();
            help.push(format!("edited since: {write} writes it and checks it"));
        }
        let help: Vec<&str> = help.iter().flat_map(|line| wrap(line, SMALL, room)).collect();
        let effect = wrap(effect(state), SMALL, room);
        let snippet = |place| around.map(|around| Snippet::new(place, &error.label, around));
        let source = error.place.as_ref().map(|place| (error.position(), snippet(place)));
        let widths = (title.iter().map(|line| text_width(line, TITLE)))
            .chain(help.iter().chain(&effect).map(|line| text_width(line, SMALL)))
            .chain(source.iter().map(|(position, snippet)| {
                let snippet = snippet.as_ref().map_or(0.0, Snippet::width);
                math::max(text_width(position, SMALL), snippet)
            }));
        let widest = widths.fold(MIN_WIDTH, math::max).ceil() + 1.0;
        let width = math::min(widest + 2.0 * PAD, max_width);
        let help = help.into_iter().map(str::to_owned).collect();
        Self { title, source, help, effect, width, is_cut: around != Some(Snippet::AROUND) }
    }

    /// Returns the height of the position and the source, in pixels.
    fn source_height(&self) -> f32 {
        let width = self.width - 2.0 * PAD;
        let height = |snippet: &Snippet<'_>| snippet.height(width);
        self.source
            .as_ref()
            .map_or(0.0, |(_, snippet)| SMALL_LINE + GAP + snippet.as_ref().map_or(0.0, height))
    }

    /// Returns the height of the panel, in pixels.
    fn height(&self) -> f32 {
        let snippet = self.source_height();
        let (title, small) = (self.title.len() as f32, self.help.len() + self.effect.len());
        title * (LINE + 1.0) + snippet + small as f32 * SMALL_LINE + 2.0 * PAD
    }
}

/// Returns what the error means for the run.
fn effect(state: &ViewState) -> &'static str {
    if state.is_waiting {
        "The run begins when you fix this: a click here shows the file."
    } else if state.is_stuck {
        "The run is stopped until you fix this. You can still go back in its history."
    } else {
        "The previous version keeps running until you fix this."
    }
}

/// Returns the size of the panel if there is an error. A small window has it across its whole width.
fn size(ui: &Ui, state: &ViewState, room: Vec2) -> Option<Vec2> {
    let error = &ui.shown_error(state)?;
    let is_small = Layout::is_small(ui.size);
    let max_width = if is_small { room.x } else { math::min(room.x, MAX_WIDTH) };
    // Without a run, it covers nothing.
    let most = if state.is_waiting { room.y } else { ui.size.1 as f32 * MAX_SHARE };
    let lines = ErrorLines::new(error, state, Vec2::new(max_width, math::min(most, room.y)));
    Some(Vec2::new(lines.width, lines.height()))
}

/// Returns the area of the source: a click shows it in the files.
fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let Some(error) = scene.ui.shown_error(scene.state) else {
        return Vec::new();
    };
    let lines = ErrorLines::new(&error, scene.state, area.max - area.min);
    let Some((position, _)) = &lines.source else {
        return Vec::new();
    };
    let top = area.min.y + PAD + lines.title.len() as f32 * (LINE + 1.0) - 2.0;
    let height = math::max(lines.source_height(), Widget::MIN_SIDE);
    let bottom = math::min(top + height, area.max.y);
    if bottom - top < Widget::MIN_SIDE {
        return Vec::new();
    }
    let link = Area::new(area.min.x + 4.0, top, area.width() - 5.0, bottom - top);
    let words = match lines.is_cut {
        true => format!("{}\nclick: show {position}", error.error.all_in_one_line()),
        false => format!("show {position}"),
    };
    vec![Widget::clickable(link, UiCommand::ShowError).tip(words)]
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let state = scene.state;
    let Some(error) = scene.ui.shown_error(state) else {
        return;
    };
    let palette = scene.palette();
    let lines = ErrorLines::new(&error, state, area.max - area.min);
    ground(picture, area, palette);
    let side = Vec2::new(area.min.x + 4.0, area.max.y);
    picture.fill_rect(area.min, side, palette.highlight);
    let mut writer = writer(picture, area);
    writer.lines(TITLE, palette.ink, &lines.title);
    if let Some((position, snippet)) = &lines.source {
        writer.line(SMALL, palette.quiet, position);
        writer.gap(GAP);
        snippet.iter().for_each(|snippet| snippet.draw(&mut writer, palette));
    }
    writer.lines(SMALL, palette.quiet, &lines.help);
    writer.lines(SMALL, palette.ink, &lines.effect);
}
