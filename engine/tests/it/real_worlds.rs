//! Scenarios that ship and stand for something in the real world, compared with what is known about it.

use std::f64::consts::PI;
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::math::{Vec2, direction};
use flockwork_engine::sim::Simulation;
use flockwork_engine::world::{Agent, GroupId, Value};
use flockwork_engine::{Batch, Options, Run, Setting};

use crate::support::{ShippedScripts, folder, text};

#[test]
fn the_fireflies_fall_into_step() {
    // The length of the mean of the phases as directions: near 0 if all flash at different times, 1 if at the same one.
    let order = |simulation: &Simulation| {
        let world = simulation.world();
        let phases = world.iter().map(|agent| match agent.state("phase") {
            Some(Value::Float(phase)) => direction(phase),
            other => panic!("{other:?}"),
        });
        (phases.sum::<Vec2>() / world.agents.len() as f32).length()
    };
    let orders = |coupling: Option<&str>| {
        let options = Options::default().settings(coupling.map(|set| set.parse().unwrap()));
        let mut run = Run::open(&folder("scenarios/fireflies.ron"), &options).unwrap();
        let before = order(run.simulation());
        (0..1800).for_each(|_| run.step().unwrap());
        (before, order(run.simulation()))
    };
    let (before, after) = orders(None);
    assert!(before < 0.4 && after > 0.9, "{before}, then {after}");
    let (_, alone) = orders(Some("fireflies.coupling=0"));
    assert!(alone < 0.5, "{alone}");
}

/// Returns the share of the food that ants have brought home after each 100 ticks, of a variant of the scenario, and the shares of the
/// three piles that are left then, the nearest one first.
fn food_brought_home(seed: u64, change: [&str; 2]) -> Vec<(f32, [f32; 3])> {
    let ants = text("ants");
    assert!(ants.contains(change[0]));
    let source = Source::new("ants.ron", ants.replace(change[0], change[1]));
    let options = Options::default().seed(seed);
    let mut run = Run::new(&source, &ShippedScripts::default(), &options).unwrap();
    let piles = |run: &Run| {
        let food = &run.simulation().world().layers[0];
        let mut left = [0.0; 3];
        for (index, amount) in food.amounts.iter().enumerate() {
            let center = food.center(index);
            left[if center.x > 0.0 { 0 } else { 1 + usize::from(center.y > 0.0) }] += amount;
        }
        left
    };
    let first = piles(&run);
    let mut shares = Vec::new();
    for _ in 0..20 {
        (0..100).for_each(|_| run.step().unwrap());
        let world = run.simulation().world();
        let brought = world.members(GroupId(1)).map(|ant| match ant.state("brought") {
            Some(Value::Float(brought)) => brought,
            other => panic!("{other:?}"),
        });
        let now = piles(&run);
        let left = [0, 1, 2].map(|pile| now[pile] / first[pile]);
        shares.push((brought.sum::<f32>() / first.iter().sum::<f32>(), left));
    }
    shares
}

#[test]
fn ants_bring_food_home_by_trails_that_evaporate() {
    for seed in 1..=3 {
        let trails = food_brought_home(seed, ["ticks", "ticks"]);
        let lasting = food_brought_home(seed, ["evaporation: 1.054", "evaporation: 0.0"]);
        let none = food_brought_home(seed, ["\"scent\": 60", "\"scent\": 0"]);
        // The piles in their order, one after another: while there is food nearer to the nest, few ants find the way to the farthest.
        let (_, left) = trails.iter().find(|(_, left)| left[0] < 0.01).unwrap();
        assert!(left[2] > 0.8, "seed {seed}: {left:?}");
        let (_, left) = trails.iter().find(|(_, left)| left[1] < 0.15).unwrap();
        assert!(left[2] > 0.7, "seed {seed}: {left:?}");
        assert!(trails[19].0 > 0.98, "seed {seed}: {:?}", trails[19]);
        // A scent that stays leads everywhere, so the piles shrink together.
        let (_, left) = lasting.iter().find(|(_, left)| left[1] < 0.15).unwrap();
        assert!(left[2] < 0.65, "seed {seed}: {left:?}");
        // Ants that find food by chance need longer for the nearest pile.
        let nearest = |runs: &[(f32, [f32; 3])]| runs.iter().position(|(_, left)| left[0] < 0.01);
        assert!(nearest(&trails) < nearest(&none), "seed {seed}");
        // Trails that evaporate bring everything home first.
        let time = |runs: &[(f32, [f32; 3])]| runs.iter().position(|(brought, _)| *brought > 0.999);
        assert!(time(&trails) < time(&lasting), "seed {seed}");
        assert!(time(&trails) <= time(&none), "seed {seed}");
    }
}

#[test]
fn each_sheep_that_is_caught_feeds_one_wolf() {
    // No sheep starves, so all that are gone were caught.
    let fed = ["sheep.meal=1000", "sheep.birth_rate=0.03"].map(|set| set.parse().unwrap());
    let options = Options::default().settings(fed);
    let mut run = Run::open(&folder("scenarios/wolves_and_sheep.ron"), &options).unwrap();
    let mut caught = 0;
    for _ in 0..120 {
        let before = Arc::clone(run.simulation().world());
        let number =
            |simulation: &Simulation, row, name| match simulation.minds().state(row).get(name) {
                Some(Value::Float(number)) => *number,
                other => panic!("{name}: {other:?}"),
            };
        let wolf = |simulation: &Simulation, id| {
            let row = simulation.world().agents.row(id)?;
            Some((number(simulation, row, "energy"), number(simulation, row, "eaten")))
        };
        let wolves: Vec<_> = before.members(GroupId(1)).map(|one| one.id()).collect();
        let known: Vec<_> = wolves.iter().map(|&id| wolf(run.simulation(), id).unwrap()).collect();
        run.step().unwrap();
        let simulation = run.simulation();
        let mut eaten = 0.0;
        for (&id, (energy, meals)) in wolves.iter().zip(known) {
            let Some((after, now)) = wolf(simulation, id) else { continue };
            let expected = energy - 1.0 + 20.0 * meals;
            // Half of it may be a cub's.
            let is = |energy: f32| (after - energy).abs() < 1e-3;
            assert!(
                is(expected) || is(expected / 2.0),
                "{id}: {energy}, then {after}, not {expected}"
            );
            eaten += now;
        }
        let world = simulation.world();
        let gone = before.members(GroupId(0)).filter(|one| world.agents.row(one.id()).is_none());
        let gone = gone.count();
        // Wolves that leave do not hunt any more.
        assert_eq!(eaten, gone as f32, "at tick {}", world.tick);
        caught += gone;
    }
    assert!(caught > 500, "{caught}");
}

/// Returns the numbers of sheep and wolves in 600 ticks.
fn sheep_and_wolves(seed: u64, settings: Option<&str>) -> Vec<[usize; 2]> {
    let options = Options::default().seed(seed).settings(settings.map(|set| set.parse().unwrap()));
    let mut run = Run::open(&folder("scenarios/wolves_and_sheep.ron"), &options).unwrap();
    let counts = (0..600).map(|_| {
        run.step().unwrap();
        [0, 1].map(|group| run.simulation().world().members(GroupId(group)).count())
    });
    counts.collect()
}

/// Returns how alike the numbers of sheep and those of wolves a number of ticks later are: from -1 to 1.
fn correlation(counts: &[[usize; 2]], later: usize) -> f64 {
    let pairs = counts.iter().zip(&counts[later..]);
    let pairs: Vec<[f64; 2]> = pairs.map(|(now, then)| [now[0] as f64, then[1] as f64]).collect();
    let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / pairs.len() as f64;
    let means = [mean(0), mean(1)];
    let sum = |a: usize, b: usize| -> f64 {
        pairs.iter().map(|pair| (pair[a] - means[a]) * (pair[b] - means[b])).sum()
    };
    sum(0, 1) / (sum(0, 0) * sum(1, 1)).sqrt()
}

/// Caught: all wolves were gone after 209 ticks, and then the sheep only filled the world.
#[test]
fn wolves_and_sheep_go_up_and_down_together() {
    let mut died_out = 0;
    for seed in 1..=5 {
        let counts = sheep_and_wolves(seed, None);
        let least = |group: usize| counts.iter().map(|count| count[group]).min();
        let most = |group: usize| counts.iter().map(|count| count[group]).max();
        for group in [0, 1] {
            let (least, most) = (least(group).unwrap(), most(group).unwrap());
            assert!(least > 10 && 2 * most > 3 * least, "seed {seed}: {least} to {most}");
        }
        // Many sheep become many wolves, which leave few sheep.
        let (now, later) = (correlation(&counts, 0), correlation(&counts, 60));
        assert!(now < -0.3 && later > 0.5, "seed {seed}: {now}, then {later}");

        let [sheep, wolves] = sheep_and_wolves(seed, Some("wolves.meal=8"))[599];
        assert!(sheep > 200 && wolves == 0, "seed {seed}: {sheep} sheep, and wolves starve");
        // The paradox of enrichment (Rosenzweig 1971): with more food, numbers swing further, until one of them is 0.
        let rich = sheep_and_wolves(seed, Some("sheep.meal=8"));
        died_out += usize::from(rich[599][1] == 0);
        assert!(rich.iter().any(|count| count[0] > 2 * most(0).unwrap()), "seed {seed}");
    }
    assert!(died_out > 0);
}

/// Cars on a ring in theory: drivers of the intelligent driver model, with the numbers of the scenario.
struct Ring {
    cars: f64,
    /// In meters.
    length: f64,
}

impl Ring {
    const DESIRED: f64 = 15.0;
    const HEADWAY: f64 = 1.0;
    const LEAST_GAP: f64 = 2.0;
    const ACCELERATION: f64 = 1.0;
    const BRAKING: f64 = 1.5;

    fn gap(&self) -> f64 {
        self.length / self.cars - 5.0
    }

    /// Returns the speed at which nobody accelerates if all have the same gap.
    fn speed(&self) -> f64 {
        let (mut low, mut high) = (0.0, Self::DESIRED);
        for _ in 0..60 {
            let speed: f64 = (low + high) / 2.0;
            let wanted = Self::LEAST_GAP + Self::HEADWAY * speed;
            let keeps = wanted / (1.0 - (speed / Self::DESIRED).powi(4)).sqrt();
            if keeps < self.gap() { low = speed } else { high = speed }
        }
        low
    }

    /// Returns the derivatives of the acceleration at this speed: by the gap, by the own speed, and by the speed of the car ahead.
    fn derivatives(&self) -> [f64; 3] {
        let (gap, speed) = (self.gap(), self.speed());
        let wanted = Self::LEAST_GAP + Self::HEADWAY * speed;
        let by_wanted = -2.0 * Self::ACCELERATION * wanted / gap.powi(2);
        let by_nearing = by_wanted * speed / (2.0 * (Self::ACCELERATION * Self::BRAKING).sqrt());
        let free = -4.0 * Self::ACCELERATION * speed.powi(3) / Self::DESIRED.powi(4);
        let by_gap = -by_wanted * wanted / gap;
        [by_gap, free + by_wanted * Self::HEADWAY + by_nearing, -by_nearing]
    }

    /// Returns whether long waves die out in a long row of cars: string stability.
    fn is_string_stable(&self) -> bool {
        let [by_gap, by_speed, by_ahead] = self.derivatives();
        by_speed.powi(2) - by_ahead.powi(2) > 2.0 * by_gap
    }

    /// Returns the rate at which the wave grows that fits around the ring and grows fastest, per second.
    ///
    /// A wave with the phase k from car to car changes as exp(x t), where x^2 = (by_speed + by_ahead e) x + by_gap (e - 1) with
    /// e = exp(-i k).
    fn growth(&self) -> f64 {
        let [by_gap, by_speed, by_ahead] = self.derivatives();
        let rate = |wave: u32| {
            let (sin, cos) = (-2.0 * PI * f64::from(wave) / self.cars).sin_cos();
            let (b_re, b_im) = (by_speed + by_ahead * cos, by_ahead * sin);
            let root_of = (
                b_re * b_re - b_im * b_im + 4.0 * by_gap * (cos - 1.0),
                2.0 * b_re * b_im + 4.0 * by_gap * sin,
            );
            // The real part of a complex root is not negative, so this is the larger one of both solutions.
            let root = ((root_of.0.hypot(root_of.1) + root_of.0) / 2.0).max(0.0).sqrt();
            (b_re + root) / 2.0
        };
        (1..=self.cars as u32 / 2).map(rate).fold(f64::MIN, f64::max)
    }
}

/// Speeds of cars: the mean, the standard deviation and the lowest one.
struct Speeds {
    mean: f64,
    deviation: f64,
    lowest: f64,
}

/// Drives on the ring of `traffic` with so many cars and a first driver who brakes for so many seconds. Returns the speeds at times, in
/// seconds.
fn traffic<const N: usize>(cars: u32, brakes_for: f64, times: [u64; N]) -> [Speeds; N] {
    let setting = format!("cars.brakes_for={brakes_for:.1}").parse().unwrap();
    let options = Options::default().agents(cars).settings([setting]);
    let mut run = Run::open(&folder("scenarios/traffic.ron"), &options).unwrap();
    times.map(|time| {
        while run.simulation().world().tick < 10 * time {
            run.step().unwrap();
        }
        let speeds: Vec<f64> =
            run.simulation().world().iter().map(|car| f64::from(car.vel().length())).collect();
        assert_eq!(speeds.len(), cars as usize);
        let mean = speeds.iter().sum::<f64>() / f64::from(cars);
        let variance =
            speeds.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>() / f64::from(cars);
        let lowest = speeds.iter().copied().fold(f64::MAX, f64::min);
        Speeds { mean, deviation: variance.sqrt(), lowest }
    })
}

#[test]
fn traffic_that_nobody_disturbs_has_the_speed_of_the_formula() {
    for cars in (6..=30).step_by(4) {
        let expected = Ring { cars: f64::from(cars), length: 230.0 }.speed();
        let [speeds] = traffic(cars, 0.0, [60]);
        let error = (speeds.mean / expected - 1.0).abs();
        assert!(error < 0.003, "{cars} cars: {}, expected {expected}", speeds.mean);
        assert!(speeds.deviation < 0.003 * expected, "{cars} cars: {}", speeds.deviation);
    }
}

#[test]
fn a_small_disturbance_of_traffic_grows_or_dies_out_as_the_theory_says() {
    let mut signs = Vec::new();
    for cars in 12..=22 {
        let ring = Ring { cars: f64::from(cars), length: 230.0 };
        let [before, after] = traffic(cars, 0.1, [60, 100]);
        let rate = (after.deviation / before.deviation).ln() / 40.0;
        let expected = ring.growth();
        let tolerance = 0.001 + 0.15 * expected.abs();
        assert!((rate - expected).abs() < tolerance, "{cars} cars: {rate}, expected {expected}");
        signs.push(rate > 0.0);
        // On a ring that is a hundred times as long, waves are so long that string stability decides.
        let long = Ring { cars: 100.0 * ring.cars, length: 100.0 * ring.length };
        assert_eq!(long.growth() < 0.0, ring.is_string_stable(), "{cars} cars");
    }
    // Up to 16 cars drive evenly.
    let expected: Vec<bool> = (12..=22).map(|cars| cars > 16).collect();
    assert_eq!(signs, expected);
}

#[test]
fn one_driver_who_brakes_makes_a_jam_of_22_cars_and_none_of_12() {
    let [jam] = traffic(22, 2.0, [120]);
    assert!(jam.deviation > 2.5 && jam.lowest < 1e-3, "{} {}", jam.deviation, jam.lowest);
    let [early, late] = traffic(12, 2.0, [15, 120]);
    assert!(early.deviation > 0.5 && late.deviation < 0.002, "{}", late.deviation);
}

/// Numbers of healthy, sick and immune walkers.
type Health = [f64; 3];

/// Returns the mean numbers in runs of the scenario `epidemic` with so many seeds, after each of so many seconds.
fn epidemic(recovery: f64, seeds: u64, seconds: usize, change: [&str; 2]) -> Vec<Health> {
    let source = text("epidemic");
    assert!(source.contains(change[0]));
    let source = Source::new("epidemic.ron", source.replace(change[0], change[1]));
    let setting: Setting = format!("recovery={recovery}").parse().unwrap();
    let options = |seed| Options::default().seed(seed).settings([setting.clone()]);
    let options: Vec<Options> = (0..seeds).map(options).collect();
    let mut batch = Batch::new(&source, &ShippedScripts::default(), &options).unwrap();
    let mut means = Vec::new();
    loop {
        let mut mean = [0.0; 3];
        for run in batch.runs() {
            let world = run.simulation().world();
            assert_eq!(world.agents.len(), 100);
            for (group, mean) in (0..).zip(&mut mean) {
                *mean += world.members(GroupId(group)).count() as f64 / seeds as f64;
            }
        }
        means.push(mean);
        if means.len() > seconds {
            return means;
        }
        for _ in 0..10 {
            assert_eq!(batch.step(), seeds as usize);
        }
    }
}

/// The rate at which a sick walker would infect 100 healthy ones whom it meets by chance: their density in 50 x 50, times the area within
/// reach, times the rate for each.
const CONTACTS: f64 = 100.0 / 2500.0 * PI * 36.0 * 0.0625;

/// Returns the solution of the differential equations of Kermack and McKendrick after each second.
fn kermack_mckendrick(recovery: f64) -> Vec<Health> {
    let [mut healthy, mut sick] = [90.0, 10.0];
    let mut seconds = Vec::new();
    for step in 0..=60_000 {
        if step % 1000 == 0 {
            seconds.push([healthy, sick, 100.0 - healthy - sick]);
        }
        let infected = 0.001 * CONTACTS * healthy * sick / 100.0;
        healthy -= infected;
        sick += infected - 0.001 * recovery * sick;
    }
    seconds
}

/// Returns the mean numbers of a hundred walkers who meet by chance, after each second: the equations for the probability of each number.
fn by_chance(recovery: f64) -> Vec<Health> {
    const STEP: f64 = 0.02;
    let mut likely = vec![[0.0; 101]; 91];
    likely[90][10] = 1.0;
    let mut seconds = Vec::new();
    for step in 0..=3000 {
        if step % 50 == 0 {
            let mut mean = [0.0; 3];
            for (healthy, row) in likely.iter().enumerate() {
                for (sick, share) in row.iter().enumerate() {
                    let (healthy, sick) = (healthy as f64, sick as f64);
                    mean[0] += share * healthy;
                    mean[1] += share * sick;
                    mean[2] += share * (100.0 - healthy - sick);
                }
            }
            seconds.push(mean);
        }
        let mut next = likely.clone();
        for (healthy, row) in likely.iter().enumerate() {
            // More than a hundred walkers are impossible.
            for (sick, &share) in row.iter().enumerate().take(101 - healthy).skip(1) {
                let share = STEP * share * sick as f64;
                let infected = share * CONTACTS * healthy as f64 / 100.0;
                let recovered = share * recovery;
                next[healthy][sick] -= infected + recovered;
                next[healthy][sick - 1] += recovered;
                if healthy > 0 {
                    next[healthy - 1][sick + 1] += infected;
                }
            }
        }
        likely = next;
    }
    seconds
}

/// Returns how many walkers never fall ill: the solution of the equation of the final size.
fn final_size(recovery: f64) -> f64 {
    (0..1000).fold(50.0, |healthy: f64, _| {
        90.0 * (-CONTACTS / recovery * (100.0 - healthy) / 100.0).exp()
    })
}

/// Returns the largest difference of an epidemic from the expected course, in walkers.
fn difference(walkers: &[Health], expected: &[Health]) -> f64 {
    let pairs = walkers.as_flattened().iter().zip(expected.as_flattened());
    pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

/// Compares walkers who are fast enough to meet by chance with the equations. The mean of the runs has a standard error of one walker.
fn compare_with_equations(recovery: f64, seeds: u64, seconds: usize) {
    let faster = ["max_speed: 10, max_force: 40", "max_speed: 40, max_force: 320"];
    let walkers = epidemic(recovery, seeds, seconds, faster);
    let off = difference(&walkers, &by_chance(recovery));
    assert!(off < 3.5, "{off} of 100 walkers");
    // The differential equations are about many people. A hundred vary by chance, which delays their epidemic in the mean.
    let off = difference(&walkers, &kermack_mckendrick(recovery));
    assert!(off < 6.0, "{off} of 100 walkers");
    let off = walkers[seconds][0] - final_size(recovery);
    assert!(off.abs() < 4.0, "{off} of 100 walkers");
}

#[test]
fn an_epidemic_among_walkers_who_mix_is_as_the_equations_say() {
    compare_with_equations(0.1, 60, 60);
}

#[test]
fn an_epidemic_that_does_not_begin_ends_as_the_equations_say() {
    const { assert!(CONTACTS < 0.3) };
    compare_with_equations(0.3, 200, 30);
}

#[test]
fn walkers_who_do_not_mix_fall_ill_more_slowly() {
    let fast = epidemic(0.1, 40, 60, ["ticks", "ticks"]);
    let off = difference(&fast, &by_chance(0.1));
    assert!(off < 6.0, "{off} of 100 walkers");
    let slow = epidemic(0.1, 20, 60, ["max_speed: 10", "max_speed: 0.5"]);
    assert!(slow[60][0] > fast[60][0] + 10.0, "{:?} {:?}", slow[60], fast[60]);
}

/// Leaves the hall of `hearsay` with voices that reach so far, in meters. Returns the tick at which all have left, and how many did so
/// before the door closed.
fn hearsay(voice: f32) -> (u64, usize) {
    const SIGHT: f32 = 4.0;
    const CLOSES: u64 = 200;
    let settings = [format!("people.voice={voice:.1}").parse().unwrap()];
    let options = Options::default().settings(settings);
    let mut run = Run::open(&folder("scenarios/hearsay.ron"), &options).unwrap();
    let door = Vec2::new(42.0, 10.0);
    let knows = |person: &Agent<'_>| person.state("knows") == Some(Value::Bool(true));
    let mut early = 0;
    loop {
        let before = Arc::clone(run.simulation().world());
        if before.agents.is_empty() {
            return (before.tick, early);
        }
        assert!(before.tick < 2000, "{} people are still there", before.agents.len());
        run.step().unwrap();
        let after = run.simulation().world();
        let is_closed = before.tick >= CLOSES;
        early = if is_closed { early } else { 60 - after.agents.len() };
        let sees = |person: &Agent<'_>| is_closed && person.pos().distance(door) < SIGHT + 1e-4;
        let speakers: Vec<Vec2> = before
            .iter()
            .filter(|person| knows(person) || sees(person))
            .map(|person| person.pos())
            .collect();
        for person in after.iter() {
            let was = before.agent(before.agents.row(person.id()).unwrap());
            if !knows(&person) {
                // Others may push back.
                assert!(person.vel().x > -0.5, "{} turns", person.id());
            } else if !knows(&was) && !sees(&was) {
                let hears = |speaker: &Vec2| speaker.distance(was.pos()) < voice + 1e-4;
                assert!(speakers.iter().any(hears), "{} at tick {}", person.id(), before.tick);
            }
        }
    }
}

#[test]
fn people_leave_by_hearsay_and_nobody_knows_what_it_could_not_hear() {
    let (told, early) = hearsay(2.0);
    let (silent, early_too) = hearsay(0.0);
    assert!((10..25).contains(&early) && early == early_too, "{early} {early_too}");
    assert!(told < 800, "{told}");
    assert!(silent > 1100, "{told} with voices, {silent} without");
}
