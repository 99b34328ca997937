//! Pictures of two runs in a terminal: as graphics where the terminal says that it has them, otherwise as half blocks in color.

use std::env;
use std::io::{self, IsTerminal};

use console::Term;

use super::super::terminal;
use crate::draw::Picture;
use crate::report::RunComparison;

/// How a terminal shows pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Graphics {
    /// The protocol of kitty.
    Kitty,
    /// The protocol of iTerm2.
    Iterm,
    /// Half blocks in 24-bit colors.
    TrueColor,
    /// Half blocks in 256 colors.
    Palette,
}

/// Length of the longer side of a picture that a terminal scales itself, in pixels.
const PICTURE_SIDE: f32 = 800.0;
/// Number of the columns that the widest picture takes.
const MAX_COLUMNS: u16 = 80;
/// Number of rows that are left for text.
const TEXT_ROWS: u16 = 6;
/// The length of the pieces in which kitty takes a picture.
const KITTY_PIECE: usize = 4096;

impl Graphics {
    /// Returns how the terminal shows pictures; `None` if it does not, or if the standard output is no terminal.
    pub(super) fn of_terminal() -> Option<Self> {
        let is_allowed = io::stdout().is_terminal() && terminal::are_colors_allowed();
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        is_allowed.then(|| Self::from_variables(variable))?
    }

    /// Returns how a terminal shows pictures that sets these variables.
    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let is = |name: &str, values: &[&str]| {
            variable(name).is_some_and(|value| values.contains(&&*value))
        };
        let term = variable("TERM").unwrap_or_default();
        let is_multiplexed = variable("TMUX").is_some()
            || variable("STY").is_some()
            || term.starts_with("tmux")
            || term.starts_with("screen");
        // A multiplexer inherits the variables of the terminal, but does not pass its graphics on.
        if term == "dumb" {
            None
        } else if !is_multiplexed && (term == "xterm-kitty" || term == "xterm-ghostty") {
            Some(Self::Kitty)
        } else if !is_multiplexed
            && (is("TERM_PROGRAM", &["iTerm.app", "WezTerm"]) || is("LC_TERMINAL", &["iTerm2"]))
        {
            Some(Self::Iterm)
        } else if is("COLORTERM", &["truecolor", "24bit"]) || variable("WT_SESSION").is_some() {
            Some(Self::TrueColor)
        } else {
            term.contains("256color").then_some(Self::Palette)
        }
    }

    /// Returns the picture of two runs, with what the terminal needs to show it.
    pub(super) fn text(self, compared: &RunComparison) -> String {
        let (rows, columns) = Term::stdout().size();
        let (width, height) = (columns.min(MAX_COLUMNS), rows.saturating_sub(TEXT_ROWS).max(4));
        // As wide as possible; a row is as high as two columns are wide.
        let wide = compared.small_picture(2.0 * f32::from(width));
        let too_high = wide.size().1 as f32 / (4.0 * f32::from(height));
        let width = if too_high > 1.0 { f32::from(width) / too_high } else { f32::from(width) };
        let png = || base64(&compared.small_picture(PICTURE_SIDE).png());
        match self {
            Self::Kitty => kitty(&png(), width as u32),
            Self::Iterm => {
                format!("\x1b]1337;File=inline=1;width={}:{}\x07\n", width as u32, png())
            }
            Self::TrueColor => blocks(&compared.small_picture(2.0 * width), true_color),
            Self::Palette => blocks(&compared.small_picture(2.0 * width), palette_color),
        }
    }
}

/// Returns a picture in the protocol of kitty.
fn kitty(png: &str, columns: u32) -> String {
    let mut text = String::new();
    let mut rest = png;
    let mut start = format!("f=100,a=T,c={columns},");
    while !rest.is_empty() {
        // Base64 has one byte for each character.
        let (piece, after) = rest.split_at(rest.len().min(KITTY_PIECE));
        let more = u8::from(!after.is_empty());
        text += &format!("\x1b_G{start}m={more};{piece}\x1b\\");
        (rest, start) = (after, String::new());
    }
    text + "\n"
}

/// Returns a picture of half blocks, with two pixels of the picture for each column, and four for each row.
fn blocks(picture: &Picture, color: fn([u32; 3]) -> String) -> String {
    let (width, height) = (picture.size().0 as usize, picture.size().1 as usize);
    let pixels: Vec<u32> = picture.rgb().collect();
    let mean = |x: usize, y: usize| {
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| {
            let (x, y) = ((2 * x + right).min(width - 1), (2 * y + down).min(height - 1));
            pixels[y * width + x]
        });
        [16, 8, 0].map(|shift| four.iter().map(|pixel| pixel >> shift & 255).sum::<u32>() / 4)
    };
    let mut text = String::new();
    for row in 0..height.div_ceil(4) {
        for x in 0..width.div_ceil(2) {
            let (upper, lower) = (color(mean(x, 2 * row)), color(mean(x, 2 * row + 1)));
            text += &format!("\x1b[38;{upper};48;{lower}m▀");
        }
        text += "\x1b[0m\n";
    }
    text
}

fn true_color([red, green, blue]: [u32; 3]) -> String {
    format!("2;{red};{green};{blue}")
}

/// Returns the nearest of the 6 x 6 x 6 colors that every terminal with 256 colors has.
fn palette_color(color: [u32; 3]) -> String {
    let [red, green, blue] = color.map(|part| (part * 5 + 127) / 255);
    format!("5;{}", 16 + 36 * red + 6 * green + blue)
}

/// Returns bytes in Base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | usize::from(*three.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let digit = DIGITS[bits >> (18 - 6 * i) & 63];
            text.push(if i <= three.len() { digit.into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Color;

    #[test]
    fn terminals_get_the_best_that_they_say_they_have() {
        let graphics = |variables: &[(&str, &str)]| {
            Graphics::from_variables(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        let (kitty, iterm) = (("TERM", "xterm-kitty"), ("TERM_PROGRAM", "iTerm.app"));
        let (many, colors) = (("TERM", "xterm-256color"), ("COLORTERM", "truecolor"));
        for (variables, is) in [
            (&[kitty, colors][..], Some(Graphics::Kitty)),
            (&[iterm, many], Some(Graphics::Iterm)),
            (&[("LC_TERMINAL", "iTerm2"), many], Some(Graphics::Iterm)),
            (&[colors, many], Some(Graphics::TrueColor)),
            (&[many], Some(Graphics::Palette)),
            (&[iterm, ("TERM", "tmux-256color")], Some(Graphics::Palette)),
            (&[iterm, colors, many, ("TMUX", "/tmp/tmux")], Some(Graphics::TrueColor)),
            (&[("TERM", "vt100")], None),
            (&[("TERM", "dumb"), colors], None),
            (&[], None),
        ] {
            assert_eq!(graphics(variables), is, "{variables:?}");
        }
    }

    #[test]
    fn two_rows_of_colors_share_a_row_of_half_blocks() {
        let color = |red, blue| Color { red, green: 0, blue, alpha: 255 };
        let mut picture = Picture::new((2, 4), color(255, 0));
        picture.fill_rect((0.0, 2.0).into(), (2.0, 4.0).into(), color(0, 255));
        assert_eq!(blocks(&picture, true_color), "\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m\n");
        assert_eq!(blocks(&picture, palette_color), "\x1b[38;5;196;48;5;21m▀\x1b[0m\n");
        // Cells at the rim may have fewer pixels.
        assert_eq!(blocks(&Picture::new((3, 5), color(0, 0)), true_color).lines().count(), 2);
    }

    #[test]
    fn pictures_are_sent_as_base64_in_pieces() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob~?", "Zm9vYn4/")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        let sent = kitty(&"A".repeat(KITTY_PIECE + 4), 30);
        let begin = "\x1b_Gf=100,a=T,c=30,m=1;AAAA";
        assert!(sent.starts_with(begin) && sent.ends_with("\x1b_Gm=0;AAAA\x1b\\\n"));
    }
}
