//! `flockwork import`.

use snapbox::str;

use crate::project::Project;

/// A test case with one of everything that SteerBench's schema and SteerSuite's reader know, written for this test. The
/// comment before the XML declaration is not allowed, but real files have one.
const CASE: &str = r#"<!-- made by hand -->
<?xml version="1.0"?>
<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench">
  <header>
    <version>1.0</version>
    <name>one of everything</name>
    <description>Two people
      and a crowd.</description>
    <worldBounds> <xmin>-20</xmin> <xmax>20</xmax> <ymin>0</ymin> <ymax>0</ymax> <zmin>-10</zmin> <zmax>10</zmax> </worldBounds>
  </header>
  <suggestedCameraView>
    <position> <x>0</x> <y>1</y> <z>0</z> </position>
  </suggestedCameraView>
  <obstacle> <xmin>-4</xmin> <xmax>-3.5</xmax> <ymin>0</ymin> <ymax>1</ymax> <zmin>1.25</zmin> <zmax>3</zmax> </obstacle>
  <circleObstacle> <radius>1</radius> <height>2</height> <position> <x>0</x> <y>0</y> <z>5</z> </position> </circleObstacle>
  <orientedBoxObstacle> <thetaY>20</thetaY> <size> <x>2</x> <y>1</y> <z>0.5</z> </size> <position> <x>8</x> <y>0</y> <z>-2</z> </position> </orientedBoxObstacle>
  <polygonObstacle>
    <vertex> <x>10</x> <y>0</y> <z>5</z> </vertex> <vertex> <x>11</x> <y>0</y> <z>5</z> </vertex> <vertex> <x>10</x> <y>0</y> <z>6</z> </vertex>
  </polygonObstacle>
  <obstacleRegion>
    <numObstacles>2</numObstacles> <obstacleSize>0.5</obstacleSize> <obstacleHeight>1</obstacleHeight>
    <regionBounds> <xmin>12</xmin> <xmax>14</xmax> <ymin>0</ymin> <ymax>0</ymax> <zmin>-9</zmin> <zmax>-5</zmax> </regionBounds>
  </obstacleRegion>
  <agent>
    <name>A</name>
    <initialConditions>
      <radius>0.5</radius> <speed>1.2</speed>
      <position> <x>-10</x> <y>0</y> <z>-0.5</z> </position>
      <direction> <x>3</x> <y>0</y> <z>4</z> </direction>
    </initialConditions>
    <goalSequence>
      <seekStaticTarget> <targetLocation> <x>10</x> <y>0</y> <z>-0.5</z> </targetLocation> <desiredSpeed>1.3</desiredSpeed> <timeDuration>5</timeDuration> </seekStaticTarget>
      <idle> <desiredSpeed>1.3</desiredSpeed> <timeDuration>1000.0</timeDuration> </idle>
      <seekStaticTarget> <targetLocation> <random>true</random> </targetLocation> <desiredSpeed>1.0</desiredSpeed> <timeDuration>1000</timeDuration> </seekStaticTarget>
    </goalSequence>
  </agent>
  <agent>
    <initialConditions>
      <radius>0.25</radius> <speed>0</speed>
      <position> <random>true</random> </position>
      <direction> <random>true</random> </direction>
    </initialConditions>
    <goalSequence>
      <seekAxisAlignedBoxRegion>
        <goalRegionBounds> <xmin>-16</xmin> <xmax>-12</xmax> <ymin>0</ymin> <ymax>0</ymax> <zmin>0</zmin> <zmax>2</zmax> </goalRegionBounds>
        <desiredSpeed>1.6</desiredSpeed>
      </seekAxisAlignedBoxRegion>
    </goalSequence>
  </agent>
  <agentEmitter>
    <initialConditions>
      <radius>0.5</radius> <speed>0</speed>
      <position> <x>18</x> <y>0</y> <z>9</z> </position> <direction> <x>-1</x> <y>0</y> <z>0</z> </direction>
    </initialConditions>
    <goalSequence/>
  </agentEmitter>
  <agentRegion>
    <numAgents>30</numAgents>
    <regionBounds> <xmin>-20</xmin> <xmax>-15</xmax> <ymin>0</ymin> <ymax>0</ymax> <zmin>-10</zmin> <zmax>-20</zmax> </regionBounds>
    <initialConditions> <radius>0.5</radius> <direction> <x>0</x> <y>0</y> <z>1</z> </direction> <speed>1</speed> </initialConditions>
    <goalSequence>
      <seekStaticTarget> <targetLocation> <x>0</x> <y>0</y> <z>8</z> </targetLocation> <desiredSpeed>1.3</desiredSpeed> <timeDuration>1000</timeDuration> <flowType></flowType> </seekStaticTarget>
    </goalSequence>
  </agentRegion>
  <agentRegion>
    <numAgents>2</numAgents>
    <regionBounds> <xmin>0</xmin> <xmax>4</xmax> <ymin>0</ymin> <ymax>0</ymax> <zmin>-4</zmin> <zmax>-2</zmax> </regionBounds>
    <initialConditions> <radius>0.5</radius> <direction> <random>true</random> </direction> <speed>0</speed> </initialConditions>
    <goalSequence>
      <seekStaticTarget> <targetLocation> <random>true</random> </targetLocation> <desiredSpeed>1.3</desiredSpeed> <timeDuration>1000</timeDuration> </seekStaticTarget>
    </goalSequence>
  </agentRegion>
</SteerBenchTestCase>
"#;

/// The rule that ships as scripts/steerbench/goto.rhai, but shorter.
const GOTO: &str =
    "fn steer(me) { if me.goal == () { vec(0, 0) } else { me.to(me.goal).limit(3) } }\n";

fn project() -> Project {
    Project::empty().with("case.xml", CASE).with("scripts/steerbench/goto.rhai", GOTO)
}

#[test]
fn a_test_case_becomes_a_scenario() {
    let project = project();
    project.command(&["import", "steerbench", "case.xml"]).assert().code(0).stdout_eq(str![[r#"
// Imported from case.xml, a SteerBench test case.
//
// In its own words: Two people and a crowd.
//
// Seen from above, in meters and seconds: x and z of the file are x and y here. Not in the file: ticks of
// 0.05 s, as in SteerSuite; a run of twice the time that the longest way takes; goals that are reached within
// the radius of the agent; and the end of each agent at its last goal.
//
// Not as in the file:
// - line 20: `obstacleRegion` becomes 2 boxes at places that depend on `--seed`
// - line 57: `agentRegion` becomes a `Rect` spawn: places depend on the seed, and bodies may overlap at the
//   start
// - line 65: the 2 agents of this region are listed one by one, at places and with goals that depend on
//   `--seed`
// - line 32: `timeDuration` is left out, since an agent never gives up a goal here: 1 are shorter than this
//   run
// - the behavior is `steerbench/goto`, which walks straight to the goal; it ships as
//   scripts/steerbench/goto.rhai. Name another one with --behavior
// - line 11: `suggestedCameraView` is left out: the window finds its own view
// - line 33: `idle` is left out: a goal can only be a place to go to
// - line 34: `desiredSpeed` is left out: the agent keeps the maximum speed of its first goal
// - line 44: `seekAxisAlignedBoxRegion` becomes a circle in the middle of the box
// - line 50: `agentEmitter` becomes a single agent, the first one that it makes
// - line 59: `zmin` is above `zmax`: they are exchanged
(
    name: "one of everything",
    seed: 1,
    dt: 0.05,
    ticks: 1060,
    world: (min: (-21, -21), size: (40, 31)),
    obstacles: {
        "box 1": Box(center: (-3.75, 2.125), size: (0.5, 1.75)),
        "circle 2": Circle(center: (0, 5), radius: 1),
        "box 3": Box(center: (8, -2), size: (2, 0.5), angle_deg: -20),
        "polygon 4": Polygon([(10, 5), (11, 5), (10, 6)]),
        "square 1 of region 1": Box(center: (12.05, -8.87), size: (0.5, 0.5)),
        "square 2 of region 1": Box(center: (12.43, -5.5), size: (0.5, 0.5)),
    },
    groups: {
        "agents": (
            behavior: "steerbench/goto",
            body: (radius: 0.5, max_speed: 1.3),
            spawn: Agents([
                (at: (-10, -0.5), velocity: (0.72, 0.96), heading_deg: 53.1301, goals: [(at: (10, -0.5), radius: 0.5), (at: (-0.73, 5.79), radius: 0.5)]),   // A
                (at: (-1.22, 0.18), heading_deg: 73.2744, body: (radius: 0.25, max_speed: 1.6), goals: [(at: (-14, 1), radius: 1)]),
            ]),
            after_goals: Remove,
        ),
        "agents without goals": (
            behavior: "steerbench/goto",
            body: (radius: 0.5, max_speed: 1.3),
            spawn: Agents([
                (at: (18, 9), heading_deg: 180),
            ]),
        ),
        "region 1": (
            behavior: "steerbench/goto",
            body: (radius: 0.5, max_speed: 1.3),
            count: 30,
            spawn: Rect(min: (-20, -20), max: (-15, -10)),
            velocity: (0, 1),
            heading_deg: 90,
            goals: [(at: (0, 8), radius: 0.5)],
            after_goals: Remove,
        ),
        "region 2": (
            behavior: "steerbench/goto",
            body: (radius: 0.5, max_speed: 1.3),
            spawn: Agents([
                (at: (3.48, -2.88), heading_deg: -72.9268, goals: [(at: (13.64, 0.49), radius: 0.5)]),
                (at: (0.92, -2.63), heading_deg: -125.7301, goals: [(at: (3.45, 4.13), radius: 0.5)]),
            ]),
            after_goals: Remove,
        ),
    },
    expect: [
        ReachAll(group: "agents"),
        ReachAll(group: "region 1"),
        ReachAll(group: "region 2"),
    ],
)

"#]]);
}

#[test]
fn an_imported_test_case_can_be_checked_run_and_scored() {
    let project = project();
    let import = ["import", "steerbench", "case.xml", "--out", "scenarios/case.ron"];
    project
        .flockwork(&["import", "steerbench", "case.xml", "--out", "no/case.ron"])
        .says(2, &["no"]);
    let project = project.with("scenarios/empty.ron", "");
    project.flockwork(&import).says(0, &["`idle` is left out", "wrote scenarios/case.ron"]);
    std::fs::remove_file(project.path("scenarios/empty.ron")).unwrap();
    let text = project.read("scenarios/case.ron");
    // A file that a person has edited is never replaced.
    project.flockwork(&import).says(2, &["cannot write scenarios/case.ron"]);
    assert_eq!(project.read("scenarios/case.ron"), text);
    project.flockwork(&["check"]).says(0, &["0 errors"]);
    let score =
        project.flockwork(&["score", "scenarios/case.ron"]).says(0, &["agents without goals: 1"]);
    let row = score.out().lines().nth(1).unwrap().to_owned();
    let row: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(
        row[..3],
        ["scenarios/case.ron", "35", "0"],
        "all agents that have goals reach them"
    );
    // Other seeds draw other places.
    let with_seed = |seed| {
        project.flockwork(&["import", "steerbench", "case.xml", "--seed", seed]).says(0, &[]).out()
    };
    assert_eq!(with_seed("1"), text);
    assert_ne!(with_seed("2"), text);
    let other = ["import", "steerbench", "case.xml", "--behavior", "mine"];
    assert!(project.flockwork(&other).out().contains("behavior: \"mine\""));
}

/// A room with an obstacle, a corridor that is not parallel to the axes, and a point.
const AREA: &str = "GEOMETRYCOLLECTION (
    POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (2 2, 3 2, 3 3, 2 2)),
    POLYGON ((10 1, 14 2, 14 4, 10 3, 10 1)), POINT (3 4))";

#[test]
fn a_walkable_area_becomes_walls_and_comes_back() {
    let project = Project::empty().with("area.wkt", AREA);
    let import = project.command(&["import", "wkt", "area.wkt"]).assert().code(0);
    import.stdout_eq(str![[r#"
// Imported from area.wkt, a walkable area.
//
// - line 3: `POINT` is left out: it has no area
// - there is one agent, which stands: give it a `behavior`, and more agents to its group
(
    seed: 1,
    dt: 0.05,
    ticks: 600,
    world: (min: (-1, -1), size: (16, 8)),
    obstacles: {
        "wall 1": Segment(from: (0, 0), to: (10, 0)),
        "wall 2": Segment(from: (10, 0), to: (10, 1)),
        "wall 3": Segment(from: (10, 1), to: (14, 2)),
        "wall 4": Segment(from: (14, 2), to: (14, 4)),
        "wall 5": Segment(from: (14, 4), to: (10, 3)),
        "wall 6": Segment(from: (10, 3), to: (10, 6)),
        "wall 7": Segment(from: (10, 6), to: (0, 6)),
        "wall 8": Segment(from: (0, 6), to: (0, 0)),
        "obstacle 1": Polygon([(2, 2), (3, 3), (3, 2)]),
    },
    groups: {
        "walkers": (
            body: (radius: 0.2, max_speed: 1.3),
            spawn: Points([(6.13, 3.08)]),
        ),
    },
)

"#]]);
    let text = project.flockwork(&["import", "jupedsim", "area.wkt"]).out();
    assert_eq!(text, project.flockwork(&["import", "wkt", "area.wkt"]).out());
    let project = project.with("scenarios/area.ron", text);
    project.flockwork(&["check", "scenarios"]).says(0, &["0 errors"]);
    let exported = project.flockwork(&["export", "wkt", "scenarios/area.ron"]).says(0, &[]).out();
    assert_eq!(
        exported,
        "POLYGON ((0 0, 10 0, 10 1, 14 2, 14 4, 10 3, 10 6, 0 6, 0 0), (2 2, 3 3, 3 2, 2 2))\n"
    );
    let project = project.with("exported.wkt", exported);
    let again = project.flockwork(&["import", "wkt", "exported.wkt"]).out();
    let fields = |text: &str| text.split_once("(\n").unwrap().1.to_owned();
    assert_eq!(fields(&again), fields(&project.read("scenarios/area.ron")));
}

#[test]
fn an_area_that_is_a_box_becomes_a_room() {
    let project = Project::empty().with("a.wkt", "POLYGON ((0 0, 12 0, 12 4, 0 4, 0 0))");
    let text = project.flockwork(&["import", "wkt", "a.wkt", "--behavior", "walk"]).out();
    assert!(text.contains("\"room\": Room(min: (0, 0), max: (12, 4)),"), "{text}");
    assert!(text.contains("behavior: \"walk\""), "{text}");
    // Single precision would round these to half a meter.
    let far = "POLYGON ((395131.25 5268347.5, 395141.25 5268347.5, 395141.25 5268351.5, 395131.25 5268351.5))";
    let project = Project::empty().with("a.wkt", far);
    let answer = project.flockwork(&["import", "wkt", "a.wkt"]);
    let text = answer.says(0, &["all coordinates are moved by (-395131, -5268347)"]).out();
    assert!(text.contains("Room(min: (0.25, 0.5), max: (10.25, 4.5))"), "{text}");
}

/// Two rooms with a door between them and one to the outside, written for this test.
const GEOMETRY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<geometry version="0.8" caption="two rooms" unit="m">
  <rooms>
    <room id="0" caption="hall">
      <subroom id="0" closed="0" class="subroom">
        <polygon caption="wall"> <vertex px="10" py="2"/> <vertex px="10" py="0"/> <vertex px="0" py="0"/> <vertex px="0" py="4"/> <vertex px="10" py="4"/> <vertex px="10" py="3"/> </polygon>
        <obstacle id="0" caption="desk" closed="1" height="1">
          <polygon> <vertex px="2" py="1"/> <vertex px="3" py="1"/> <vertex px="3" py="2"/> <vertex px="2" py="1"/> </polygon>
        </obstacle>
      </subroom>
    </room>
    <room id="1" caption="corridor">
      <subroom id="0" closed="0" class="corridor">
        <polygon caption="wall"> <vertex px="10" py="2"/> <vertex px="14" py="2"/> </polygon>
        <polygon caption="wall"> <vertex px="10" py="3"/> <vertex px="14" py="3"/> </polygon>
      </subroom>
    </room>
  </rooms>
  <transitions>
    <transition id="0" caption="door" type="normal" room1_id="0" subroom1_id="0" room2_id="1" subroom2_id="0"> <vertex px="10" py="2"/> <vertex px="10" py="3"/> </transition>
    <transition id="1" caption="exit" type="normal" room1_id="1" subroom1_id="0" room2_id="-1" subroom2_id="-1"> <vertex px="14" py="2"/> <vertex px="14" py="3"/> </transition>
  </transitions>
</geometry>
"#;

#[test]
fn a_geometry_of_jupedsim_becomes_walls() {
    let project = Project::empty().with("rooms.xml", GEOMETRY);
    let import = project.command(&["import", "jupedsim", "rooms.xml"]).assert().code(0);
    import.stdout_eq(str![[r#"
// Imported from rooms.xml, a geometry of JuPedSim.
//
// - transition `door` from (10, 2) to (10, 3)
// - transition `exit` from (14, 2) to (14, 3)
// - there is one agent, which stands: give it a `behavior`, and more agents to its group
(
    seed: 1,
    dt: 0.05,
    ticks: 600,
    world: (min: (-1, -1), size: (16, 6)),
    obstacles: {
        "wall 1": Segment(from: (10, 2), to: (10, 0)),
        "wall 2": Segment(from: (10, 0), to: (0, 0)),
        "wall 3": Segment(from: (0, 0), to: (0, 4)),
        "wall 4": Segment(from: (0, 4), to: (10, 4)),
        "wall 5": Segment(from: (10, 4), to: (10, 3)),
        "wall 6": Segment(from: (10, 2), to: (14, 2)),
        "wall 7": Segment(from: (10, 3), to: (14, 3)),
        "obstacle 1": Polygon([(2, 1), (3, 1), (3, 2)]),
    },
    groups: {
        "walkers": (
            body: (radius: 0.2, max_speed: 1.3),
            spawn: Points([(5.07, 1.95)]),
        ),
    },
)

"#]]);
}

#[test]
fn a_table_of_starts_becomes_agents() {
    let table = "group,x,y,vx,vy,radius,goal_x,goal_y,goal_radius,state.calm,state.floor\n\
        adults,1,2,,,0.25,9,2,0.5,true,3\nadults, 1.5 ,2.5,1,0,,,,,,2\n\"the kids\",0,0,,,,,,,,\n";
    let project = Project::empty().with("people.csv", table);
    let import = project.command(&["import", "csv", "people.csv", "--behavior", "walk"]).assert();
    import.code(0).stdout_eq(str![[r#"
// Imported from people.csv, where agents start.
(
    seed: 1,
    dt: 0.05,
    ticks: 600,
    world: (min: (-1, -1), size: (11, 5)),
    groups: {
        "adults": (
            behavior: "walk",
            public: { "calm": true, "floor": 3 },
            spawn: Agents([
                (at: (1, 2), body: (radius: 0.25), goals: [(at: (9, 2), radius: 0.5)], state: { "calm": true, "floor": 3 }),
                (at: (1.5, 2.5), velocity: (1, 0), state: { "floor": 2 }),
            ]),
        ),
        "the kids": (
            behavior: "walk",
            spawn: Agents([
                (at: (0, 0)),
            ]),
        ),
    },
)

"#]]);
}

#[test]
fn a_timetable_becomes_events() {
    let project =
        Project::empty().with("trains.csv", "seconds,group,count\n0.5,walkers,3\n12,walkers,\n");
    let answer = project.flockwork(&["import", "csv", "trains.csv"]);
    let text = answer.says(0, &["all agents come at (0, 0): say in `spawn` where they come"]).out();
    let project = project.with("scenarios/trains.ron", text.clone());
    assert!(text.contains("At(tick: 10, do: Spawn(group: \"walkers\", count: 3)),"), "{text}");
    assert!(text.contains("At(tick: 240, do: Spawn(group: \"walkers\", count: 1)),"), "{text}");
    project.flockwork(&["check", "scenarios"]).says(0, &["0 errors"]);
}

#[test]
fn a_wrong_table_is_an_error_at_its_place() {
    for (table, expected) in [
        ("a,b\n1,2\n", ["no columns `x` and `y`", "t.csv:1:1"]),
        ("x,y,vel\n1,2,3\n", ["no meaning for the column `vel`", "columns: group, x, y"]),
        ("x,y,x\n1,2,3\n", ["the column `x` is there twice", "t.csv:1:1"]),
        ("x,y\n1,2\n1,two\n", ["`y` must be a number, found `two`", "t.csv:3:1"]),
        ("x,y\n1,2\n1\n", ["this row has 1 cells, but the table has 2 columns", "t.csv:3:1"]),
        ("x,y,vx,vy\n1,2,3,\n", ["fill both `vx` and `vy`", "t.csv:2:1"]),
        ("x,y\n", ["the table has no rows", "t.csv:1:1"]),
        ("tick,seconds,group\n1,2,a\n", ["fill either `tick` or `seconds`", "t.csv:2:1"]),
        ("tick,group,count\n1,a,2\n3,a,0.5\n", ["`count` must be an integer", "t.csv:3:1"]),
    ] {
        let project = Project::empty().with("t.csv", table);
        project.flockwork(&["import", "csv", "t.csv"]).says(2, &expected);
    }
}
