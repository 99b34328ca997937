//! The older geometry files of JuPedSim (XML, until version 0.9): rooms with walls, obstacles and doors.
//!
//! Walls are open lines of corners. Doors (crossings and transitions) close them, so nothing has to be written for a
//! door: it is where no wall is.

use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Source;
use roxmltree::Node;

use super::Wanted;
use super::notes::Notes;
use super::ron_text::{plain, point};
use super::walls::{Walls, roomy_point, scenario_text};
use super::xml::{Xml, XmlText, children, name};
use crate::area::{Area, MAX_CUTS, MAX_POINTS, Point, Ring, bounds, check_cuts, edges};

/// Returns the scenario of a geometry file.
///
/// # Errors
///
/// If the file is not a geometry of JuPedSim, or has no walls.
pub(super) fn scenario(
    source: &Arc<Source>,
    wanted: &Wanted<'_>,
    notes: &mut Notes<'_>,
) -> Result<String, Diagnostic> {
    let text = XmlText::new(source);
    let document = text.parse()?;
    let (xml, root) = (text.elements(), document.root_element());
    if name(root) != "geometry" {
        let message = format!("this is not a geometry of JuPedSim: its root is `{}`", name(root));
        return Err(xml.error(root, message).help("expected the root element `geometry`"));
    }
    let mut reader =
        Reader { xml, notes, segments: Vec::new(), polygons: Vec::new(), doors: Vec::new() };
    for node in children(root) {
        match name(node) {
            "rooms" => reader.rooms(node)?,
            "transitions" => reader.doors(node)?,
            _ => reader.left_out(node),
        }
    }
    let Reader { segments, polygons, doors, .. } = reader;
    let corners = segments.iter().flatten().chain(polygons.iter().flatten());
    let Some(around) = bounds(corners.copied()) else {
        return Err(xml.error(root, "the geometry has no walls"));
    };
    check_size(xml, root, &segments, &polygons, &doors)?;
    for (what, [from, to]) in &doors {
        notes.mention(format!("{what} from {} to {}", point(*from), point(*to)));
    }
    let doors: Vec<_> = doors.into_iter().map(|(_, door)| door).collect();
    let point = roomy_point(&inside(&segments, &polygons, &doors, around));
    let walls = Walls { room: None, segments, polygons, bounds: around, point };
    Ok(scenario_text(&walls, "a geometry of JuPedSim", wanted, notes))
}

/// Checks that the area can be computed in reasonable time and memory.
fn check_size(
    xml: Xml<'_>,
    root: Node<'_, '_>,
    walls: &[[Point; 2]],
    obstacles: &[Ring],
    doors: &[(String, [Point; 2])],
) -> Result<(), Diagnostic> {
    let mut lines = walls.to_vec();
    lines.extend(doors.iter().map(|(_, door)| door));
    lines.extend(obstacles.iter().flat_map(|ring| edges(ring)));
    if lines.len() > MAX_POINTS {
        let message = format!(
            "the geometry has {} walls, doors and sides of obstacles; at most {MAX_POINTS} can be imported",
            lines.len()
        );
        return Err(xml.error(root, message).help("import one floor or building at a time"));
    }
    check_cuts(&lines, MAX_CUTS).map_err(|_| {
        let message =
            format!("walls, doors and obstacles cross each other more than {MAX_CUTS} times");
        xml.error(root, message).help("look for corners in a wrong order")
    })
}

/// Returns the area that walls and doors surround, without the obstacles.
fn inside(
    walls: &[[Point; 2]],
    obstacles: &[Ring],
    doors: &[[Point; 2]],
    (min, max): (Point, Point),
) -> Area {
    let outside = [min.map(|x| x - 1.0), max.map(|x| x + 1.0)];
    let parts = Area::of_box(outside[0], outside[1]).cut_along(&[walls, doors].concat());
    let is_inside = |polygon: &Vec<Ring>| !polygon.iter().flatten().any(|at| at[0] < min[0]);
    let parts = Area(parts.0.into_iter().filter(is_inside).collect());
    let solid = obstacles.iter().map(|ring| Area::of_ring(ring.clone()));
    parts.without(&Area::union(solid))
}

struct Reader<'r, 'n> {
    xml: Xml<'r>,
    notes: &'r mut Notes<'n>,
    segments: Vec<[Point; 2]>,
    polygons: Vec<Ring>,
    /// Doors: how they are called, and where they are.
    doors: Vec<(String, [Point; 2])>,
}

impl Reader<'_, '_> {
    fn left_out(&mut self, node: Node<'_, '_>) {
        let what = "is left out: it is neither a wall nor an obstacle nor a door";
        self.notes.warn_element(self.xml, node, what);
    }

    fn rooms(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        for room in children(node) {
            for node in children(room) {
                match name(node) {
                    "subroom" => self.subroom(node)?,
                    "crossings" => self.doors(node)?,
                    _ => self.left_out(node),
                }
            }
        }
        Ok(())
    }

    fn subroom(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        let height = node.attribute("C_z").and_then(|text| text.trim().parse::<f64>().ok());
        if node.attribute("class") == Some("stair") || height.is_some_and(|height| height != 0.0) {
            self.notes.warn_element(
                self.xml,
                node,
                "loses its height: all floors and stairs are in one plane",
            );
        }
        for part in children(node) {
            match name(part) {
                "polygon" => {
                    let corners = self.corners(part)?;
                    self.walls(&corners);
                }
                "obstacle" => self.obstacle(part)?,
                // The doors of stairs, which say only what is up and what is down.
                "up" | "down" => {}
                _ => self.left_out(part),
            }
        }
        Ok(())
    }

    /// Adds the walls along a line of corners.
    fn walls(&mut self, corners: &[Point]) {
        let walls = corners.windows(2).map(|pair| [pair[0], pair[1]]);
        self.segments.extend(walls.filter(|[from, to]| from != to));
    }

    /// Adds an obstacle, whose border may be in several pieces.
    fn obstacle(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        let pieces = children(node).filter(|part| name(*part) == "polygon");
        let pieces: Vec<Ring> =
            pieces.map(|piece| self.corners(piece)).collect::<Result<_, _>>()?;
        if let [ring] = &pieces[..]
            && ring.len() > 2
        {
            let mut ring = ring.clone();
            if ring.first() == ring.last() {
                ring.pop();
            }
            self.polygons.push(ring);
            return Ok(());
        }
        for piece in &pieces {
            self.walls(piece);
        }
        Ok(())
    }

    /// Adds the doors of a room, or those between rooms.
    fn doors(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        for door in children(node) {
            let corners = self.corners(door)?;
            let caption = door.attribute("caption").map(|caption| format!(" `{}`", plain(caption)));
            let what = format!("{}{}", name(door), caption.unwrap_or_default());
            for pair in corners.windows(2) {
                self.doors.push((what.clone(), [pair[0], pair[1]]));
            }
        }
        Ok(())
    }

    fn corners(&self, node: Node<'_, '_>) -> Result<Ring, Diagnostic> {
        let corners = children(node).filter(|child| name(*child) == "vertex");
        corners
            .map(|one| Ok([self.xml.attribute(one, "px")?, self.xml.attribute(one, "py")?]))
            .collect()
    }
}
