//! With every instruction set of this processor, columns hold the same bits as a loop over the neighbors, and that loop
//! finds the same as testing all other agents in the order of slots.

use proptest::prelude::*;
use pulp::{Scalar, Scalar128b, Simd};

use super::*;
use crate::math;
use crate::world::{Edge, Me, NeighborSummary, NewAgent, Space, View, relate};

/// The bits of all sums, for comparison.
type Bits = (u32, [u32; 6], Option<(usize, u32)>);

fn bits(sum: &NeighborSummary) -> Bits {
    let NeighborSummary { offsets, velocities, push, .. } = sum;
    let floats = [offsets.x, offsets.y, velocities.x, velocities.y, push.x, push.y];
    (
        sum.count,
        // The bits of a NaN are not guaranteed.
        floats.map(|x| if x.is_nan() { f32::NAN } else { x }.to_bits()),
        sum.nearest.map(|(row, d)| (row, d.to_bits())),
    )
}

/// Returns the sums from testing all other agents.
fn brute_force(world: &World, row: usize, which: &Neighborhood) -> NeighborSummary {
    let (agents, me) = (&world.agents, world.me(row));
    let mut sum = NeighborSummary::EMPTY;
    for &other in world.agents.motions.rows() {
        let other = other as usize;
        let offset = world.space.offset_inside(me.pos(), agents.pos(other));
        let squared = offset.x * offset.x + offset.y * offset.y;
        let along = me.heading().x * offset.x + me.heading().y * offset.y;
        let shown = match which.view {
            View::Around => true,
            View::Ahead => along > 0.0,
            View::Cone { cos_half } => along >= cos_half * math::sqrt(squared),
        };
        let of_group = which.group.is_none_or(|group| group == agents.group[other]);
        let of_relation = which.relation.is_none_or(|relation| {
            world.group(me.group_id()).relations.groups(relation).contains(&agents.group[other])
        });
        let near = which.radius >= 0.0 && squared <= which.radius * which.radius;
        if other == row || !near || !shown || !of_group || !of_relation {
            continue;
        }
        sum.count += 1;
        sum.offsets += offset;
        sum.velocities += agents.vel(other);
        let mut push = -offset * (1.0 / squared);
        if squared <= 1e-30 {
            world.me(row).each_neighbor(which, |met| {
                if met.row == other {
                    push = met.push_at_same_place();
                }
            });
        }
        sum.push += push;
        let order = |d: f32, row: usize| (d, row);
        if sum.nearest.is_none_or(|(best, least)| order(squared, other) < order(least, best)) {
            sum.nearest = Some((other, squared));
        }
    }
    sum
}

/// Returns the columns computed with one instruction set, as summaries by row; `None` where there is no column.
fn columns<S: Simd>(
    simd: S,
    world: &World,
    needs: &[Vec<Need>],
) -> Vec<(Need, Vec<Option<NeighborSummary>>)> {
    let mut columns = Perception::default();
    columns.fill_with(world, needs, &|part| simd.vectorize(part));
    let mut found = Vec::new();
    for need in needs.iter().flatten() {
        let rows = (0..world.agents.len()).map(|row| {
            let ready = columns.find(world.agents.group[row], &need.neighborhood)?;
            let slot = world.agents.motions.slot(row);
            let means = ready.means().map_or_else(MeanSums::default, |means| means.at(slot));
            Some(NeighborSummary {
                count: means.count,
                offsets: means.offsets,
                velocities: means.velocities,
                push: ready.push().map_or(Vec2::ZERO, |push| push.at(slot)),
                nearest: ready.nearest().and_then(|nearest| nearest.at(slot)),
            })
        });
        found.push((*need, rows.collect()));
    }
    found
}

fn check<S: Simd>(simd: S, world: &World, needs: &[Vec<Need>]) -> Result<(), TestCaseError> {
    let name = format!("{simd:?}");
    for (need, rows) in columns(simd, world, needs) {
        for (row, ready) in rows.into_iter().enumerate() {
            let group = usize::from(world.agents.group[row].0);
            let asked = needs.get(group).into_iter().flatten();
            let sums = asked
                .filter(|other| other.neighborhood == need.neighborhood)
                .fold(WantedSums::default(), |all, other| all.and(other.sums));
            let Some(ready) = ready else {
                let some = (sums.means || sums.push) && need.neighborhood.radius >= 0.0;
                prop_assert!(!some, "{name}: nothing for {row}, {need:?}");
                continue;
            };
            let walk = Me::new(world, row, Vec2::ZERO).sum_by_loop(&need.neighborhood);
            let mut part = NeighborSummary::EMPTY;
            if sums.means {
                (part.count, part.offsets, part.velocities) =
                    (walk.count, walk.offsets, walk.velocities);
            }
            if sums.push {
                part.push = walk.push;
            }
            if sums.nearest {
                part.nearest = walk.nearest;
            }
            prop_assert_eq!(bits(&ready), bits(&part), "{}: row {}, {:?}", name, row, need);
        }
    }
    Ok(())
}

fn check_all(world: &World, needs: &[Vec<Need>]) -> Result<(), TestCaseError> {
    for need in needs.iter().flatten() {
        for row in (0..world.agents.len()).step_by(1 + world.agents.len() / 200) {
            let me = Me::new(world, row, Vec2::ZERO);
            let walk = me.sum_by_loop(&need.neighborhood);
            prop_assert_eq!(
                me.nearest_by_search(&need.neighborhood),
                walk.nearest,
                "row {}, {:?}",
                row,
                need
            );
            let brute = brute_force(world, row, &need.neighborhood);
            prop_assert_eq!(bits(&walk), bits(&brute), "row {}, {:?}", row, need);
        }
    }
    check(Scalar, world, needs)?;
    check(Scalar128b, world, needs)?;
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V3::try_new() {
            check(simd, world, needs)?;
        }
        if let Some(simd) = pulp::x86::V4::try_new() {
            check(simd, world, needs)?;
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(simd) = pulp::aarch64::Neon::try_new() {
        check(simd, world, needs)?;
    }
    Ok(())
}

/// Returns coordinates anywhere, and often at borders of cells, at the edge, or at those of other agents.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -50.0f32..50.0,
        2 => (-10i32..=10).prop_map(|i| i as f32 * 5.0),
        1 => prop_oneof![Just(-0.0f32), Just(-50.0), Just(49.999_996), Just(1e-20)],
    ]
}

fn agent() -> impl Strategy<Value = (u16, Vec2, Vec2)> {
    let pair = |x, y| (x, y).prop_map(|(x, y)| Vec2::new(x, y));
    (0u16..3, pair(coordinate(), coordinate()), pair(coordinate(), coordinate()))
}

fn need() -> impl Strategy<Value = Need> {
    let radius = prop_oneof![
        4 => 0.0f32..15.0,
        2 => 0.0f32..120.0,
        1 => prop_oneof![
            Just(0.0f32), Just(-1.0), Just(f32::INFINITY), Just(f32::NAN), Just(5.0), Just(50.0)
        ],
    ];
    let view = prop_oneof![
        3 => Just(View::Around),
        1 => Just(View::Ahead),
        1 => (0.0f32..7.0).prop_map(View::over),
    ];
    let group = prop_oneof![3 => Just(None), 1 => (0u16..3).prop_map(|id| Some(GroupId(id)))];
    let relation = prop_oneof![
        3 => Just(None),
        1 => prop_oneof![Just(Relation::Prey), Just(Relation::Predator), Just(Relation::Ally)]
            .prop_map(Some),
    ];
    (radius, view, group, relation, any::<(bool, bool, bool)>()).prop_map(
        |(radius, view, group, relation, (means, push, nearest))| Need {
            neighborhood: Neighborhood { radius, group, relation, view, around: None, most: None },
            sums: WantedSums { means, push, nearest },
        },
    )
}

fn world(agents: &[(u16, Vec2, Vec2)], edge: Edge, size: Vec2, scale: f32) -> World {
    let mut world = World::example(&[]);
    world.space = Space { edge, min: size * -0.5 * scale, size: size * scale };
    let group = world.groups[0].clone();
    world.groups = vec![group; 3];
    // The first two groups have the same prey, and the third one is its own ally.
    relate(&mut world.groups, GroupId(0), Relation::Prey, GroupId(2));
    relate(&mut world.groups, GroupId(1), Relation::Prey, GroupId(2));
    relate(&mut world.groups, GroupId(0), Relation::Ally, GroupId(1));
    relate(&mut world.groups, GroupId(2), Relation::Ally, GroupId(2));
    for &(group, pos, vel) in agents {
        let new = NewAgent { pos: pos * scale, vel, heading: None, sequence: 0 };
        world.add(GroupId(group), new);
    }
    world.index();
    world
}

fn edge() -> impl Strategy<Value = Edge> {
    prop_oneof![2 => Just(Edge::Wrap), 1 => Just(Edge::Open), 1 => Just(Edge::Bounce)]
}

proptest! {
    #[test]
    fn columns_equal_the_loop_and_the_loop_equals_brute_force(
        agents in prop_oneof![
            3 => prop::collection::vec(agent(), 0..150),
            1 => prop::collection::vec(agent(), 500..1100),
        ],
        needs in prop::collection::vec(prop::collection::vec(need(), 0..3), 3),
        same in any::<bool>(),
        edge in edge(),
        size in prop_oneof![Just((100.0, 100.0)), Just((100.0, 3.0)), Just((8.0, 100.0))],
        scale in prop_oneof![20 => Just(1.0f32), 1 => Just(4e36)],
    ) {
        let needs = if same { vec![needs[0].clone(); 3] } else { needs };
        let scale = if edge == Edge::Open { scale } else { 1.0 };
        check_all(&world(&agents, edge, Vec2::new(size.0, size.1), scale), &needs)?;
    }
}

#[test]
fn sums_over_a_crowd_at_one_place_equal_the_loop() {
    let agents: Vec<_> =
        (0..100).map(|i| (0, Vec2::splat((i / 70) as f32), Vec2::new(i as f32, 1.0))).collect();
    let all = WantedSums { means: true, push: true, nearest: true };
    let need = Need { neighborhood: Neighborhood::within(2.0), sums: all };
    let world = world(&agents, Edge::Wrap, Vec2::splat(100.0), 1.0);
    check_all(&world, &[vec![need], vec![], vec![]]).unwrap();
}

#[test]
fn columns_become_invalid_when_an_agent_may_move() {
    let mut world =
        world(&[(0, Vec2::ZERO, Vec2::ZERO), (0, Vec2::X, Vec2::ZERO)], Edge::Open, Vec2::ONE, 1.0);
    let which = Neighborhood::within(2.0);
    let sums = WantedSums { means: true, ..WantedSums::default() };
    world.perceive(&[vec![Need { neighborhood: which, sums }], vec![], vec![]]);
    assert!(world.perceived(GroupId(0), &which).is_some());
    assert!(world.perceived(GroupId(1), &which).is_none());
    let asked = world.perceived(GroupId(0), &which);
    assert!(asked.is_some_and(|ready| ready.push().is_none()));
    assert!(world.clone().perceived(GroupId(0), &which).is_none(), "a copy may be changed");
    world.index();
    assert!(world.perceived(GroupId(0), &which).is_none());
}

#[test]
fn many_agents_at_one_place_have_the_same_sums_in_columns_and_in_loops() {
    let mut agents = vec![(0u16, Vec2::splat(20.0), Vec2::X); 150];
    agents.extend((0..150).map(|i| (0, Vec2::new(20.0 + 0.01 * i as f32, 20.0), Vec2::Y)));
    for sums in [(false, true, false), (true, true, true)] {
        let sums = WantedSums { means: sums.0, push: sums.1, nearest: sums.2 };
        let need = Need { neighborhood: Neighborhood::within(10.0), sums };
        for edge in [Edge::Open, Edge::Wrap] {
            let world = world(&agents, edge, Vec2::splat(100.0), 1.0);
            check_all(&world, &[vec![need], vec![need], vec![need]]).unwrap();
        }
    }
}
