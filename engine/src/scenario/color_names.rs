//! The names that people give to colors, and the colors that scenarios write for them.

/// Returns what to write for a color that is written in another way.
pub(super) fn color_advice(name: &str) -> String {
    match hex_of(name) {
        Some(hex) => format!("a color is written as `\"#rrggbb\"`: write `\"{hex}\"` for {name}"),
        None => "write it as `\"#rrggbb\"`, with two hexadecimal digits each for red, green and blue: `\"#e69f00\"` is orange".to_owned(),
    }
}

/// Colors that people name, with a tone of each.
const NAMED_COLORS: &[(&[&str], &str)] = &[
    (&["black"], "#000000"),
    (&["white"], "#ffffff"),
    (&["gray", "grey"], "#7f7f7f"),
    (&["red"], "#d62728"),
    (&["orange"], "#e69f00"),
    (&["yellow", "gold"], "#e3c800"),
    (&["green"], "#2ca02c"),
    (&["cyan", "teal", "turquoise"], "#17a2b8"),
    (&["blue"], "#1f77b4"),
    (&["purple", "violet"], "#9467bd"),
    (&["magenta", "pink"], "#e377c2"),
    (&["brown"], "#8c564b"),
];

/// Returns the usual names of colors, each with the color as a scenario writes it, such as `#d62728`.
pub fn named_colors() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMED_COLORS.iter().map(|(names, hex)| (names[0], *hex))
}

/// Returns a color with a name, as it is written. Case is ignored.
pub(super) fn hex_of(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    let mut all = NAMED_COLORS.iter();
    all.find_map(|(names, hex)| names.contains(&&*name).then_some(*hex))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Rgb;

    #[test]
    fn colors_with_names_can_be_read() {
        for (names, hex) in NAMED_COLORS {
            assert!(Rgb::from_hex(hex).is_some(), "{hex}");
            for name in *names {
                assert_eq!(hex_of(&name.to_uppercase()), Some(*hex));
            }
        }
        assert_eq!(hex_of("#d6272"), None);
    }
}
