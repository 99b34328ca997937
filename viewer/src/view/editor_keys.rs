//! What keys and the mouse do in the text of a file, for the help. The text itself handles them: [`TextEdit`](super::text_edit::TextEdit)
//! and the files of [`Ui`](super::ui::Ui).

/// Keys and what they do.
type KeyRow = (&'static str, &'static str);

/// The key that writes the fix of the line.
pub(super) const FIX_KEY: &str = "ctrl+.";

/// The keys while the person types in a file, under their headings.
pub(super) const KEYS: &[(&str, &[KeyRow])] = &[
    (
        "Change",
        &[
            ("ctrl+z", "undo"),
            ("ctrl+y or ctrl+shift+z", "do it again"),
            ("ctrl+x", "cut the selected text, or the line"),
            ("ctrl+c", "copy the selected text, or the line"),
            ("ctrl+v", "paste"),
            ("ctrl+/", "make the selected lines comments, or code"),
            ("alt+up or alt+down", "move the selected lines; with shift: copy them"),
            ("ctrl+shift+k", "delete the selected lines"),
            ("tab", "indent the selected lines"),
            ("shift+tab", "take an indentation back"),
            ("enter or shift+enter", "begin a new line; ctrl+enter: below this one"),
            ("backspace or delete", "delete the selected text, or a character"),
            ("ctrl+backspace or ctrl+delete", "delete a word"),
        ],
    ),
    (
        "Complete",
        &[
            ("ctrl+space", "list what can be written at the cursor"),
            ("up or down", "in that list: select a row"),
            ("tab or enter", "in that list: write the selected row"),
            (FIX_KEY, "write the fix that is offered in the line"),
            ("esc", "close the list; twice without one: stop typing, keys act on the run again"),
        ],
    ),
    (
        "Move",
        &[
            ("left or right", "by a character; all of these with shift: select"),
            ("up or down", "by a line"),
            ("ctrl+left or ctrl+right", "by a word"),
            ("home or end", "to an end of the line"),
            ("page up or page down", "by twenty lines"),
            ("ctrl+home or ctrl+end", "to an end of the file"),
            ("ctrl+a", "select everything"),
            ("ctrl+g", "go to a line by its number"),
            ("F8 or shift+F8", "go to the next problem, or to the one before"),
            ("F12", "go to the definition of the name; shift: list its uses"),
            ("F2 or shift+F2", "rename the name at the cursor in all files"),
            ("alt+left", "go back to where you were before"),
        ],
    ),
    (
        "Find and replace",
        &[
            ("ctrl+f", "find words"),
            ("ctrl+h", "find words and replace them"),
            ("enter", "in the box: the next place, or replace this one"),
            ("shift+enter", "in the box: the place before"),
            ("ctrl+enter", "in the box: replace all"),
            ("esc", "close the box, and leave the cursor there"),
        ],
    ),
];

/// What the mouse does in a text.
pub(super) const MOUSE: &[KeyRow] = &[
    ("click", "type there; with ctrl: go to the definition of a name; with shift: select"),
    ("double click", "select a word; a third click: the line"),
    ("drag", "select text; at the left edge of the files: make them wider"),
    ("stay", "on a name: what it means, and what is wrong there"),
];
