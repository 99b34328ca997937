//! Tests of neighborhoods, and of which of them are perceived in advance.

use super::*;
use crate::world::{Need, WantedSums};
use crate::world::{Neighborhood, Relation, View, relate};

#[test]
fn neighborhoods_are_those_of_the_agents() {
    let views = [
        (LoweredView::Fixed(View::Around), View::Around),
        (LoweredView::Fixed(View::Ahead), View::Ahead),
        (LoweredView::Over(F(1)), View::over(2.0)),
    ];
    for (edge, (look, view)) in SPACES.into_iter().flat_map(|edge| views.map(|view| (edge, view))) {
        for (group, relation) in
            [(None, None), (Some(GroupId(1)), None), (None, Some(Relation::Prey))]
        {
            for most in [None, Some(3)] {
                let mut world = full(edge);
                relate(&mut world.groups, GroupId(0), Relation::Prey, GroupId(1));
                let (active, near) = (LIVE, 0);
                let program = Program {
                    nears: vec![Near {
                        radius: F(0),
                        group,
                        relation,
                        view: look,
                        around: None,
                        most: most.map(|_| F(8)),
                        shared: most.is_none(),
                    }],
                    lists: 1,
                    ..program(vec![
                        every(OpKind::number(12.0), (), F(0)),
                        every(OpKind::number(2.0), (), F(1)),
                        every(OpKind::number(3.0), (), F(8)),
                        within(
                            active,
                            OpKind::Means(near),
                            (),
                            (I(0), V(F(2), F(3)), V(F(4), F(5))),
                        ),
                        within(active, OpKind::Push(near), (), V(F(6), F(7))),
                        within(active, OpKind::Nearest(near), (), (I(1), B(1))),
                        within(active, OpKind::First(near), (), (I(2), B(2))),
                        within(active, OpKind::List(near, 0), (), I(3)),
                        every(OpKind::ConstI(1), (), I(4)),
                        every(OpKind::Listed(0), I(4), I(5)),
                    ])
                };
                let which =
                    Neighborhood { radius: 12.0, group, relation, view, around: None, most };
                each_lane(&world, &program, |machine, me, lane| {
                    let banks = &machine.banks;
                    let sum = me.summary(&which);
                    let mut rows = Vec::new();
                    me.each_neighbor(&which, |other| rows.push(other.row as i64));
                    rows.sort_unstable();
                    assert!(!machine.is_faulted(lane));
                    assert_eq!(banks.integer(I(0), lane), i64::from(sum.count));
                    assert_eq!(banks.vector(V(F(2), F(3)), lane), sum.offsets);
                    assert_eq!(banks.vector(V(F(4), F(5)), lane), sum.velocities);
                    assert_eq!(banks.vector(V(F(6), F(7)), lane), sum.push);
                    assert_eq!(banks.boolean(B(1), lane), sum.nearest.is_some());
                    let nearest = sum.nearest.map_or(0, |(row, _)| row as i64);
                    assert_eq!(banks.integer(I(1), lane), nearest);
                    assert_eq!(banks.boolean(B(2), lane), !rows.is_empty());
                    let first = rows.first().copied().unwrap_or(0);
                    assert_eq!(banks.integer(I(2), lane), first);
                    assert_eq!(banks.integer(I(3), lane), rows.len() as i64);
                    let second = rows.get(1).copied().unwrap_or(0);
                    assert_eq!(banks.integer(I(5), lane), second);
                });
            }
        }
    }
}

#[test]
fn a_negative_or_undefined_radius_is_a_fault() {
    let world = full(Edge::Open);
    let program = Program {
        nears: vec![Near {
            radius: F(0),
            group: None,
            relation: None,
            view: LoweredView::Fixed(View::Around),
            around: None,
            most: None,
            shared: false,
        }],
        ..program(vec![within(B(1), OpKind::Push(0), (), V(F(1), F(2)))])
    };
    let radius = numbers(9);
    let machine = run_filled(&program, &world, 100, |banks| {
        for lane in 0..LANES {
            banks.set_number(F(0), lane, radius(lane));
            banks.set_boolean(B(1), lane, lane % 3 != 0);
        }
    });
    for lane in 0..100 {
        let none = radius(lane).is_nan() || radius(lane) < 0.0;
        assert_eq!(machine.is_faulted(lane), lane % 3 != 0 && none);
    }
}

#[test]
fn the_prologue_determines_what_is_perceived_in_advance() {
    let world = full(Edge::Open);
    let shared = |radius, group| Near {
        radius,
        group,
        relation: None,
        view: LoweredView::Over(F(2)),
        around: None,
        most: None,
        shared: true,
    };
    let push = |near| within(LIVE, OpKind::Push(near), (), V(F(4), F(5)));
    let mut program = Program {
        prologue: vec![
            within(LIVE, OpKind::Param(0, Type::Float), (), Columns::F(F(0))),
            every(OpKind::number(-1.0), (), F(1)),
            every(OpKind::number(1.0), (), F(2)),
        ],
        params: vec!["much".into()],
        nears: vec![
            shared(F(0), Some(GroupId(1))),
            shared(F(1), None),
            Near { shared: false, ..shared(F(0), None) },
            shared(F(0), None),
        ],
        ..program(vec![
            push(0),
            push(1),
            push(2),
            within(LIVE, OpKind::Nearest(0), (), (I(0), B(1))),
        ])
    };
    let which = Neighborhood::within(3.0).of(GroupId(1)).in_view(View::over(1.0));
    let sums = WantedSums { push: true, nearest: true, ..WantedSums::default() };
    let need = Need { neighborhood: which, sums };
    let needs = |program: &Program| Machine::<One>::default().needs(program, &world, GroupId(0));
    assert_eq!(needs(&program), [need]);
    program.prologue[0] = within(LIVE, OpKind::Param(0, Type::Int), (), I(1));
    assert_eq!(needs(&program), [], "a param of another type");
}
