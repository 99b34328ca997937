//! `flockwork score`.

use snapbox::str;

use crate::project::Project;

/// Two agents meet head on at 1 m/s. The first one reaches its goal after 4 s; the other one has none.
const MEETING: &str = r#"(
    name: "Meeting, \"head on\"",
    dt: 0.05,
    ticks: 120,
    world: (size: (10, 10)),
    groups: {
        "first": (
            spawn: Points([(0, 5)]), velocity: (1, 0), body: (radius: 0.5),
            goals: [(at: (4, 5), radius: 0.04)], // check: allow(unused-goals)
            after_goals: Remove,
        ),
        "second": (spawn: Points([(5, 5)]), velocity: (-1, 0), body: (radius: 0.5)),
    },
)
"#;

fn project() -> Project {
    Project::empty().with("scenarios/meeting.ron", MEETING)
}

#[test]
fn people_see_a_table_and_a_caveat() {
    let answer = project().flockwork(&["score", "scenarios"]);
    let said = ["agents without goals: 1", "the composites reward slowness"];
    let answer = answer.says(0, &said);
    snapbox::assert_data_eq!(
        answer.out(),
        str![[r#"
scenario               agents  unfinished  collisions  time s  speed  energy  acceleration  composite01  composite02
scenarios/meeting.ron       2           0           1       5      1      50             0          105          105

"#]]
    );
}

#[test]
fn data_has_all_fields() {
    let project = project();
    let text = project.flockwork(&["score", "scenarios/meeting.ron", "--json"]).says(0, &[]).out();
    snapbox::assert_data_eq!(
        text,
        str![[r#"
[
  {
    "scenario": "Meeting, /"head on/"",
    "file": "scenarios/meeting.ron",
    "first_tick": 0,
    "last_tick": 120,
    "agents": 2,
    "without_goals": 1,
    "unfinished": 0,
    "collisions": 1.0,
    "time_s": 5.0,
    "mean_speed": 1.0,
    "kinetic_energy": 50.0,
    "acceleration": 0.0,
    "composite01": 105.0,
    "composite02": 105.0
  }
]

"#]]
    );
    let text = project.flockwork(&["score", "scenarios/meeting.ron", "--csv"]).says(0, &[]).out();
    snapbox::assert_data_eq!(
        text,
        str![[r#"
scenario,file,first_tick,last_tick,agents,without_goals,unfinished,collisions,time_s,mean_speed,kinetic_energy,acceleration,composite01,composite02
"Meeting, ""head on""",scenarios/meeting.ron,0,120,2,1,0,1.0,5.0,1.0,50.0,0.0,105.0,105.0

"#]]
    );
}

/// A longer tick changes nothing that is exact, and half the speed halves the energy.
#[test]
fn the_length_of_a_tick_does_not_matter() {
    let project = project()
        .with("scenarios/coarse.ron", MEETING.replace("0.05", "0.1").replace("120", "60"))
        .with("scenarios/slow.ron", MEETING.replace("1, 0)", "0.5, 0)").replace("120", "240"));
    let csv = project.flockwork(&["score", "scenarios", "--csv"]).says(0, &[]).out();
    let rows: Vec<Vec<f64>> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').rev().take(8).map(|cell| cell.parse().unwrap()).collect())
        .collect();
    let [coarse, meeting, slow] = &rows[..] else {
        panic!("{csv}");
    };
    assert_eq!(coarse[..7], meeting[..7]);
    let (energy, composite) = (3, 1);
    assert!((slow[energy] - meeting[energy] / 2.0).abs() < 0.5, "{csv}");
    assert!(slow[composite] < meeting[composite], "slowness is rewarded");
}
