//! Gives the numbers of a shrunk scenario few digits.

use super::super::starts::rounded;
use super::{MAX_SINGLE_NUMBERS, Shrinker, path};
use crate::math;
use crate::scenario::text_parts::{PartPath, part, part_names, with_part, without_parts};
use crate::threads::NoThreads;

/// The least number of decimals of a rounded number: it is rounded to hundreds.
const LEAST_DECIMALS: i32 = -2;

/// The largest number of decimals that is tried.
const MOST_DECIMALS: i32 = 5;

impl Shrinker<'_> {
    /// Gives positions, and then velocities, the fewest digits that still fail. Positions are moved by less than a body, so that
    /// agents do not come to stand on each other, and no two agents come to have a coordinate in common: agents that go exactly towards
    /// each other are a harder problem than the one that was found.
    pub(super) fn round(&mut self) -> Result<(), NoThreads> {
        let agents: Vec<PartPath> = self.listed_agents().into_iter().flatten().collect();
        let bodies = self.probes.scenario().setup.groups.iter().map(|(group, _)| group.body.radius);
        let finest = bodies.fold(f32::INFINITY, math::min) * 2.0;
        let (mut coarsest, mut unit) = (LEAST_DECIMALS, 100.0);
        while unit > finest && coarsest < MOST_DECIMALS {
            (coarsest, unit) = (coarsest + 1, unit / 10.0);
        }
        let fields: [(&[&[&str]], i32); 3] = [
            (&[&["0"], &["1"], &["at", "0"], &["at", "1"]], coarsest),
            (&[&["velocity", "0"], &["velocity", "1"]], LEAST_DECIMALS),
            (&[&["heading_deg"]], LEAST_DECIMALS),
        ];
        let fields = fields.into_iter().skip(usize::from(self.keeps_places));
        let axes =
            ["0", "1"].into_iter().map(|axis| self.numbers(&agents, &[&[axis], &["at", axis]]));
        let axes: Vec<Vec<PartPath>> = axes.collect();
        for (fields, coarsest) in fields {
            let numbers = self.numbers(&agents, fields);
            self.round_together(&numbers, coarsest, &axes)?;
            if numbers.len() <= MAX_SINGLE_NUMBERS {
                for number in numbers {
                    self.round_together(std::slice::from_ref(&number), coarsest, &axes)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the numbers that some fields of agents have.
    fn numbers(&self, agents: &[PartPath], fields: &[&[&str]]) -> Vec<PartPath> {
        let of_agent = |agent: &PartPath| {
            let agent = agent.clone();
            fields.iter().map(move |field| [agent.clone(), path(field)].concat())
        };
        let all = agents.iter().flat_map(of_agent);
        all.filter(|number| value(&self.text, number).is_some()).collect()
    }

    /// Gives each value that the hunt has varied the one of the scenario again, or else the fewest digits.
    pub(super) fn round_values(&mut self) -> Result<(), NoThreads> {
        for (name, _, variation) in self.vary {
            let place: PartPath = name.split('.').map(str::to_owned).collect();
            let before = part(&self.probes.source().text, &place);
            // If the value changed, an earlier element was removed, and this index now names another part.
            let Some(now) = part(&self.found, &place)
                .filter(|now| part(&self.text, &place) == Some(now) && before != Some(now))
            else {
                continue;
            };
            let mut sources = vec![match before {
                Some(before) => with_part(&self.text, &place, before).unwrap_or_default(),
                None => without_parts(&self.text, std::slice::from_ref(&place)),
            }];
            if let (Some(ends), Ok(x)) = (variation.ends(), now.parse::<f32>()) {
                let plainer =
                    (LEAST_DECIMALS..digits(now)).map(|decimals| with_decimals(x, decimals));
                let inside = plainer
                    .filter(|text| text.parse().is_ok_and(|x: f32| ends[0] <= x && x <= ends[1]));
                sources.extend(inside.filter_map(|value| with_part(&self.text, &place, &value)));
            }
            sources.dedup();
            self.try_all(sources)?;
        }
        Ok(())
    }

    /// Moves events to round ticks: to the nearest ones, or to a later one if the run may end as much later.
    pub(super) fn round_events(&mut self) -> Result<(), NoThreads> {
        let read = |text: &str, place: &PartPath| part(text, place)?.parse::<u64>().ok();
        let end = path(&["ticks"]);
        for event in part_names(&self.text, &path(&["events"])) {
            for field in ["tick", "from"] {
                let place = path(&["events", &event, field]);
                let Some(tick) = read(&self.text, &place) else {
                    continue;
                };
                let nearest = |unit: u64| tick.saturating_add(unit / 2) / unit * unit;
                let later = tick.div_ceil(10) * 10;
                let moved = |to: u64| with_part(&self.text, &place, &to.to_string());
                let mut sources: Vec<String> = [100, 10]
                    .map(nearest)
                    .into_iter()
                    .filter(|to| *to != tick)
                    .filter_map(moved)
                    .collect();
                if let Some(ticks) = read(&self.text, &end).filter(|_| later != tick) {
                    let ticks = (ticks + later - tick).to_string();
                    sources.extend(moved(later).and_then(|text| with_part(&text, &end, &ticks)));
                }
                self.try_all(sources)?;
            }
        }
        self.end_earlier()
    }

    /// Gives some numbers the fewest digits with which it still fails, and at least some decimals. On each of some axes, numbers that
    /// differ stay different.
    fn round_together(
        &mut self,
        numbers: &[PartPath],
        least: i32,
        axes: &[Vec<PartPath>],
    ) -> Result<(), NoThreads> {
        if self.is_over() {
            return Ok(());
        }
        let most = numbers.iter().filter_map(|number| part(&self.text, number)).map(digits).max();
        let mut sources = Vec::new();
        for decimals in least..=most.unwrap_or_default().min(MOST_DECIMALS) {
            let mut text = self.text.clone();
            for number in numbers {
                if let Some(x) = value(&text, number)
                    && let Some(changed) = with_part(&text, number, &with_decimals(x, decimals))
                {
                    text = changed;
                }
            }
            if text == self.text {
                // It has as few digits as that already.
                break;
            }
            let joins = axes.iter().any(|axis| makes_equal(&self.text, &text, axis));
            if !joins && sources.last() != Some(&text) {
                sources.push(text);
            }
        }
        self.try_all(sources)?;
        Ok(())
    }
}

/// Returns the value of a number in a scenario.
fn value(text: &str, number: &PartPath) -> Option<f32> {
    part(text, number)?.parse().ok()
}

/// Returns whether some numbers that differ in a scenario are equal after a change.
fn makes_equal(before: &str, after: &str, numbers: &[PartPath]) -> bool {
    let values = |number| Some((value(after, number)?, value(before, number)?));
    let mut values: Vec<(f32, f32)> = numbers.iter().filter_map(values).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    values.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
}

/// Returns the number of digits after the point of a written number; negative for zeros at the end of an integer.
fn digits(text: &str) -> i32 {
    match text.split_once('.') {
        Some((_, after)) => after.len() as i32,
        None => -((text.len() - text.trim_end_matches('0').len()) as i32),
    }
}

/// Writes a number with some decimals; a negative number of them rounds to tens and hundreds.
fn with_decimals(x: f32, decimals: i32) -> String {
    match usize::try_from(decimals) {
        Ok(decimals) => rounded(x, decimals),
        Err(_) => {
            let unit = if decimals == -1 { 10.0 } else { 100.0 };
            rounded((x / unit).round() * unit, 0)
        }
    }
}
