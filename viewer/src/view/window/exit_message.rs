//! The message when the window closes: the params that are not written.
//!
//! A message is needed too for the case that Xlib ends the program: it does so if the server is gone, without an understandable message,
//! and cannot be stopped.
//!
//! When Xlib exits, the thread-local values of the calling thread are dropped. So the message is written by the destructor of
//! a thread-local value.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use flockwork_engine::live::ParamSetting;
use flockwork_engine::scenario::string_text;

use super::super::view_state::not_written;

/// Lists the params that the person has set and not written, as they would stand in the scenario. `None` if there are none.
pub(super) fn unwritten_params<'s>(
    unwritten: impl Iterator<Item = &'s ParamSetting>,
    scenario: &Path,
) -> Option<String> {
    let (mut groups, mut count) = (BTreeMap::<&str, Vec<String>>::new(), 0);
    for one in unwritten {
        groups.entry(&one.group).or_default().push(one.text());
        count += 1;
    }
    let lines = groups.iter().map(|(group, params)| {
        format!("\n    {}: (params: {{ {} }})", string_text(group), params.join(", "))
    });
    let lines: String = lines.collect();
    let path = scenario.display();
    (count > 0).then(|| format!("{} to {path}:{lines}", not_written(count)))
}

/// Makes sure that a message is written if the program ends while this value exists.
pub(super) struct ExitMessage(());

/// Calls a function when the thread ends.
struct OnThreadEnd(Option<Box<dyn FnOnce()>>);

impl Drop for OnThreadEnd {
    fn drop(&mut self) {
        if let Some(say) = self.0.take() {
            say();
        }
    }
}

thread_local! {
    static KEPT: RefCell<OnThreadEnd> = const { RefCell::new(OnThreadEnd(None)) };
}

impl ExitMessage {
    /// Registers a function that writes the message. It is called at the end of the thread unless the returned value is
    /// dropped before.
    pub(super) fn new(say: impl FnOnce() + 'static) -> Self {
        KEPT.with_borrow_mut(|kept| kept.0 = Some(Box::new(say)));
        Self(())
    }
}

impl Drop for ExitMessage {
    fn drop(&mut self) {
        // At the end of the thread, the value may already be gone.
        let _ = KEPT.try_with(|kept| kept.borrow_mut().0.take());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use flockwork_engine::math::Vec2;
    use flockwork_engine::world::Value;

    use super::*;

    #[test]
    fn params_that_are_not_written_are_listed_as_they_would_stand_in_the_scenario() {
        let setting = |group: &str, param: &str, value, is_written| ParamSetting {
            group: group.to_owned(),
            param: param.to_owned(),
            value,
            tick: 3,
            is_written,
        };
        let mut all = vec![setting("bird", "room", Value::Float(1.5), true)];
        let words = |all: &[ParamSetting]| {
            unwritten_params(all.iter().filter(|one| !one.is_written), Path::new("a.ron"))
        };
        assert_eq!(words(&all), None);
        all.push(setting("bird", "pull", Value::Float(2.0), false));
        let one = "1 param is not written to a.ron:\n    \"bird\": (params: { \"pull\": 2.0 })";
        assert_eq!(words(&all).as_deref(), Some(one));
        all.push(setting("fox", "calm", Value::Bool(true), false));
        all.push(setting("bird", "at", Value::Vector(Vec2::new(1.0, -2.5)), false));
        let all = words(&all).unwrap();
        let begin =
            "3 params are not written to a.ron:\n    \"bird\": (params: { \"pull\": 2.0, \"at\": (";
        assert!(all.starts_with(begin), "{all}");
        assert!(all.ends_with("\n    \"fox\": (params: { \"calm\": true })"), "{all}");
    }

    #[test]
    fn the_message_is_written_at_the_end_of_the_thread_unless_dropped() {
        let (sender, said) = channel();
        let last = sender.clone();
        let ended = thread::spawn(move || {
            drop(ExitMessage::new(move || sender.send("taken back").unwrap()));
            std::mem::forget(ExitMessage::new(move || last.send("said").unwrap()));
        });
        ended.join().unwrap();
        assert_eq!(said.iter().collect::<Vec<_>>(), ["said"]);
    }
}
