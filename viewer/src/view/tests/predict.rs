//! Predicting where an agent will be, without a change of the run.

use flockwork_engine::world::AgentId;

use super::super::area::Area;
use super::super::frame::Frame;
use super::super::prediction::{Prediction, SECONDS};
use super::super::ui_command::UiCommand;
use super::*;

const FOX_ID: AgentId = AgentId(12);

impl PlayerTest {
    /// Selects the fox, opens the panel and clicks at a point of the world, all by mouse and keys.
    fn predict(&self, ui: &mut Ui, guess: Vec2) -> Arc<ViewState> {
        self.send(PlayerCommand::Select(Some(FOX_ID)));
        let state = self.wait("the fox", |state| state.next_turn.is_some());
        if !panels::predict::PANEL.is_open(ui) {
            let commands = press(Key::Ctrl('g'), ui, &state);
            assert_eq!(commands, [PlayerCommand::Pause]);
            self.send(PlayerCommand::Pause);
        }
        let at = ui.camera(&state).pixel(guess);
        let mut commands = ui.pointer_moved(Some(at), &state);
        commands.extend(ui.press(Button::Left, &state));
        commands.extend(ui.release(&state));
        let [PlayerCommand::Predict(Some(prediction))] = &commands[..] else {
            panic!("{commands:?}");
        };
        let ticks = (SECONDS[ui.predicted_time] / 0.02).round() as u64;
        let begin = state.world.tick;
        assert_eq!((prediction.begin, prediction.end), (begin, begin + ticks));
        let last = prediction.guesses.last().unwrap();
        assert!(last.distance(guess) < 0.5 && prediction.agent == FOX_ID);
        commands.into_iter().for_each(|command| self.send(command));
        self.wait("the guess", |state| {
            let now = state.prediction.as_ref().is_some_and(|one| {
                let is_there = one.prediction.guesses.iter().any(|at| at.distance(guess) < 0.5);
                one.prediction.begin == begin && is_there
            });
            now && state.hash.is_some()
        })
    }
}

/// Two seconds of a run with ticks of a second were over at once.
#[test]
fn a_run_that_plays_faster_is_predicted_farther() {
    let test = PlayerTest::new();
    let mut state = ViewState::clone(&test.at(30));
    for (speed, longest) in [(-2, 10.0), (0, 10.0), (5, 320.0)] {
        state.speed = speed;
        assert_eq!(panels::predict::seconds(&state)[2], longest);
    }
}

/// "2 s at this speed (64 s of the world)" was confusing where a tick is a second.
#[test]
fn long_ticks_are_counted_instead_of_their_seconds() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    let mut state = ViewState::clone(&test.predict(&mut ui, Vec2::new(120.0, 90.0)));
    Arc::make_mut(&mut state.world).dt = 1.0;
    let end = state.prediction.as_ref().unwrap().prediction.end;
    let text = panels::predict::words(&Frame::new(&ui, &state, None).scene);
    assert!(text.contains(&format!("in {} ticks?", end - state.world.tick)), "{text}");
    // Nobody knows how long a second is there.
    (state.prediction, state.speed) = (None, 4);
    let scene = Frame::new(&ui, &state, None).scene;
    let text = panels::predict::words(&scene);
    assert_eq!(text, "where will agent 12 be after 32 ticks? click that place");
    let tips = (panels::predict::PANEL.widgets)(&scene, Area::new(0.0, 0.0, 600.0, 66.0));
    let tips: Vec<String> =
        tips.iter().map(|one| one.tip_words().0.unwrap_or_default().to_owned()).collect();
    let about = |ticks| format!("predict where the agent is after {ticks} ticks");
    assert_eq!(tips[..3], [32, 80, 160].map(about));
    save_picture("predict_in_ticks", &ui, &state);
}

/// The fox runs to the pointer, if it sees it.
#[test]
fn a_prediction_plays_until_its_tick_and_changes_nothing() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    let guess = Vec2::new(120.0, 90.0);
    let guessed = test.predict(&mut ui, guess);
    save_picture("predicted", &ui, &guessed);
    assert_eq!((guessed.world.tick, guessed.prediction.as_ref().unwrap().way.clone()), (30, None));
    test.send(PlayerCommand::TogglePause);
    let state = test.wait("the tick of the guess", |state| {
        state.hash.is_some() && state.prediction.as_ref().is_some_and(|one| one.way.is_some())
    });
    save_picture("predicted_and_seen", &ui, &state);
    assert_eq!((state.world.tick, state.last_tick), (130, 130));
    assert_eq!(state.hash, Some(test.headless(130)));
    assert!(state.is_of_files && state.ghost.is_none() && state.world.cursor.is_none());
    // The true place, the way to it, and how far it is from the guess.
    let mut run = Run::open(&test.path(), &Options::default()).unwrap();
    let mut places = Vec::new();
    let place = |run: &Run| {
        let agents = &run.simulation().world().agents;
        agents.pos(agents.row(FOX_ID).unwrap())
    };
    while run.tick() < 130 {
        run.step().unwrap();
        places.extend((run.tick() >= 30).then(|| place(&run)));
    }
    let shown = state.prediction.as_ref().unwrap();
    let way = shown.way.as_ref().unwrap();
    assert_eq!((way.first(), way.last()), (places.first(), places.last()));
    assert!(way.iter().all(|at| places.contains(at)));
    let error = shown.errors(&state.world).unwrap()[0].length();
    assert!((error - places.last().unwrap().distance(guess)).abs() < 0.5, "{error}");
    // Going on does not stop again; going back hides what came of it.
    test.send(PlayerCommand::TogglePause);
    test.wait("time", |state| state.world.tick > 140);
    let back = test.at(100);
    assert_eq!(back.prediction.as_ref().unwrap().way, None);
    let way = test.at(150).prediction.as_ref().unwrap().way.clone();
    assert_eq!(way.unwrap().last(), places.last(), "a run to a tick does not stop there");
    assert_eq!(press(Key::Escape, &mut ui, &back), [PlayerCommand::Predict(None)]);
}

#[test]
fn another_time_and_another_agent_are_chosen_with_buttons() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((500, 400), true);
    let state = test.predict(&mut ui, Vec2::new(200.0, 150.0));
    save_picture("predicted", &ui, &state);
    for (number, end) in [(2, 530), (1, 280)] {
        let commands = UiCommand::PredictAfter(number).execute(&mut ui, &state);
        let guesses = state.prediction.as_ref().unwrap().prediction.guesses.clone();
        let prediction = Prediction { agent: FOX_ID, begin: 30, end, guesses };
        assert_eq!(commands, [PlayerCommand::Predict(Some(prediction))]);
    }
    let commands = UiCommand::PredictOther.execute(&mut ui, &state);
    assert_eq!(commands, [PlayerCommand::Predict(None), PlayerCommand::Select(None)]);
    commands.into_iter().for_each(|command| test.send(command));
    let state = test.wait("no agent", |state| state.next_turn.is_none());
    assert_eq!((&state.prediction, state.world.tick), (&None, 30));
    // Now a click selects.
    let agents = &state.world.agents;
    let at = ui.camera(&state).pixel(agents.pos(agents.row(FOX_ID).unwrap()));
    assert_eq!(ui.pointer_moved(Some(at), &state), [], "scripts do not see the pointer move");
    ui.press(Button::Left, &state);
    assert_eq!(ui.release(&state), [PlayerCommand::Select(Some(FOX_ID))]);
    save_picture("predict_whom", &ui, &state);
}

/// A class has more than one guess.
#[test]
fn several_guesses_are_compared() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    let places = [(120.0, 90.0), (60.0, 150.0), (200.0, 200.0)].map(|(x, y)| Vec2::new(x, y));
    let mut state = test.at(30);
    for place in places {
        state = test.predict(&mut ui, place);
    }
    let guesses = |state: &ViewState| state.prediction.as_ref().unwrap().prediction.guesses.len();
    assert_eq!(guesses(&state), 3);
    save_picture("predicted_by_three", &ui, &state);
    // A click on a cross takes it back.
    let at = ui.camera(&state).pixel(places[1]);
    ui.pointer_moved(Some(at), &state);
    ui.press(Button::Left, &state);
    test.send_all(ui.release(&state));
    let state = test.wait("one less", |state| guesses(state) == 2);
    test.send(PlayerCommand::TogglePause);
    let seen = test.wait("the tick of the guesses", |state| {
        state.hash.is_some() && state.prediction.as_ref().is_some_and(|one| one.way.is_some())
    });
    save_picture("predicted_by_two_and_seen", &ui, &seen);
    let errors = seen.prediction.as_ref().unwrap().errors(&seen.world).unwrap();
    let place = *seen.prediction.as_ref().unwrap().way.as_ref().unwrap().last().unwrap();
    for (error, guess) in errors.iter().zip(&state.prediction.as_ref().unwrap().prediction.guesses)
    {
        assert!((error.length() - place.distance(*guess)).abs() < 1e-3);
    }
    let words = panels::predict::words(&Frame::new(&ui, &seen, None).scene);
    assert!(words.contains("guess 1: ") && words.contains("guess 2: "), "{words}");
    // The next click is a new guess.
    ui.pointer_moved(Some(at), &seen);
    ui.press(Button::Left, &seen);
    let commands = ui.release(&seen);
    let [PlayerCommand::Predict(Some(next))] = &commands[..] else { panic!("{commands:?}") };
    assert_eq!((next.begin, next.guesses.len()), (130, 1));
}

/// The ring around the pointer crossed the number of a guess.
#[test]
fn the_ring_of_a_presenter_does_not_cover_the_numbers_of_guesses() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    let places = [(120.0, 90.0), (60.0, 150.0)].map(|(x, y)| Vec2::new(x, y));
    let [state, _] = [1, 0].map(|index| test.predict(&mut ui, places[index]));
    let state = test.wait("both", |now| {
        now.prediction.as_ref().is_some_and(|one| one.prediction.guesses.len() == 2)
            && now.world.tick == state.world.tick
    });
    ui.presented = Some(Vec::new());
    let guess = ui.camera(&state).pixel(places[0]);
    let ink = |ui: &Ui| {
        let (pixels, color) = (&drawn(ui, &state), ui.palette().highlight);
        let color = u32::from_be_bytes([0, color.red, color.green, color.blue]);
        let across = (guess.x + 12.0) as usize..(guess.x + 30.0) as usize;
        let down = (guess.y - 12.0) as usize..(guess.y + 12.0) as usize;
        let here = down.flat_map(|y| across.clone().map(move |x| pixels[y * 1280 + x]));
        here.filter(|pixel| *pixel & 0xff_ffff == color).count()
    };
    ui.pointer_moved(Some(guess + Vec2::new(200.0, 0.0)), &state);
    let plain = ink(&ui);
    ui.pointer_moved(Some(guess + Vec2::new(18.0 - 42.0, 0.0)), &state);
    save_picture("ring_and_number", &ui, &state);
    assert!(plain > 0 && ink(&ui) == plain, "{plain} and {}", ink(&ui));
}
