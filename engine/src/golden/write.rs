//! Writing a golden, tick by tick.

use std::fmt::Write as _;
use std::io::{self, Write};

use xxhash_rust::xxh3::Xxh3;

use super::bands::Band;
use super::keyframe::Keyframe;
use super::{
    FIRST_WORDS, Golden, GoldenBody, Header, Mode, Terms, Tolerance, VERSION, short_hash, text,
};
use crate::sim::{Simulation, State};
use crate::trace::state_hash;

/// Number of hashes on a line.
const HASHES_PER_LINE: usize = 8;

/// Writes a golden while its run is simulated.
pub struct GoldenWriter<'h, W: Write> {
    to: W,
    checksum: Xxh3,
    header: &'h Header,
    start: Option<State>,
    hashes: Vec<u32>,
    /// The next tick to be written.
    ticks: u64,
}

impl<'h, W: Write> GoldenWriter<'h, W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn new(to: W, header: &'h Header) -> io::Result<Self> {
        let mut this = Self {
            to,
            checksum: Xxh3::new(),
            header,
            start: None,
            hashes: Vec::new(),
            ticks: header.terms.from,
        };
        this.put(&header_text(header))?;
        Ok(this)
    }

    /// Writes the state after the next tick. Call it for every tick from the first to the last.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn tick(&mut self, simulation: &Simulation) -> io::Result<()> {
        let (world, minds) = (simulation.world(), simulation.minds());
        debug_assert_eq!(world.tick, self.ticks, "every tick once");
        let hash = short_hash(state_hash(world, minds));
        let keyframe = self.header.terms.is_keyframe(world.tick).then(|| {
            let start = self.start.get_or_insert_with(|| simulation.state());
            Keyframe::of(simulation, start)
        });
        self.put_tick(hash, keyframe.as_ref())
    }

    /// Writes the hash of the next tick, and its keyframe if it has one.
    fn put_tick(&mut self, hash: u32, keyframe: Option<&Keyframe>) -> io::Result<()> {
        self.ticks += 1;
        self.hashes.push(hash);
        if keyframe.is_some() || self.hashes.len() == HASHES_PER_LINE {
            self.write_hashes()?;
        }
        if let Some(keyframe) = keyframe {
            let mut text = String::new();
            keyframe.write(&mut text, &self.header.names);
            self.put(&text)?;
        }
        Ok(())
    }

    fn write_hashes(&mut self) -> io::Result<()> {
        let mut line = format!("+ {}", self.ticks - self.hashes.len() as u64);
        for hash in self.hashes.drain(..) {
            let _ = write!(line, " {hash:08x}");
        }
        line.push('\n');
        self.put(&line)
    }

    /// Writes a band.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn band(&mut self, band: &Band) -> io::Result<()> {
        let mut line = format!("band {} {}", band.tick, band.measure.name());
        for number in [band.low, band.median, band.high] {
            line.push(' ');
            text::number(&mut line, number);
        }
        line.push('\n');
        self.put(&line)
    }

    /// Writes the end and returns the target.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.hashes.is_empty() {
            self.write_hashes()?;
        }
        let checksum = self.checksum.digest();
        writeln!(self.to, "end {checksum:016x}")?;
        Ok(self.to)
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        self.checksum.update(text.as_bytes());
        self.to.write_all(text.as_bytes())
    }
}

impl Golden {
    /// Writes the whole golden.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write<W: Write>(&self, to: W) -> io::Result<W> {
        let mut writer = GoldenWriter::new(to, &self.header)?;
        match &self.body {
            GoldenBody::Bands(bands) => bands.iter().try_for_each(|band| writer.band(band))?,
            GoldenBody::Track(track) => {
                let mut keyframes = track.keyframes.iter().peekable();
                for (tick, hash) in (track.from..).zip(&track.hashes) {
                    let keyframe = keyframes.next_if(|keyframe| keyframe.tick == tick);
                    writer.put_tick(*hash, keyframe)?;
                }
            }
        }
        writer.finish()
    }
}

fn header_text(header: &Header) -> String {
    let mut text = format!("{FIRST_WORDS} {VERSION}\n");
    let all = [("scenario", &header.scenario)].into_iter();
    let all = all.chain(header.scripts.iter().map(|one| ("script", one)));
    for (word, print) in all {
        let _ = write!(text, "{word} ");
        text::name(&mut text, &print.name);
        let _ = writeln!(text, " {:016x}", print.hash);
    }
    let _ = writeln!(text, "seed {}", header.seed);
    text.push_str("dt ");
    text::number(&mut text, header.dt);
    text.push_str("\nmode ");
    match &header.terms.mode {
        Mode::Exact => text.push_str("exact"),
        Mode::Within(tolerance) => write_tolerance(&mut text, "within", *tolerance),
        Mode::Windows(tolerance) => write_tolerance(&mut text, "windows", *tolerance),
        Mode::Bands(terms) => {
            let _ = write!(text, "bands {} ", terms.seeds);
            text::number(&mut text, terms.low);
            text.push(' ');
            text::number(&mut text, terms.high);
            for measure in &terms.measures {
                let _ = write!(text, " {}", measure.name());
            }
        }
    }
    let Terms { from, every, until, .. } = header.terms;
    if from > 0 {
        let _ = write!(text, "\nfrom {from}");
    }
    let _ = write!(text, "\nevery {every}\nuntil {until}\n");
    for (word, names) in [("groups", &header.names.groups), ("paths", &header.names.paths)] {
        text.push_str(word);
        for name in names {
            text.push(' ');
            text::name(&mut text, name);
        }
        text.push('\n');
    }
    text.push_str("reason ");
    text::quoted(&mut text, &header.reason);
    text.push('\n');
    text
}

fn write_tolerance(text: &mut String, word: &str, tolerance: Tolerance) {
    text.push_str(word);
    text.push_str(" position ");
    text::number(text, tolerance.position);
    if let Some(velocity) = tolerance.velocity {
        text.push_str(" velocity ");
        text::number(text, velocity);
    }
    if tolerance.share < 1.0 {
        text.push_str(" share ");
        text::number(text, tolerance.share);
    }
}
