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
    /// A tick that is being typed.
    Digits,
    /// A notice, by the time at which it was first shown.
    Notice(Instant),
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
    /// Returns the areas of messages: where they are, or below each other where a room is free. `size` returns the size of a message, given
    /// by its index, in a room of a width, and `subject` the area of what it is about: a new message is not put there if there is room
    /// elsewhere. Areas in front of messages stay free.
    pub(super) fn arrange(
        &self,
        ids: &[MessageId],
        room: Area,
        in_front: &[Area],
        size: impl Fn(usize, f32) -> Vec2,
        subject: impl Fn(usize) -> Option<Area>,
    ) -> Vec<Area> {
        let size = |index| size(index, room.width());
        let mut taken = in_front.to_vec();
        let mut areas = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            let here = self.all.iter().find(|place| place.id == *id && place.left.is_none());
            let area = here.and_then(|place| {
                let size = size(index);
                let area = Area::new(place.area.min.x, place.area.min.y, size.x, size.y);
                (is_in(area, room) && over(area, &taken).is_none()).then_some(area)
            });
            taken.extend(area);
            areas.push(area);
        }
        let ended = |place: &&Place| place.left.is_some() || !ids.contains(&place.id);
        let ended = self.all.iter().filter(ended).filter(|place| place.is_taken());
        taken.extend(ended.map(|place| place.area));
        let mut below = room.min.y;
        let place = |(index, area): (usize, Option<Area>)| {
            let area = area.unwrap_or_else(|| {
                let beside: Vec<Area> = taken.iter().copied().chain(subject(index)).collect();
                // Notices are in the order of time where there is room for that.
                let later = Area { min: Vec2::new(room.min.x, below), ..room };
                let in_room = [(later, &beside), (later, &taken), (room, &beside)]
                    .map(|(room, taken)| free_place(room, size(index), taken));
                let area = in_room.into_iter().find(|area| is_in(*area, room));
                let area = area.unwrap_or_else(|| free_place(room, size(index), &taken));
                taken.push(area);
                area
            });
            if matches!(ids[index], MessageId::Notice(_)) {
                below = area.max.y + GAP;
            }
            area
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

/// Returns the first free place for a message of a size in a room, or below it.
fn free_place(room: Area, size: Vec2, taken: &[Area]) -> Area {
    let mut area = Area::new(room.min.x, room.min.y, size.x, size.y);
    while let Some(other) = over(area, taken) {
        area = Area::new(room.min.x, other.max.y + GAP, size.x, size.y);
    }
    area
}

fn is_in(area: Area, room: Area) -> bool {
    area.min.cmpge(room.min).all() && area.max.cmple(room.max).all()
}

/// Returns an area that has a part of another one.
fn over(area: Area, others: &[Area]) -> Option<Area> {
    others.iter().find(|other| area.overlaps(**other)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Area = Area { min: Vec2::new(10.0, 10.0), max: Vec2::new(490.0, 310.0) };
    const SIZE: Vec2 = Vec2::new(100.0, 30.0);
    const FIRST: MessageId = MessageId::Task;
    const SECOND: MessageId = MessageId::BackgroundTask;
    const THIRD: MessageId = MessageId::Digits;

    fn arrange(places: &mut MessagePlaces, ids: &[MessageId]) -> Vec<f32> {
        let areas = places.arrange(ids, ROOM, &[], |_, _| SIZE, |_| None);
        let shown: Vec<_> = ids.iter().copied().zip(areas).collect();
        places.note(&shown);
        assert!(shown.iter().all(|(_, area)| area.min.x == 10.0));
        shown.iter().map(|(_, area)| area.min.y).collect()
    }

    /// A notice jumped to another place when another one came, and back when that one ended.
    #[test]
    fn a_message_keeps_its_place_when_others_come_and_end() {
        let [top, second, third] = [0.0, 1.0, 2.0].map(|number| 10.0 + number * (SIZE.y + GAP));
        let mut places = MessagePlaces::default();
        assert_eq!(arrange(&mut places, &[FIRST]), [top]);
        assert_eq!(arrange(&mut places, &[SECOND, FIRST]), [second, top]);
        assert_eq!(arrange(&mut places, &[SECOND]), [second]);
        // For a moment, nothing comes to where the first one was.
        assert_eq!(places.taken().count(), 2);
        assert_eq!(arrange(&mut places, &[SECOND, THIRD]), [second, third]);
        for place in &mut places.all {
            place.left = place.left.and_then(|at| at.checked_sub(REST));
        }
        assert_eq!(places.taken().count(), 2);
        assert_eq!(arrange(&mut places, &[SECOND, THIRD, FIRST]), [second, third, top]);
    }

    /// Caught: a new notice came to a free place above an older one.
    #[test]
    fn a_new_notice_is_below_older_ones_if_there_is_room() {
        let [older, newer, newest] =
            [0, 1, 2].map(|later| MessageId::Notice(Instant::now() + Duration::from_secs(later)));
        let [top, second, third] = [0.0, 1.0, 2.0].map(|number| 10.0 + number * (SIZE.y + GAP));
        let mut places = MessagePlaces::default();
        assert_eq!(arrange(&mut places, &[FIRST, older]), [top, second]);
        arrange(&mut places, &[older]);
        places.all.retain(|place| place.left.is_none());
        assert_eq!(arrange(&mut places, &[older, newer]), [second, third]);
        let is_low = places.arrange(
            &[older, newer, newest],
            Area { max: Vec2::new(490.0, third + SIZE.y), ..ROOM },
            &[],
            |_, _| SIZE,
            |_| None,
        );
        assert_eq!(is_low[2].min.y, top, "there is room above only");
    }

    /// Caught: a notice lay on the agent that it was about.
    #[test]
    fn a_message_is_beside_what_it_is_about_if_there_is_room() {
        let places = MessagePlaces::default();
        let top = |subject: Area| {
            let size = |_, _| SIZE;
            places.arrange(&[FIRST], ROOM, &[], size, |_| Some(subject))[0].min.y
        };
        assert_eq!(top(Area::new(50.0, 20.0, 10.0, 10.0)), 30.0 + GAP);
        assert_eq!(top(Area::new(300.0, 20.0, 10.0, 10.0)), 10.0);
        assert_eq!(top(Area::new(50.0, 20.0, 10.0, 270.0)), 10.0, "there is no room below");
    }
}
