//! What a program is made of: columns of lanes, and the operations on them.
//!
//! A column holds one value for each lane; a lane is an agent. Three banks of columns hold numbers,
//! whole numbers and truth values; a vector is two columns of numbers. Every operation is done in all
//! lanes, also in those where the script would not have come by: what a lane that is not *active*
//! computes is never looked at. Only what could be noticed takes the active lanes: faults, changes, and
//! what is too costly to do in vain.

use std::sync::Arc;

use super::Strings;
use crate::diag::Place;
use crate::math::{Binary, Compare, Unary};
use crate::steer::Primitive;
use crate::world::{GroupId, Value, View};

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct F(pub(crate) u16);

/// A column of whole numbers: also rows of agents, obstacles, paths and texts by their place, and tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct I(pub(crate) u16);

/// A column of truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct B(pub(crate) u16);

/// Two columns of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct V(pub(crate) F, pub(crate) F);

/// A function of two whole numbers. Where the result is none, the lane is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum I2 {
    Add,
    Sub,
    Mul,
    Rem,
    Pow,
    Min,
    Max,
}

/// A number that is the same for all agents of a group in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Common {
    Radius,
    Mass,
    MaxSpeed,
    MaxForce,
    Time,
    Dt,
    SizeX,
    SizeY,
    MinX,
    MinY,
    MaxX,
    MaxY,
    CursorX,
    CursorY,
}

/// A whole number that is the same for all agents of a group in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CommonI {
    Tick,
    /// How many agents there are, of one group or of all.
    Count(Option<GroupId>),
    /// How many obstacles there are.
    Obstacles,
    /// How many steps a round of a loop counts for.
    Round {
        /// Without its questions about the surroundings.
        steps: u32,
        /// How many of these it may ask.
        questions: u32,
    },
    /// The row of the one agent of a group; -1 if there is none, or more than one.
    Only(GroupId),
    /// The place of the group's own name among the strings.
    Group,
}

/// A number of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    PosX,
    PosY,
    VelX,
    VelY,
    HeadingX,
    HeadingY,
    Speed,
    Radius,
    Mass,
    MaxSpeed,
    MaxForce,
}

/// A whole number of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OfI {
    Id,
    Index,
    Row,
    /// The place of its group's name among the strings, which is the number of the group.
    Group,
}

/// What is asked of an obstacle about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AskObstacle {
    /// Whether the point is inside: 1 or 0, in x.
    Contains,
    /// The distance of its surface, in x.
    Distance,
    /// The nearest point of its surface.
    Closest,
    /// The way out there.
    Normal,
    /// The middle of its bounds.
    Center,
    /// Its radius, in x.
    Radius,
}

/// What is asked about another agent if both keep their velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AskOther {
    /// The seconds until the discs touch, if they will.
    TimeToCollision,
    /// The seconds until the centers are nearest.
    TimeToNearest,
    /// How far apart the centers are then.
    DistanceAtNearest,
}

/// What is asked of a path about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AskPath {
    /// The nearest point on it.
    Closest,
    /// The distance of that point, in x.
    Distance,
    /// How far along the path that point is, in x.
    Along,
    /// The point so far along as x says.
    At,
    /// The point of a place, which x is.
    Point,
    /// Its radius, in x.
    Radius,
    /// Its length, in x.
    Length,
}

/// A neighbourhood. Where `shared` is, its radius is the same for all agents of the group, and so it can
/// be perceived for all of them at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    pub(crate) radius: F,
    pub(crate) group: Option<GroupId>,
    pub(crate) view: Look,
    /// The point to look from, if it is not where the agent is.
    pub(crate) around: Option<V>,
    /// Whether it is worth perceiving it for all agents in advance.
    pub(crate) shared: bool,
}

/// A view whose angle may be in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    Fixed(View),
    /// Over this many radians.
    Over(F),
}

/// Where an argument of a primitive is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    Number(F),
    Vector(V),
    /// A vector of another agent, its place or its velocity, and that agent's row.
    VectorOf(V, I),
    /// An agent, by its row.
    Agent(I),
    /// One of the program's neighbourhoods.
    Neighbors(u16),
    /// A path, by its place.
    Path(I),
    Forces(Vec<V>),
}

/// A call of a primitive.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) primitive: &'static Primitive,
    pub(crate) args: Vec<Given>,
    /// The agent's velocity by now.
    pub(crate) vel: V,
    /// Where it is written.
    pub(crate) site: u16,
}

/// A kind of value that a variable, a parameter or a state holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Type {
    Nothing,
    Bool,
    Int,
    Float,
    Vector,
    Text,
    Agent,
    Obstacle,
    Path,
}

impl Type {
    /// The type of a value, if a column can hold it.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Nothing => Self::Nothing,
            Value::Bool(_) => Self::Bool,
            Value::Int(_) => Self::Int,
            Value::Float(_) => Self::Float,
            Value::Vector(_) => Self::Vector,
            Value::Text(_) => Self::Text,
            Value::Agent(_) => Self::Agent,
            Value::List(_) | Value::Map(_) => return None,
        })
    }
}

/// A column or two of any bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Columns {
    None,
    F(F),
    I(I),
    B(B),
    V(V),
}

/// One operation. `to` is never one of the columns read, unless a note says so.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    // Constants and choices.
    ConstF {
        to: F,
        value: f32,
    },
    ConstI {
        to: I,
        value: i64,
    },
    ConstB {
        to: B,
        value: bool,
    },
    /// `to` becomes `from` where the mask is set, and stays where it is not.
    BlendF {
        to: F,
        from: F,
        mask: B,
    },
    BlendI {
        to: I,
        from: I,
        mask: B,
    },
    BlendB {
        to: B,
        from: B,
        mask: B,
    },
    SelectF {
        to: F,
        mask: B,
        yes: F,
        no: F,
    },
    SelectI {
        to: I,
        mask: B,
        yes: I,
        no: I,
    },
    SelectB {
        to: B,
        mask: B,
        yes: B,
        no: B,
    },

    // Arithmetic.
    F1 {
        op: Unary,
        to: F,
        a: F,
    },
    F2 {
        op: Binary,
        to: F,
        a: F,
        b: F,
    },
    /// Checked; lanes of `active` where it fails are at fault.
    I2 {
        op: I2,
        to: I,
        a: I,
        b: I,
        active: B,
    },
    /// Negated, checked.
    NegI {
        to: I,
        a: I,
        active: B,
    },
    /// The absolute value, checked.
    AbsI {
        to: I,
        a: I,
        active: B,
    },
    ToF {
        to: F,
        a: I,
    },
    /// Cut to a whole number; at fault where not finite.
    ToI {
        to: I,
        a: F,
        active: B,
    },
    CmpF {
        op: Compare,
        to: B,
        a: F,
        b: F,
    },
    CmpI {
        op: Compare,
        to: B,
        a: I,
        b: I,
    },
    Not {
        to: B,
        a: B,
    },
    And {
        to: B,
        a: B,
        b: B,
    },
    /// `a` without `b`.
    AndNot {
        to: B,
        a: B,
        b: B,
    },
    Or {
        to: B,
        a: B,
        b: B,
    },
    /// Equal truth values.
    Same {
        to: B,
        a: B,
        b: B,
    },
    IsFinite {
        to: B,
        a: F,
    },
    IsNan {
        to: B,
        a: F,
    },

    // Vectors.
    /// `math::unit`.
    Unit {
        to: V,
        a: V,
    },
    /// `math::length`.
    Length {
        to: F,
        a: V,
    },
    /// `math::limit`, a negative or undefined length taken for 0.
    Limit {
        to: V,
        a: V,
        longest: F,
    },
    /// The way from the agent to a point.
    Offset {
        to: V,
        target: V,
    },

    // Faults: these lanes are done again by the interpreter, which knows what is wrong.
    /// Lanes of `active` where the vector is not finite are at fault.
    Finite {
        a: V,
        active: B,
    },
    Fault {
        active: B,
    },
    /// Takes the lanes at fault out of a mask; `a` may be `to`.
    Unfaulted {
        to: B,
        a: B,
    },

    // Control: operations by their place in the program.
    SkipIfNone {
        mask: B,
        to: usize,
    },
    Jump {
        to: usize,
    },

    // What is the same for all agents of the group.
    Common {
        to: F,
        what: Common,
    },
    CommonI {
        to: I,
        what: CommonI,
    },
    /// Whether there is a cursor.
    HasCursor {
        to: B,
    },
    /// A parameter; at fault where it is not of this type by now. `to` fits the type.
    Param {
        to: Columns,
        name: Arc<str>,
        is: Type,
        active: B,
    },

    // What the agent knows of itself.
    Own {
        to: F,
        what: Of,
    },
    OwnI {
        to: I,
        what: OfI,
    },
    /// The goal: its place, its radius, and whether there is one.
    Goal {
        at: V,
        radius: F,
        is: B,
    },
    /// The waypoint on a path, by the agent's progress so far, and whether nothing follows it.
    Waypoint {
        to: V,
        is_last: B,
        which: I,
    },
    /// Moves the agent on to the next waypoint of a path in the lanes of `reached`.
    Advance {
        which: I,
        reached: B,
    },
    /// The agent's own smooth noise at a moment of it.
    Noise {
        to: F,
        moment: F,
    },
    /// The next random number from 0 to 1 in the lanes of `active`.
    Draw {
        to: F,
        active: B,
    },

    // Others.
    /// A number of the agent of a row; rows of lanes that are not active may be anything.
    Other {
        to: F,
        row: I,
        what: Of,
    },
    OtherI {
        to: I,
        row: I,
        what: OfI,
    },
    /// How many, the sum of the ways to them, the sum of their velocities.
    Means {
        near: u16,
        count: I,
        offsets: V,
        velocities: V,
        active: B,
    },
    Push {
        near: u16,
        to: V,
        active: B,
    },
    /// The row of the nearest, and whether there is one.
    Nearest {
        near: u16,
        row: I,
        found: B,
        active: B,
    },
    /// The lowest row, and whether there is one.
    First {
        near: u16,
        row: I,
        found: B,
        active: B,
    },
    /// Takes down the neighbours of each lane of `active` in the order of their rows; how many.
    List {
        near: u16,
        list: u16,
        count: I,
        active: B,
    },
    /// One of those taken down; 0 where there are not so many.
    Listed {
        list: u16,
        at: I,
        row: I,
    },

    /// What is asked about the agent of a row, and whether there is an answer. `vel` is the agent's own
    /// velocity by now.
    Encounter {
        ask: AskOther,
        to: F,
        is: B,
        row: I,
        vel: V,
        active: B,
    },
    /// How far the agent's disc could go with a velocity, for so many seconds.
    Free {
        to: F,
        velocity: V,
        horizon: F,
        active: B,
    },
    /// Whether another agent that is not faster stands within a radius of the point so far ahead. `vel` is
    /// the agent's own velocity by now.
    Blocked {
        to: B,
        ahead: F,
        radius: F,
        vel: V,
        active: B,
    },
    /// The first obstacle that a disc at the agent's place touches on a way: how far it goes until then, the
    /// normal there, and whether there is one.
    FirstHit {
        distance: F,
        normal: V,
        is: B,
        direction: V,
        length: F,
        radius: F,
        active: B,
    },
    /// The first place of an obstacle on the way between two points, and whether there is one.
    Ray {
        to: V,
        is: B,
        from: V,
        target: V,
        active: B,
    },

    // Obstacles and paths, by their place. Lanes that are not active may hold any place.
    Obstacle {
        ask: AskObstacle,
        to: V,
        which: I,
        point: V,
        active: B,
    },
    Path {
        ask: AskPath,
        to: V,
        which: I,
        point: V,
        active: B,
    },
    /// The point of a path nearest to a point, and how far that is.
    NearestOnPath {
        at: V,
        distance: F,
        which: I,
        point: V,
        active: B,
    },
    /// How many points a path has.
    PathCount {
        to: I,
        which: I,
    },

    /// A constant table: the element of a place, at fault where there is none.
    TableF {
        table: u16,
        to: F,
        at: I,
        active: B,
    },
    TableI {
        table: u16,
        to: I,
        at: I,
        active: B,
    },

    // For explanations; they do nothing.
    /// Notes that a primitive is about to be read, in the lanes of `active`.
    Asked {
        call: Arc<Call>,
        active: B,
    },
    /// Notes what it gave.
    Gave {
        call: Arc<Call>,
        to: V,
        active: B,
    },
}

impl Op {
    /// Whether it reads or moves on the progress on paths.
    pub(crate) fn uses_progress(&self) -> bool {
        match self {
            Self::Waypoint { .. } | Self::Advance { .. } => true,
            _ => false,
        }
    }
}

/// Something an agent remembers, while the program runs: its tag says which of the columns counts, by
/// the place of their type in `types`; [`StateSlot::ABSENT`] where the agent remembers no such thing.
#[derive(Clone, Debug)]
pub(crate) struct StateSlot {
    pub(crate) name: Arc<str>,
    pub(crate) tag: I,
    /// The types it may have, and where the value is then.
    pub(crate) types: Vec<(Type, Columns)>,
    /// Whether the program may change it.
    pub(crate) written: bool,
}

impl StateSlot {
    /// The tag of what has never been set.
    pub(crate) const ABSENT: i64 = -1;
}

/// A behavior of one group as operations on columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Done first; nothing in it hangs on the agent, so it also says what is perceived in advance.
    pub(crate) prologue: Vec<Op>,
    pub(crate) body: Vec<Op>,
    /// How many columns there are of each bank: numbers, whole numbers, truth values.
    pub(crate) columns: (usize, usize, usize),
    /// The lanes that hold agents; set before the prologue.
    pub(crate) live: Option<B>,
    /// The force decided on; none for what only prepares the agent.
    pub(crate) force: Option<V>,
    /// The agent's own velocity: holds it at the start, and is what it is at the end.
    pub(crate) vel: Option<V>,
    /// Whether the program may change the velocity.
    pub(crate) sets_vel: bool,
    /// Whether it asks for or moves on the progress on paths.
    pub(crate) uses_progress: bool,
    pub(crate) state: Vec<StateSlot>,
    pub(crate) nears: Vec<Near>,
    pub(crate) lists: usize,
    /// Where primitives are called.
    pub(crate) sites: Vec<Option<Place>>,
    pub(crate) tables_f: Vec<Vec<f32>>,
    pub(crate) tables_i: Vec<Vec<i64>>,
    /// Strings by their place.
    pub(crate) texts: Strings,
}

impl Program {
    /// Whether doing it may change what an agent knows.
    pub(crate) fn changes_minds(&self) -> bool {
        self.uses_progress || self.state.iter().any(|slot| slot.written)
    }
}
