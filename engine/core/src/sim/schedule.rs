//! Finds the events of a tick without looking at all events.

use super::{Event, EventTime};

/// All events of a run. Events that happen once are found by a search for their tick, since a recorded pointer has
/// one event for each tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// All events, in the order in which they are written.
    events: Vec<Event>,
    /// Tick and index of each event that happens once, sorted.
    once: Vec<(u64, usize)>,
    /// The indices of all other events.
    repeating: Vec<usize>,
    /// The indices of the events with conditions. They are among the others.
    conditional: Vec<usize>,
}

impl Schedule {
    pub(super) fn new(events: Vec<Event>) -> Self {
        let mut this = Self::default();
        for (index, event) in events.iter().enumerate() {
            match event.when {
                EventTime::At(tick) => this.once.push((tick, index)),
                EventTime::Every { .. } => this.repeating.push(index),
                EventTime::When { .. } => {
                    this.repeating.push(index);
                    this.conditional.push(index);
                }
            }
        }
        this.once.sort_unstable();
        this.events = events;
        this
    }

    /// Returns all events, in the order in which they are written.
    pub(super) fn all(&self) -> &[Event] {
        &self.events
    }

    /// Returns the events with conditions, in the order of their numbers.
    pub(super) fn conditional(&self) -> impl Iterator<Item = &Event> {
        self.conditional.iter().map(|&index| &self.events[index])
    }

    /// Returns the events that happen at a tick, or may happen if they have conditions, in the order in which they are written. Those
    /// with conditions have their numbers among these.
    pub(super) fn at(&self, tick: u64) -> impl Iterator<Item = (&Event, Option<u32>)> {
        let first = self.once.partition_point(|(at, _)| *at < tick);
        let mut once = self.once[first..]
            .iter()
            .take_while(move |(at, _)| *at == tick)
            .map(|(_, index)| *index)
            .peekable();
        let mut repeating = self
            .repeating
            .iter()
            .copied()
            .filter(move |&index| self.events[index].when.includes(tick))
            .peekable();
        std::iter::from_fn(move || {
            let next = match (once.peek(), repeating.peek()) {
                (Some(one), Some(other)) if other < one => repeating.next(),
                (Some(_), _) => once.next(),
                (None, _) => repeating.next(),
            };
            next.map(|index| {
                let number = self.conditional.binary_search(&index);
                (&self.events[index], number.ok().map(|number| number as u32))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::Vec2;
    use crate::sim::{Action, Condition};

    fn event() -> impl Strategy<Value = EventTime> {
        let condition = Condition::Chance { per_second: 1.0 };
        prop_oneof![
            Just(EventTime::When { condition, again: true }),
            (0u64..20).prop_map(EventTime::At),
            (1u64..6, 0u64..9, 0u64..30).prop_map(|(ticks, from, until)| EventTime::Every {
                ticks,
                from,
                until
            }),
        ]
    }

    proptest! {
        #[test]
        fn a_tick_has_its_events_in_the_order_they_are_written(
            all in prop::collection::vec(event(), 0..30),
            tick in 0u64..20,
        ) {
            let events: Vec<Event> = all
                .iter()
                .enumerate()
                .map(|(i, when)| Event {
                    when: when.clone(),
                    action: Action::Cursor { at: Some(Vec2::splat(i as f32)) },
                })
                .collect();
            let expected: Vec<Event> = events
                .iter()
                .filter(|event| event.when.includes(tick))
                .cloned()
                .collect();
            let schedule = Schedule::new(events);
            let found: Vec<Event> = schedule.at(tick).map(|(event, _)| event.clone()).collect();
            prop_assert_eq!(found, expected);
            let numbers: Vec<u32> = schedule.at(tick).filter_map(|(_, number)| number).collect();
            prop_assert_eq!(numbers, (0..schedule.conditional().count() as u32).collect::<Vec<_>>());
        }
    }
}
