//! Where messages are shown: a message keeps its place until it ends, and the place stays free for a moment then, so that a click that was
//! meant for the message does nothing else.

use std::time::{Duration, Instant};

use flockwork_engine::math::Vec2;

use super::area::Area;

/// How long the place of a message that has ended stays free.
const REST: Duration = Duration::from_millis(500);
/// Distance of two messages, in pixels.
const GAP: f32 = 6.0;

/// A message, whatever it says at the moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MessageId {
    /// What the player is computing.
    Task,
    BackgroundTask,
    /// Whether to quit.
    Quit,
    /// A tick that is being typed.
    Digits,
    /// A notice, by the time at which it was first shown.
    Notice(Instant),
}

/// A part of the window that has room for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) area: Area,
    /// Whether the first message is at its lower end, and the next ones above it.
    pub(super) is_from_end: bool,
}

/// The places of messages.
#[derive(Debug, Default)]
pub(super) struct MessagePlaces {
    all: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    id: MessageId,
    area: Area,
    /// When the message was seen to have ended or to have moved; `None` while it is there.
    left: Option<Instant>,
}

impl Place {
    /// Returns whether nothing else is put there.
    fn is_taken(&self) -> bool {
        self.left.is_none_or(|at| at.elapsed() < REST)
    }
}

impl MessagePlaces {
    /// Returns the areas of messages: where they are, or in the first room that has a free place, else in the last one.
    /// `size` returns the size of a message, given by its index, in a room of a width.
    pub(super) fn arrange(
        &self,
        ids: &[MessageId],
        rooms: &[Room],
        size: impl Fn(usize, f32) -> Vec2,
    ) -> Vec<Area> {
        let mut taken = Vec::new();
        let mut areas = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            let here = self.all.iter().find(|place| place.id == *id && place.left.is_none());
            let area = here.and_then(|place| {
                let room = rooms.iter().find(|room| room.area.contains(place.area.min))?;
                let size = size(index, room.area.width());
                let area = Area::new(place.area.min.x, place.area.min.y, size.x, size.y);
                (is_in(area, room) && over(area, &taken).is_none()).then_some(area)
            });
            taken.extend(area);
            areas.push(area);
        }
        let ended = |place: &&Place| place.left.is_some() || !ids.contains(&place.id);
        let ended = self.all.iter().filter(ended).filter(|place| place.is_taken());
        taken.extend(ended.map(|place| place.area));
        let place = |(index, area): (usize, Option<Area>)| {
            area.unwrap_or_else(|| {
                let free = |room: &Room| free_place(room, size(index, room.area.width()), &taken);
                let mut found = rooms.iter().map(free).skip_while(|found| !found.1);
                let last = rooms.last().map(free);
                let (area, _) = found.next().or(last).expect("there is a room over the world");
                taken.push(area);
                area
            })
        };
        areas.into_iter().enumerate().map(place).collect()
    }

    /// Notes which messages are shown now, and where.
    pub(super) fn note(&mut self, shown: &[(MessageId, Area)]) {
        self.all.retain(|place| place.is_taken() && !shown.contains(&(place.id, place.area)));
        for place in &mut self.all {
            place.left.get_or_insert_with(Instant::now);
        }
        let shown = shown.iter();
        self.all.extend(shown.map(|&(id, area)| Place { id, area, left: None }));
    }

    /// Returns the areas in which messages are, or were a moment ago.
    pub(super) fn taken(&self) -> impl Iterator<Item = Area> {
        self.all.iter().filter(|place| place.is_taken()).map(|place| place.area)
    }
}

/// Returns the first free place for a message of a size in a room, and whether it is within the room.
fn free_place(room: &Room, size: Vec2, taken: &[Area]) -> (Area, bool) {
    let Area { min, max } = room.area;
    let top = if room.is_from_end { max.y - size.y } else { min.y };
    let mut area = Area::new(min.x, top, size.x, size.y);
    while let Some(other) = over(area, taken) {
        let top = match room.is_from_end {
            true => other.min.y - GAP - size.y,
            false => other.max.y + GAP,
        };
        area = Area::new(min.x, top, size.x, size.y);
    }
    (area, is_in(area, room))
}

fn is_in(area: Area, room: &Room) -> bool {
    area.min.cmpge(room.area.min).all() && area.max.cmple(room.area.max).all()
}

/// Returns an area that has a part of another one.
fn over(area: Area, others: &[Area]) -> Option<Area> {
    let is_over = |one: &&Area| area.min.cmplt(one.max).all() && one.min.cmplt(area.max).all();
    others.iter().find(is_over).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec2 = Vec2::new(100.0, 30.0);
    const FIRST: MessageId = MessageId::Task;
    const SECOND: MessageId = MessageId::BackgroundTask;
    const THIRD: MessageId = MessageId::Digits;

    /// A column with room for a single message, and the world.
    fn rooms() -> [Room; 2] {
        let column = Room { area: Area::new(500.0, 400.0, 120.0, 40.0), is_from_end: true };
        [column, Room { area: Area::new(10.0, 10.0, 480.0, 300.0), is_from_end: false }]
    }

    fn arrange(places: &mut MessagePlaces, ids: &[MessageId]) -> Vec<Vec2> {
        let areas = places.arrange(ids, &rooms(), |_, _| SIZE);
        let shown: Vec<_> = ids.iter().copied().zip(areas).collect();
        places.note(&shown);
        shown.iter().map(|(_, area)| area.min).collect()
    }

    /// A notice jumped from the column to the world when another came, and back when that one ended.
    #[test]
    fn a_message_keeps_its_place_when_others_come_and_end() {
        let (column, world) = (Vec2::new(500.0, 410.0), Vec2::new(10.0, 10.0));
        let mut places = MessagePlaces::default();
        assert_eq!(arrange(&mut places, &[FIRST]), [column]);
        assert_eq!(arrange(&mut places, &[SECOND, FIRST]), [world, column]);
        let below = world + Vec2::new(0.0, SIZE.y + GAP);
        assert_eq!(arrange(&mut places, &[THIRD, SECOND, FIRST]), [below, world, column]);
        assert_eq!(arrange(&mut places, &[THIRD, FIRST]), [below, column]);
        // For a moment, nothing comes to where the second one was.
        assert_eq!(places.taken().count(), 3);
        let lowest = below + Vec2::new(0.0, SIZE.y + GAP);
        assert_eq!(arrange(&mut places, &[THIRD, FIRST, MessageId::Quit])[2], lowest);
        for place in &mut places.all {
            place.left = place.left.and_then(|at| at.checked_sub(REST));
        }
        assert_eq!(places.taken().count(), 3);
        let four = [THIRD, FIRST, MessageId::Quit, SECOND];
        assert_eq!(arrange(&mut places, &four), [below, column, lowest, world]);
    }
}
