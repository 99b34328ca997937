//! What guides the later starts of a hunt: starts that were nearly failures, and starts in which something new has happened.

use super::run_features::RunFeatures;
use super::starts::{Draw, Start, Starts};
use crate::math;

/// The starts so far that are worth changing.
pub(super) struct Guide {
    /// For each expectation, the most promising starts, the best first.
    nearest: Vec<Vec<NearStart>>,
    /// For each expectation, the margins in all runs.
    spreads: Vec<Spread>,
    /// For each expectation, its smallest margin.
    smallest: Vec<Option<f32>>,
    /// The hashes of all that has happened, sorted.
    seen: Vec<u64>,
    /// The starts in which something new has happened.
    new: Recent,
    /// The starts that the two versions ran differently, if there are two.
    different: Recent,
}

/// A start and the margin of an expectation.
struct NearStart {
    margin: f32,
    /// The margin with the other version, if there is one.
    other: Option<f32>,
    start: Start,
}

/// Number of the most promising starts of each expectation that are kept.
const KEPT: usize = 8;

/// Number of starts that are kept because something new has happened in them.
const KEPT_NEW: usize = 32;

/// The newest starts of some kind.
#[derive(Default)]
struct Recent {
    starts: Vec<Start>,
    /// How many there were.
    count: usize,
}

impl Recent {
    fn add(&mut self, start: &Start) {
        if self.starts.len() < KEPT_NEW {
            self.starts.push(start.clone());
        } else {
            // The oldest one is replaced.
            self.starts[self.count % KEPT_NEW] = start.clone();
        }
        self.count += 1;
    }

    fn choose(&self, draw: &mut Draw) -> Option<&Start> {
        self.starts.get(draw.below(self.starts.len()))
    }
}

/// The mean and the variance of margins so far (Welford).
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f32,
    mean: f32,
    squares: f32,
}

impl Spread {
    fn add(&mut self, x: f32) {
        self.count += 1.0;
        let off = x - self.mean;
        self.mean += off / self.count;
        self.squares += off * (x - self.mean);
    }

    /// Returns the standard deviation.
    fn deviation(&self) -> f32 {
        math::sqrt(self.squares / math::max(self.count, 1.0))
    }
}

impl NearStart {
    /// Returns how promising it is, from the usual change of a margin from one start to the next.
    ///
    /// With one version, the smallest margin is best. With two, both margins are thought to change by the same amount, which is
    /// wanted to be between them: then only the present version fails. The chance of that is the part of a distribution between the two
    /// margins, here one with long tails, so that starts far from a failure have an order, too.
    fn score(&self, change: f32) -> f32 {
        let below = |x: f32| x / (change + x.abs());
        match self.other {
            Some(other) => below(other) - below(self.margin),
            None => -self.margin,
        }
    }
}

impl Guide {
    pub(super) fn new(expectations: usize) -> Self {
        Self {
            nearest: (0..expectations).map(|_| Vec::new()).collect(),
            spreads: vec![Spread::default(); expectations],
            smallest: vec![None; expectations],
            seen: Vec::new(),
            new: Recent::default(),
            different: Recent::default(),
        }
    }

    /// Notes the margin of an expectation, in a run in which nothing has failed.
    pub(super) fn note_held(&mut self, expectation: usize, margin: f32, is_varied: bool) {
        self.spreads[expectation].add(margin);
        let smallest = &mut self.smallest[expectation];
        if is_varied && smallest.is_none_or(|smallest| margin < smallest) {
            *smallest = Some(margin);
        }
    }

    /// Keeps a start if it is promising for an expectation: its margin, and that with the other version, if there is one.
    pub(super) fn note_start(
        &mut self,
        expectation: usize,
        (margin, other): (f32, Option<f32>),
        start: &Start,
    ) {
        // A start says nothing about the change if the other version does no better.
        if other.is_some_and(|other| other <= margin) {
            return;
        }
        let change = self.usual_change(expectation);
        let new = NearStart { margin, other, start: start.clone() };
        let score = new.score(change);
        let nearest = &mut self.nearest[expectation];
        // The same margins are those of nearly the same start.
        if nearest.iter().any(|known| (known.margin, known.other) == (margin, other)) {
            return;
        }
        let at = nearest.partition_point(|known| known.score(change) >= score);
        if at < KEPT {
            nearest.insert(at, new);
            nearest.truncate(KEPT);
        }
    }

    /// Keeps a start if something has happened in its run that had not happened before.
    pub(super) fn note_features(&mut self, features: &RunFeatures, start: Option<&Start>) {
        let mut is_new = false;
        for feature in features.seen() {
            if let Err(place) = self.seen.binary_search(feature) {
                self.seen.insert(place, *feature);
                is_new = true;
            }
        }
        if let (true, Some(start)) = (is_new, start) {
            self.new.add(start);
        }
    }

    /// Keeps a start that the two versions have run differently.
    pub(super) fn note_difference(&mut self, start: &Start) {
        self.different.add(start);
    }

    /// Returns the smallest margin of any expectation, in units of the spread of the margins of that expectation.
    pub(super) fn least_margin(&self) -> Option<f32> {
        let scores = self.spreads.iter().zip(&self.smallest).filter_map(|(spread, smallest)| {
            let deviation = spread.deviation();
            (deviation > 0.0).then_some((*smallest)? / deviation)
        });
        scores.min_by(f32::total_cmp)
    }

    fn usual_change(&self, expectation: usize) -> f32 {
        math::max(0.5 * self.spreads[expectation].deviation(), f32::MIN_POSITIVE)
    }

    /// Returns the expectation that is nearest to failing.
    fn nearest_expectation(&self) -> Option<usize> {
        let score = |index: usize| {
            let (best, change) = (self.nearest[index].first()?, self.usual_change(index));
            let deviation = self.spreads[index].deviation();
            let scale = if best.other.is_some() { 1.0 } else { deviation };
            (deviation > 0.0).then(|| (index, best.score(change) / scale))
        };
        let scores = (0..self.nearest.len()).filter_map(score);
        scores.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(index, _)| index)
    }

    /// Returns a start that is made from those before; `None` if none is worth changing. One in five is made from a start in which
    /// something new has happened. Of the others, three in four aim at the expectation nearest to failing, the others at each in turn.
    pub(super) fn child(&self, starts: &Starts, number: u64, draw: &mut Draw) -> Option<Start> {
        let is_new = number % 5 == 4;
        let parents = if is_new { None } else { self.near_parents(number, draw) };
        let (parent, other) = match parents {
            Some(parents) => parents,
            None => {
                let is_different = draw.unit() < 0.5;
                let (first, second) = match is_different {
                    true => (&self.different, &self.new),
                    false => (&self.new, &self.different),
                };
                let parent = first.choose(draw).or_else(|| second.choose(draw))?;
                (parent, parent)
            }
        };
        Some(starts.child(parent, other, draw))
    }

    /// Returns two of the most promising starts for an expectation.
    fn near_parents(&self, number: u64, draw: &mut Draw) -> Option<(&Start, &Start)> {
        let mut target = self.nearest_expectation()?;
        if number % 4 == 3 {
            let aims: Vec<usize> = (0..self.nearest.len())
                .filter(|&index| {
                    !self.nearest[index].is_empty() && self.spreads[index].squares > 0.0
                })
                .collect();
            target = aims[(number / 4) as usize % aims.len()];
        }
        let best = &self.nearest[target];
        let unit = draw.unit();
        let parent = ((unit * unit * best.len() as f32) as usize).min(best.len() - 1);
        let other = draw.below(best.len());
        Some((&best[parent].start, &best[other].start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(margin: f32, other: Option<f32>) -> f32 {
        let start = Start::default();
        NearStart { margin, other, start }.score(1.0)
    }

    #[test]
    fn a_start_is_promising_if_a_change_of_both_margins_is_likely_to_come_between_them() {
        let [far, near, low] =
            [(9.0, 10.0), (0.1, 10.0), (0.1, 0.2)].map(|(a, b)| score(a, Some(b)));
        assert!(near > low && low > far, "{near} {low} {far}");
        // Both fail, but one of them only just.
        let [just, deep] = [(-3.0, -0.1), (-6.0, -5.9)].map(|(a, b)| score(a, Some(b)));
        assert!(just > deep && just > low, "{just} {deep} {low}");
        // Far from a failure, the larger difference is better.
        assert!(score(40.0, Some(90.0)) > score(30.0, Some(31.0)));
        // With one version, only the margin counts.
        assert!(score(1.0, None) > score(2.0, None));
    }
}
