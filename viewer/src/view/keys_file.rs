//! The file in which a person gives the actions of the window other keys.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use flockwork_engine::load::{make_folder, read};
use flockwork_engine::{Diagnostic, OutputFile};
use serde::Deserialize;

use super::key::{Key, Keys};
use super::keys::{set, usual};
use crate::user_folder;

/// The file, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct KeysFile {
    preset: Preset,
    /// The keys of actions, by the name of the action.
    keys: BTreeMap<String, Vec<String>>,
}

/// The keys of the actions that the file does not name.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
enum Preset {
    #[default]
    Usual,
    /// For the mouse in the left hand: what is used most is on the right side of the keyboard.
    LeftHanded,
}

/// The keys that differ from the usual ones for the mouse in the left hand.
const LEFT_HANDED: &[(&str, Key)] = &[
    ("follow", Key::Char(';')),
    ("forces", Key::Char('\\')),
    ("run_again", Key::Ctrl('l')),
    ("run_all_again", Key::Ctrl('k')),
    ("compare_params", Key::Ctrl('j')),
    ("plot_expression", Key::Ctrl('h')),
    ("undo", Key::Ctrl('u')),
    ("redo", Key::Ctrl('i')),
    ("write", Key::Ctrl('o')),
    ("open_scenario", Key::Ctrl('m')),
];

/// Uses the keys of the person's file from now on, if there is one.
///
/// # Errors
///
/// If the file cannot be used.
pub(super) fn use_own_keys() -> Result<(), Diagnostic> {
    let file = path();
    if let Some(own) = file.as_deref().map(read_keys).transpose()?.flatten() {
        set(own);
    }
    Ok(())
}

/// Returns the path of the file, in the folder for the settings of this user. `None` if there is none.
pub(super) fn path() -> Option<PathBuf> {
    Some(user_folder::config()?.join("keys.ron"))
}

/// Reads the keys. `None` if there is no file.
///
/// # Errors
///
/// If the file cannot be read, names an action or a key that is none, or gives two actions the same key.
pub(super) fn read_keys(path: &Path) -> Result<Option<Keys>, Diagnostic> {
    if !path.exists() {
        return Ok(None);
    }
    let source = read(path)?;
    let wrong =
        |why: String| Diagnostic::error(format!("{}: {why}. The usual keys are used", source.name));
    let file: KeysFile = ron::from_str(&source.text).map_err(|error| wrong(error.to_string()))?;
    with_keys(usual(), &file).map(Some).map_err(wrong)
}

/// Returns the keys with the changes of a file, or why it cannot be used.
fn with_keys(mut keys: Keys, file: &KeysFile) -> Result<Keys, String> {
    if matches!(file.preset, Preset::LeftHanded) {
        for (action, key) in LEFT_HANDED {
            give(&mut keys, action, vec![*key])?;
        }
    }
    for (action, names) in &file.keys {
        let read = |name: &String| {
            let wrong = || {
                format!(
                    "`{name}` is not a key; keys are written as `a`, `+`, `ctrl+s`, `ctrl+shift+p`, `page up` and `F5`"
                )
            };
            match Key::from_name(name) {
                Some(Key::Char('0'..='9') | Key::Backspace) => Err(format!(
                    "`{name}` cannot be a key: digits and backspace are typed to go to a tick"
                )),
                key => key.ok_or_else(wrong),
            }
        };
        give(&mut keys, action, names.iter().map(read).collect::<Result<_, _>>()?)?;
    }
    let mut known: Vec<(Key, &str)> = Vec::new();
    for binding in keys.all() {
        for key in &binding.keys {
            if let Some((_, other)) = known.iter().find(|(other, _)| other == key) {
                return Err(format!(
                    "`{key}` is the key of both `{other}` and `{}`: give one of them another, or `[]` for none",
                    binding.name
                ));
            }
            known.push((*key, binding.name));
        }
    }
    Ok(keys)
}

fn give(keys: &mut Keys, action: &str, new: Vec<Key>) -> Result<(), String> {
    let mut all = keys.sections.iter_mut().flat_map(|section| &mut section.keys);
    let Some(binding) = all.find(|binding| binding.name == action) else {
        let names = usual();
        let unknown = Diagnostic::error(format!("there is no action `{action}`"))
            .suggest(action, names.all().map(|binding| binding.name));
        return Err(unknown.all_in_one_line());
    };
    binding.set_keys(new);
    Ok(())
}

/// Writes a file in which all actions are listed and none has another key. A file that exists stays as it is.
///
/// # Errors
///
/// If that is not possible.
pub(super) fn create(path: &Path) -> Result<(), Diagnostic> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    OutputFile::create_new(path)?.write_whole(text())
}

/// Returns the contents of a file that changes nothing.
fn text() -> String {
    let mut text = "\
// Keys of `flockwork view`. They are read when a window opens.
(
    // Usual, or LeftHanded if you hold the mouse in the left hand.
    preset: Usual,
    // Take the // away from an action to give it other keys, or [] for none.
    keys: {
"
    .to_owned();
    for section in usual().sections {
        let _ = writeln!(text, "        // {}", section.title);
        for binding in section.keys {
            let keys: Vec<String> =
                binding.keys.iter().map(|key| format!("{:?}", key.to_string())).collect();
            let _ = writeln!(
                text,
                "        // {:?}: [{}], // {}",
                binding.name,
                keys.join(", "),
                binding.does
            );
        }
    }
    text + "    },\n)\n"
}

#[cfg(test)]
mod tests {
    use super::super::ui_command::UiCommand;
    use super::*;

    fn read_text(text: &str) -> Result<Keys, String> {
        let file: KeysFile = ron::from_str(text).map_err(|error| error.to_string())?;
        with_keys(usual(), &file)
    }

    #[test]
    fn actions_get_other_keys() {
        let keys =
            read_text("(keys: { \"pause\": [\"ctrl+k\", \"space\"], \"quit\": [] })").unwrap();
        let pause = keys.of_command(UiCommand::TogglePause).unwrap();
        assert_eq!((pause.label.as_str(), pause.keys.len()), ("ctrl+k or space", 2));
        assert_eq!(keys.of_key(Key::Ctrl('k')), Some(pause));
        assert_eq!(keys.of_key(Key::Char('q')), None);
        let left = read_text("(preset: LeftHanded)").unwrap();
        assert_eq!(left.of_key(Key::Char(';')).unwrap().name, "follow");
        // Digits and backspace never reach an action.
        let is_typed = |key: &Key| matches!(key, Key::Char('0'..='9') | Key::Backspace);
        assert!(!left.all().any(|binding| binding.keys.iter().any(is_typed)));
    }

    #[test]
    fn what_is_wrong_in_the_file_is_said() {
        for (text, expected) in [
            ("(keys: { \"puase\": [\"p\"] })", "there is no action `puase`; did you mean `pause`?"),
            ("(keys: { \"pause\": [\"strg+p\"] })", "`strg+p` is not a key"),
            (
                "(keys: { \"pause\": [\"ctrl+q\"] })",
                "`ctrl+q` is the key of both `pause` and `quit`",
            ),
            ("(keys: { \"pause\": [\"8\"] })", "`8` cannot be a key"),
            // What has no action of its own while a tick is typed.
            ("(keys: { \"pause\": [\"backspace\"] })", "`backspace` cannot be a key"),
            ("(key: {})", "key"),
            ("(preset: Left)", "Left"),
        ] {
            let error = read_text(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_new_file_changes_nothing_and_each_of_its_lines_can_be_used() {
        let written = text();
        let labels = |keys: &Keys| keys.all().map(|one| one.label.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&read_text(&written).unwrap()), labels(&usual()));
        let active = written.replace("        // \"", "        \"");
        assert_eq!(labels(&read_text(&active).unwrap()), labels(&usual()));
    }
}
