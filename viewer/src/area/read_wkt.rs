//! Reads polygons from well-known text.

use std::ops::Range;
use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Source;

use super::{Area, Point, Ring, Tangle, check_cuts, distance_to_edge, edges};

/// The largest coordinate: far beyond every place on Earth in meters.
const MAX_COORDINATE: f64 = 1e8;

/// Collections can contain collections, to this depth.
const MAX_DEPTH: usize = 16;

/// The maximum number of points of all polygons.
pub(crate) const MAX_POINTS: usize = 100_000;

/// The maximum number of times that edges may cut each other.
pub(crate) const MAX_CUTS: usize = 100_000;

/// The result of reading: the union of all polygons, and parts that are not polygons.
pub(crate) struct ReadWkt {
    /// The union of all polygons.
    pub(crate) area: Area,
    /// Names of what was left out, each with the places where it is.
    pub(crate) left_out: Vec<(String, Vec<Range<usize>>)>,
    /// The places of holes that are not inside the border of their polygon.
    pub(crate) outside: Vec<Range<usize>>,
}

/// A ring, and its place in the text.
struct RingAt {
    ring: Ring,
    place: Range<usize>,
}

/// Reads `POLYGON`, `MULTIPOLYGON` and collections of them. The area is their union, as JuPedSim takes it.
///
/// # Errors
///
/// If the text is not well-known text, has no polygon, or is so large or so tangled that its union would take too long.
pub(crate) fn read_wkt(source: &Arc<Source>) -> Result<ReadWkt, Diagnostic> {
    let mut reader = Reader { source, at: 0, polygons: Vec::new(), left_out: Vec::new() };
    // Some programs begin with the reference system: `SRID=25832;`.
    if reader.peek_word().eq_ignore_ascii_case("SRID") {
        let end = source.text.find(';').map_or(source.text.len(), |end| end + 1);
        reader.at = end;
    }
    reader.geometry(0)?;
    reader.skip_blanks();
    if reader.at < source.text.len() {
        return Err(reader
            .expected("the end of the file")
            .help("a file has one geometry: put several polygons into a GEOMETRYCOLLECTION (..)"));
    }
    let Reader { polygons, left_out, .. } = reader;
    check_size(source, &polygons)?;
    let mut outside = Vec::new();
    let area = Area::union(polygons.into_iter().map(|rings| area_of(rings, &mut outside)));
    if area.is_empty() {
        return Err(Diagnostic::error("there is no polygon").at(source, 0..source.text.len()).help(
            "a walkable area is a POLYGON ((x y, x y, ..)), a MULTIPOLYGON, or a GEOMETRYCOLLECTION of them",
        ));
    }
    Ok(ReadWkt { area, left_out, outside })
}

/// Checks that the union can be computed in reasonable time and memory.
fn check_size(source: &Arc<Source>, polygons: &[Vec<RingAt>]) -> Result<(), Diagnostic> {
    let rings = || polygons.iter().flatten();
    let points: usize = rings().map(|one| one.ring.len()).sum();
    if points > MAX_POINTS {
        let message =
            format!("the polygons have {points} points; at most {MAX_POINTS} can be imported");
        return Err(Diagnostic::error(message)
            .at(source, source.token(0))
            .help("simplify the polygons, or import a part of them"));
    }
    let lines: Vec<[Point; 2]> = rings().flat_map(|one| edges(&one.ring)).collect();
    let (line, message) = match check_cuts(&lines, MAX_CUTS) {
        Ok(()) => return Ok(()),
        Err(Tangle::Cuts(line)) => {
            (line, format!("the edges of the polygons cross each other more than {MAX_CUTS} times"))
        }
        Err(Tangle::Close(line)) => {
            (line, "too many long edges of the polygons are close to each other".to_owned())
        }
    };
    let mut before = 0;
    let ring = rings().find(|one| {
        before += one.ring.len();
        line < before
    });
    let place = ring.map_or(source.token(0), |one| source.token(one.place.start));
    Err(Diagnostic::error(message)
        .at(source, place)
        .help("this polygon is among them: are its points in the right order?"))
}

/// Returns the area of a polygon, and adds the place of a hole that is not inside its border.
fn area_of(rings: Vec<RingAt>, outside: &mut Vec<Range<usize>>) -> Area {
    let mut rings = rings.into_iter();
    let border = rings.next().map_or_else(Area::default, |one| Area::of_ring(one.ring));
    let holes: Vec<RingAt> = rings.collect();
    if holes.is_empty() {
        return border;
    }
    let solid = Area::union(holes.iter().map(|hole| Area::of_ring(hole.ring.clone())));
    if let Some(&corner) = solid.without(&border).0.iter().flatten().flatten().next() {
        let distance = |hole: &RingAt| distance_to_edge(std::slice::from_ref(&hole.ring), corner);
        let hole = holes.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        outside.extend(hole.map(|hole| hole.place.clone()));
    }
    border.without(&solid)
}

struct Reader<'s> {
    source: &'s Arc<Source>,
    /// The byte that is read next.
    at: usize,
    /// The rings of each polygon, the border first.
    polygons: Vec<Vec<RingAt>>,
    left_out: Vec<(String, Vec<Range<usize>>)>,
}

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        &self.source.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.source.text.len() - self.rest().trim_start().len();
    }

    /// Returns the word, number or sign that comes next, without reading it.
    fn peek_word(&mut self) -> &'s str {
        self.skip_blanks();
        let rest = self.rest();
        let is_word = |c: char| c.is_alphanumeric() || "+-._".contains(c);
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let sign = rest.chars().next().map_or(0, char::len_utf8);
        &rest[..length.max(sign)]
    }

    fn word(&mut self) -> &'s str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// Reads a word if it is the next one, in capital or small letters.
    fn next_is(&mut self, word: &str) -> bool {
        let is = self.peek_word().eq_ignore_ascii_case(word);
        if is {
            self.at += word.len();
        }
        is
    }

    fn need(&mut self, sign: &str) -> Result<(), Diagnostic> {
        if self.next_is(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn expected(&mut self, what: &str) -> Diagnostic {
        let found = self.peek_word();
        let message = match found {
            "" => format!("expected {what}, but the file ends here"),
            _ => format!("expected {what}, found `{found}`"),
        };
        Diagnostic::error(message).at(self.source, self.at..self.at + found.len())
    }

    /// Reads a geometry and adds its polygons.
    fn geometry(&mut self, depth: usize) -> Result<(), Diagnostic> {
        let known = ["POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"];
        let others = ["POINT", "LINESTRING", "MULTIPOINT", "MULTILINESTRING", "LINEARRING"];
        let name = self.peek_word().to_ascii_uppercase();
        let start = self.at;
        if !known.contains(&&*name) && !others.contains(&&*name) {
            return Err(self.expected("a geometry").suggest(&name, known));
        }
        self.word();
        let numbers = self.dimensions();
        if self.next_is("EMPTY") {
            return Ok(());
        }
        match &*name {
            "POLYGON" => self.polygon(numbers),
            "MULTIPOLYGON" => self.list(|this| this.polygon(numbers)),
            "GEOMETRYCOLLECTION" if depth >= MAX_DEPTH => {
                Err(Diagnostic::error(format!("collections are nested more than {MAX_DEPTH} deep"))
                    .at(self.source, start..start + name.len()))
            }
            "GEOMETRYCOLLECTION" => self.list(|this| this.geometry(depth + 1)),
            _ => {
                self.skip_brackets()?;
                let place = start..self.at;
                match self.left_out.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, places)) => places.push(place),
                    None => self.left_out.push((name, vec![place])),
                }
                Ok(())
            }
        }
    }

    /// Reads the letters that say which numbers a point has, and returns how many it has; 0 if that is open.
    fn dimensions(&mut self) -> usize {
        for (letters, numbers) in [("ZM", 4), ("Z", 3), ("M", 3)] {
            if self.next_is(letters) {
                return numbers;
            }
        }
        0
    }

    /// Reads `(.., ..)`.
    fn list(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.need("(")?;
        loop {
            item(self)?;
            if self.next_is(")") {
                return Ok(());
            }
            if !self.next_is(",") {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }

    fn polygon(&mut self, numbers: usize) -> Result<(), Diagnostic> {
        if self.next_is("EMPTY") {
            return Ok(());
        }
        let mut rings = Vec::new();
        self.list(|this| {
            rings.push(this.ring(numbers)?);
            Ok(())
        })?;
        self.polygons.push(rings);
        Ok(())
    }

    fn ring(&mut self, mut numbers: usize) -> Result<RingAt, Diagnostic> {
        self.skip_blanks();
        let start = self.at;
        let mut ring = Ring::new();
        self.list(|this| {
            let (point, read) = this.point(numbers)?;
            ring.push(point);
            // The other points have as many numbers as the first one.
            numbers = read;
            Ok(())
        })?;
        if ring.last() == ring.first() {
            ring.pop();
        }
        ring.dedup();
        if ring.len() < 3 {
            return Err(Diagnostic::error("a ring needs at least three corners")
                .at(self.source, start..self.at));
        }
        Ok(RingAt { ring, place: start..self.at })
    }

    /// Reads a point, and returns it with how many numbers it has. Heights are left out.
    fn point(&mut self, numbers: usize) -> Result<(Point, usize), Diagnostic> {
        let point = [self.number()?, self.number()?];
        let mut read = 2;
        let most = if numbers > 0 { numbers } else { 4 };
        while read < most && !matches!(self.peek_word(), "," | ")" | "") {
            self.number()?;
            read += 1;
        }
        if numbers > 0 && read != numbers {
            return Err(self.expected(&format!("a point with {numbers} numbers")));
        }
        Ok((point, read))
    }

    fn number(&mut self) -> Result<f64, Diagnostic> {
        let word = self.peek_word();
        let number = word.parse().ok().filter(|x: &f64| x.abs() <= MAX_COORDINATE);
        let Some(number) = number else {
            return Err(match word.parse::<f64>() {
                Ok(_) => self.expected("a number from -1e8 to 1e8"),
                Err(_) => self.expected("a number"),
            });
        };
        self.at += word.len();
        Ok(number)
    }

    /// Skips from a bracket to the one that closes it.
    fn skip_brackets(&mut self) -> Result<(), Diagnostic> {
        self.need("(")?;
        let mut open = 1;
        while open > 0 {
            match self.word() {
                "(" => open += 1,
                ")" => open -= 1,
                "" => return Err(self.expected("`)`")),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::write_wkt;

    fn read(text: &str) -> Result<ReadWkt, Diagnostic> {
        read_wkt(&Source::new("area.wkt", text))
    }

    #[test]
    fn polygons_in_all_their_forms() {
        let square = "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))";
        for text in [
            square,
            "polygon((0 0,1 0,1 1,0 1,0 0))\n",
            "POLYGON ((0 0, 0 1, 1 1, 1 0))",
            "POLYGON Z ((0 0 5, 1 0 5, 1 1 5, 0 1 5, 0 0 5))",
            "SRID=25832;POLYGON ((0 0, 1e0 0, 1 +1.0, -0 1, 0 0))",
            "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), EMPTY)",
            "GEOMETRYCOLLECTION (POLYGON ((0 0, .5 0, 0.5 1, 0 1, 0 0)), POLYGON ((0.5 0, 1 0, 1 1, .5 1, .5 0)))",
            "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))), GEOMETRYCOLLECTION EMPTY)",
        ] {
            assert_eq!(write_wkt(&read(text).unwrap().area), square, "{text}");
        }
        let hole = "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))";
        assert_eq!(write_wkt(&read(hole).unwrap().area), hole);
        let found =
            read("GEOMETRYCOLLECTION (POINT (1 2), POLYGON ((0 0, 1 0, 1 1)), LINESTRING EMPTY)");
        let left_out = found.unwrap().left_out;
        assert!(
            matches!(&left_out[..], [(kind, places)] if kind == "POINT" && places.len() == 1 && places[0] == (20..31))
        );
    }

    /// Caught: an odd number of rings made an area, so a hole beside its polygon became a room.
    #[test]
    fn a_hole_outside_of_its_polygon_is_no_area() {
        let border = "0 0, 9 0, 9 9, 0 9, 0 0";
        for (holes, area, outside) in [
            ("(20 20, 30 20, 30 30, 20 20)", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))", Some(36)),
            (
                "(1 1, 1 2, 2 2, 2 1), (8 1, 8 2, 20 2, 20 1)",
                "POLYGON ((0 0, 9 0, 9 1, 8 1, 8 2, 9 2, 9 9, 0 9, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))",
                Some(58),
            ),
            (
                "(1 1, 1 3, 3 3, 3 1), (3 3, 2 3, 2 1, 3 1)",
                "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 3, 3 3, 3 1, 1 1))",
                None,
            ),
        ] {
            let found = read(&format!("POLYGON (({border}), {holes})")).unwrap();
            assert_eq!(write_wkt(&found.area), area);
            let starts: Vec<usize> = found.outside.iter().map(|place| place.start).collect();
            assert_eq!(starts, Vec::from_iter(outside), "{holes}");
        }
    }

    /// Caught: 3,000 polygons took quadratic time, and a polygon whose points are at random places a minute.
    #[test]
    fn polygons_that_would_take_too_long_are_refused() {
        use flockwork_engine::math::random::Mix;

        let square = |i: usize| {
            let (x, y) = (3 * (i % 100), 3 * (i / 100));
            format!("(({x} {y}, {} {y}, {} {}, {x} {}))", x + 2, x + 2, y + 2, y + 2)
        };
        let squares: Vec<String> = (0..4000).map(square).collect();
        let found = read(&format!("MULTIPOLYGON ({})", squares.join(", "))).unwrap();
        assert_eq!(found.area.0.len(), 4000);
        let number = |i: u64| Mix::new(i).unit();
        let points = |count: u64| {
            let points = (0..count).map(|i| format!("{} {}", number(2 * i), number(2 * i + 1)));
            format!("POLYGON (({}))", points.collect::<Vec<_>>().join(", "))
        };
        for (text, message) in [
            (points(3000), "the edges of the polygons cross each other more than 100000 times"),
            (points(100_001), "the polygons have 100001 points; at most 100000 can be imported"),
        ] {
            assert_eq!(
                read(&text).err().map(|error| error.message.clone()).as_deref(),
                Some(message)
            );
        }
        assert!(read(&points(300)).is_ok());
    }

    #[test]
    fn errors_point_at_their_place() {
        let deep = "GEOMETRYCOLLECTION (".repeat(100);
        for (text, place, part) in [
            ("POLYGN ((0 0, 1 0, 1 1))", "1:1", "did you mean `POLYGON`?"),
            ("POLYGON ((0 0, 1 x, 1 1))", "1:18", "expected a number, found `x`"),
            ("POLYGON ((0 0, 1,\n 1 1))", "1:17", "expected a number, found `,`"),
            ("POLYGON ((0 0, 1 0, 1 1)", "1:25", "but the file ends here"),
            ("POLYGON ((0 0, 1 0\n1 1))", "2:1", "expected `,` or `)`, found `1`"),
            ("POLYGON ((0 0, 1 0, nan 1))", "1:21", "expected a number"),
            ("POLYGON ((0 0, 1 0, 1e9 1))", "1:21", "from -1e8 to 1e8"),
            ("POLYGON ((0 0, 1 0, 0 0))", "1:10", "at least three corners"),
            ("POLYGON Z ((0 0, 1 0, 1 1))", "1:16", "a point with 3 numbers"),
            ("POINT (1 2)", "1:1", "there is no polygon"),
            ("POLYGON ((0 0, 1 0, 1 1)) POLYGON", "1:27", "the end of the file"),
            ("POINT (1 2", "1:11", "but the file ends here"),
            ("", "1:1", "expected a geometry, but the file ends here"),
            (&deep, "1:321", "nested more than 16 deep"),
        ] {
            let error = read(text).err().unwrap();
            assert_eq!(error.position(), format!("area.wkt:{place}"), "{text}\n{error}");
            assert!(error.to_string().contains(part), "{part} is missing in\n{error}");
        }
    }
}
