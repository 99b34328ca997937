//! Whatever a person presses, the window draws on and the player answers.

use std::sync::mpsc::{Receiver, RecvTimeoutError};

use proptest::prelude::*;

use super::super::window_command::WindowCommand;
use super::*;

/// Longer than any single action may take, on a busy machine and without optimization.
const LONGEST: Duration = Duration::from_secs(60);

/// What people type into questions and files: words that are asked for, and others.
const TYPED: [&str; 12] = [
    "me.speed",
    "bird 3",
    "1e9",
    "0.000001",
    "-3",
    "12",
    "me.speed < 1",
    "fn steer(me) {\n",
    "(((",
    "\"",
    "let near = me.neighbors(30);\n",
    "äß…",
];

/// Something that a person does. Places are shares of the window.
#[derive(Clone, Debug)]
enum Deed {
    Press(Key),
    Type(usize),
    Move(f32, f32),
    Click(Button, f32, f32),
    /// A click on one of the things that can be clicked.
    ClickThing(Button, usize),
    Drag([f32; 4]),
    Wheel(f32),
    Resize(u32, u32),
    Wait,
}

fn deed() -> impl Strategy<Value = Deed> {
    let words: Vec<Key> = Key::words().collect();
    let share = || 0.0_f32..1.0;
    let button = || prop_oneof![5 => Just(Button::Left), 1 => Just(Button::Right)];
    let letter = || proptest::char::range(' ', '~');
    prop_oneof![
        6 => letter().prop_map(|one| Deed::Press(Key::Char(one))),
        2 => letter().prop_map(|one| Deed::Press(Key::Ctrl(one))),
        1 => letter().prop_map(|one| Deed::Press(Key::CtrlShift(one))),
        4 => proptest::sample::select(words).prop_map(Deed::Press),
        2 => (0..TYPED.len()).prop_map(Deed::Type),
        1 => (share(), share()).prop_map(|(x, y)| Deed::Move(x, y)),
        2 => (button(), share(), share()).prop_map(|(button, x, y)| Deed::Click(button, x, y)),
        6 => (button(), any::<usize>()).prop_map(|(button, one)| Deed::ClickThing(button, one)),
        1 => [share(), share(), share(), share()].prop_map(Deed::Drag),
        1 => prop_oneof![Just(1.0_f32), Just(-1.0)].prop_map(Deed::Wheel),
        1 => (200_u32..1500, 150_u32..1000).prop_map(|(width, height)| Deed::Resize(width, height)),
        2 => Just(Deed::Wait),
    ]
}

impl Deed {
    fn act(&self, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
        let at =
            |ui: &Ui, x: f32, y: f32| Vec2::new(ui.size.0 as f32 * x, ui.size.1 as f32 * y).floor();
        let click = |ui: &mut Ui, button: Button, to: Vec2| {
            let mut commands = ui.pointer_moved(Some(to), state);
            commands.extend(ui.press(button, state));
            commands.extend(ui.release(state));
            commands
        };
        match *self {
            Self::Press(key) => press(key, ui, state),
            Self::Type(index) => {
                let key = |letter| if letter == '\n' { Key::Enter } else { Key::Char(letter) };
                let keys = TYPED[index].chars().map(key);
                keys.flat_map(|key| press(key, ui, state)).collect()
            }
            Self::Move(x, y) => ui.pointer_moved(Some(at(ui, x, y)), state),
            Self::Click(button, x, y) => click(ui, button, at(ui, x, y)),
            Self::ClickThing(button, index) => {
                let frame = super::super::frame::Frame::new(ui, state, None);
                let centers: Vec<Vec2> =
                    frame.widgets().map(|one| (one.area.min + one.area.max) / 2.0).collect();
                drop(frame);
                match centers.get(index % centers.len().max(1)) {
                    Some(center) => click(ui, button, *center),
                    None => Vec::new(),
                }
            }
            Self::Drag([x, y, to_x, to_y]) => {
                let (from, to) = (at(ui, x, y), at(ui, to_x, to_y));
                let mut commands = ui.pointer_moved(Some(from), state);
                commands.extend(ui.press(Button::Left, state));
                commands.extend(ui.pointer_moved(Some((from + to) / 2.0), state));
                commands.extend(ui.pointer_moved(Some(to), state));
                commands.extend(ui.release(state));
                commands
            }
            Self::Wheel(by) => ui.wheel(by, state),
            Self::Resize(width, height) => {
                ui.set_scale(ui.scale.resized((width, height)));
                Vec::new()
            }
            Self::Wait => {
                thread::sleep(Duration::from_millis(20));
                Vec::new()
            }
        }
    }
}

/// Does what a person does with a window, and draws it after each deed. Tells what is done next.
fn do_all(deeds: &[Deed], told: &Sender<usize>) {
    // With something for most panels.
    let more = r#"inputs: { "go": Key("q") }, paths: { "round": (points: [(50, 50), (350, 60)], radius: 9) },
        expect: [MinSeparation(distance: 12, from: 20), MaxSpeed(speed: 70), NoOverlap()], groups:"#;
    let goals =
        r#"params: { "haste": 1.0 }, goals: [(at: (300, 200), radius: 9)], body: (radius: 5"#;
    let scenario = SCENARIO.replace("groups:", more).replace("body: (radius: 5", goals);
    let test = PlayerTest::with_scenario(&scenario);
    let mut ui = Ui::new(SIZE, false);
    ui.open_at_start(&test.shared.latest());
    for (index, deed) in deeds.iter().enumerate() {
        let _ = told.send(index);
        let state = test.shared.latest();
        ui.show_due_tip(Instant::now());
        ui.advance_files(&state);
        let mut commands = ui.follow(&state);
        ui.keep_speeds(&state);
        ui.region.keep(&state.world, state.last_tick, state.is_moving());
        commands.extend(deed.act(&mut ui, &state));
        commands.into_iter().for_each(|command| test.send(command));
        // What the window itself does: it ends, or asks other programs.
        ui.is_closing = false;
        for command in std::mem::take(&mut ui.window_commands) {
            if command == WindowCommand::Paste {
                ui.paste("a(1);\n\t// ä", &state);
            }
        }
        picture(&ui, &test.shared.latest());
    }
    // The player has not ended, and nothing keeps it for long.
    let last = test.shared.latest();
    test.send(PlayerCommand::Seek(last.first_tick));
    test.wait("the first tick", |state| state.world.tick == last.first_tick);
}

/// Returns what a person did last, if what follows takes too long or fails.
fn end_of(told: &Receiver<usize>) -> Option<usize> {
    let mut last = 0;
    loop {
        match told.recv_timeout(LONGEST) {
            Ok(index) => last = index,
            Err(RecvTimeoutError::Timeout) => return Some(last),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// A person met a window that stood still, after a zoom into a plot.
    #[test]
    fn nothing_that_a_person_does_ends_or_stops_the_window(deeds in prop::collection::vec(deed(), 1..100)) {
        let (sender, told) = channel();
        let done = deeds.clone();
        let doing = thread::spawn(move || do_all(&done, &sender));
        let stopped = end_of(&told);
        if let Some(last) = stopped {
            return Err(TestCaseError::fail(format!("it stands still after {:?}", deeds[last])));
        }
        prop_assert!(doing.join().is_ok());
    }
}
