//! Entries of the reference for everything that is not a definition: functions that are bound one by one in this
//! folder, functions of Rhai that scripts often use, and the functions that scripts define.
//!
//! A test in `script/reference.rs` compares this list with the functions that are bound.

use super::topic::Topic;

/// An entry of the reference.
pub(in crate::script) struct ByHand {
    pub(in crate::script) topic: Topic,
    pub(in crate::script) names: &'static [&'static str],
    pub(in crate::script) signature: &'static str,
    /// Its description in lines; empty lines divide paragraphs.
    pub(in crate::script) doc: &'static [&'static str],
    /// The value that a method is called on: its name and its type.
    pub(in crate::script) receiver: Option<(&'static str, &'static str)>,
    /// The names and the types of the parameters.
    pub(in crate::script) params: &'static [(&'static str, &'static str)],
    pub(in crate::script) result: &'static str,
}

/// Lists entries: documentation, topic, names, signature, then the receiver in brackets, the parameters and the
/// result.
macro_rules! by_hand {
    ($(
        $(#[doc = $doc:literal])+
        $topic:ident $name:literal $(or $also:literal)* $signature:literal
        $([$of:ident: $is:literal])? ($($param:ident: $takes:literal),*) -> $result:literal;
    )*) => {
        pub(in crate::script) const ENTRIES: &[ByHand] = &[$(ByHand {
            topic: Topic::$topic,
            names: &[$name $(, $also)*],
            signature: $signature,
            doc: &[$($doc),+],
            receiver: by_hand!(@receiver $($of: $is)?),
            params: &[$((stringify!($param), $takes)),*],
            result: $result,
        }),*];
    };
    (@receiver) => {
        None
    };
    (@receiver $of:ident: $is:literal) => {
        Some((stringify!($of), $is))
    };
}

by_hand! {
    /// Decides for an agent: returns the force that it wants in this tick.
    ///
    /// Every behavior has this function. It is called once in each tick for each agent of the groups with this
    /// behavior. The force is cut to `me.max_force` and divided by `me.mass`; it then changes the velocity, which
    /// is cut to `me.max_speed`.
    EntryPoints "steer" "fn steer(me)" (me: "the agent to decide for") -> "a vector, or `()` for no force";

    /// Prepares an agent: sets the first values of `me.state`.
    ///
    /// Optional. It is called once for each new agent, before its first `steer`.
    EntryPoints "init" "fn init(me)" (me: "the new agent") -> "anything; it is not used";

    /// Judges a run: returns whether the expectation holds.
    ///
    /// The expectation `Script(name: "...")` of a scenario calls it once, at the end of the run, or every so many
    /// ticks with `every`.
    EntryPoints "expect" "fn expect(now)" (now: "the measures of one moment") -> "`true` or `false`, or a number: its margin";

    /// Defines a measure of your own. A scenario names it under `measures`.
    ///
    /// Like `expect`, it is given `now`: `now.tick`, `now.time`, the measures below, the `center` of the agents as a vector, and the agents
    /// themselves, `now.members`. `now.groups.sheep` has the same for one group. Public state of agents and `world.shared` can be read.
    EntryPoints "measure" "fn measure(now)" (now: "the measures of one moment") -> "a number, or `()` if it has no value";

    /// Returns the vector of a flow field at a point.
    ///
    /// The field `Script(name: "...")` of a scenario calls it for each cell when the scenario is loaded. It can ask `world` for
    /// obstacles, paths and fields that the scenario declares before its own. There are no agents yet.
    EntryPoints "flow" "fn flow(point)" (point: "a point, as a vector") -> "a vector";

    /// The agent whose turn it is.
    Me "me" "me" () -> "`me`";

    /// The params of the agent's group, as the scenario sets them: `me.params.radius`. Where it has a distribution, the agent reads its own
    /// number. Scripts cannot change them.
    Me "params" "me.params" [me: "`me`"] () -> "a number, boolean, string or vector for each name";

    /// The values that the agent remembers from tick to tick: `me.state.count += 1`.
    ///
    /// A name must have been set, in `init` or before, when it is read. Values are numbers, strings, booleans,
    /// vectors, agents, `()`, and arrays and maps of these; all values of one agent together have at most 10,000
    /// elements.
    Me "state" "me.state" [me: "`me`"] () -> "the value that was set for each name";

    /// Returns whether the agent remembers a value under a name.
    Me "contains" "me.state.contains(name)" [state: "`me.state`"] (name: "the name of a state") -> "`true` or `false`";

    /// Runs a state machine: returns the force in its present state.
    ///
    /// For `me.machine("mode", ["patrol", "chase"])`, the script has the functions `patrol(me)` and `chase(me)`, which return
    /// the force in this state. A machine begins with its first state, or with the one that `init` sets: `me.state.mode = "chase"`.
    /// In each tick, first the optional `next_patrol(me)` returns the name of the state to change to, or nothing to stay. Then, if
    /// the state changes, the optional `exit_patrol(me)` and `enter_chase(me)` are called. A machine changes its state at most once
    /// in a tick. A state that follows itself is left and entered again.
    ///
    /// `me.state.mode` is the present state, `me.state.mode_since` the tick in which it was entered, and
    /// `me.state.mode_before` the state before, at first `()`. A reload keeps them. If the script no longer has the present state, the
    /// machine enters the first one and shows a message.
    ///
    /// The names must be written in the call, or in a `const`. A state that returns nothing gives `vec(0, 0)`.
    Me "machine" "me.machine(name, states)" [me: "`me`"] (name: "the name of a state", states: "an array of at most 32 names of functions")
        -> "what the function of the state returned, usually a force";

    /// Chooses the option with the highest score, and stays with it: `me.choose("doing", #{ feed: hunger, rest: 0.4 }, 0.1, 2)`.
    ///
    /// Another option is chosen if its score is higher than that of the present one by more than `margin` (0 if left out), and if
    /// the present one was chosen at least `dwell` seconds ago (0 if left out). Of equal scores, the first one in the order of the
    /// script wins. A score that is NaN is lower than all others; such a margin or dwell counts as none.
    ///
    /// `me.state.doing` is the present option, and `me.state.doing_since` the tick in which it was chosen. A reload keeps them. An
    /// option that the script no longer has is replaced at once.
    ///
    /// The name and the options must be written in the call. With an array of scores, the option is the index of the score.
    Me "choose" "me.choose(name, scores, margin, dwell)" [me: "`me`"]
        (name: "the name of a state", scores: "a map of numbers, or an array", margin: "a number", dwell: "seconds")
        -> "the name of the option, or its index";

    /// Keeps a value for a time: returns `value`, but not before the old one was kept for `dwell` seconds.
    ///
    /// `me.keep("side", side, 0.5)` changes sides at most every half second. It works with everything that `me.state` can hold:
    /// names, indices, agents. `me.state.side` is the kept value, and `me.state.side_since` the tick since which it is kept.
    ///
    /// The name must be written in the call. A dwell that is not a number counts as none.
    Me "keep" "me.keep(name, value, dwell)" [me: "`me`"] (name: "the name of a state", value: "anything", dwell: "seconds")
        -> "the kept value";

    /// Tells other agents something: sets a value of their state, which they know from the next tick on.
    ///
    /// `me.tell("guards", "alarm", me.pos)` reaches all other guards, `me.tell(me.neighbors(80).of("guards"), "alarm", me.pos)` those who are near,
    /// and `me.tell(other, "caller", me.nearest(5))` one agent. The groups of those who are to hear it declare the name as public; in a
    /// neighborhood of several groups, the others do not hear it. If several agents tell one agent something of the same
    /// name in one tick, it keeps what the one with the highest id has told, unless the group declares a rule such as `Sum()`, which combines
    /// what is told with what is there. In sequential order, agents know it at once.
    ///
    /// With a `delay` in seconds, they know it so much later: `me.tell("guards", "alarm", me.pos, 1.5)`. A group means its members of then, a
    /// neighborhood those who are near now. At most 1000 messages of an agent can wait.
    Me "tell" "me.tell(to, name, value, delay)" [me: "`me`"]
        (to: "an agent, the name of a group, or a neighborhood", name: "the name of a public state", value: "a value of its type",
            delay: "seconds")
        -> "nothing";

    /// Adds an amount to a layer, in the cell where the agent is, or at another point: `me.deposit("scent", 1)`.
    ///
    /// It is there from the next tick on; in sequential order, the next agent finds it. Outside of the world there is no cell, and nothing
    /// is added.
    Me "deposit" "me.deposit(layer, amount, at)" [me: "`me`"]
        (layer: "the name of a layer", amount: "a number of at least 0", at: "a point or an agent") -> "nothing";

    /// Takes at most an amount from a layer, in the cell where the agent is, and adds what it gets to a value of its public state:
    /// `me.take("food", 1, "carried")`.
    ///
    /// Agents get theirs in the order of their ids, when all have decided, so what one gets is in `me.state.carried` in the next tick; in
    /// sequential order, each agent gets it at the end of its turn.
    Me "take" "me.take(layer, amount, name)" [me: "`me`"]
        (layer: "the name of a layer", amount: "a number of at least 0", name: "the name of a public number") -> "nothing";

    /// Takes another agent out of the world, and adds 1 to a value of the agent's own public state: `me.capture(sheep, "eaten")`.
    ///
    /// The group of the other agent allows it in the scenario: `captured_by: ["wolves"]`. It leaves at the end of this tick, and others still
    /// see it until then. If several agents want the same one, the one with the lowest id gets it, and for the others nothing changes. So
    /// whoever has got it finds that in its state in the next tick.
    Me "capture" "me.capture(other, name)" [me: "`me`"] (other: "an agent", name: "the name of a public number") -> "nothing";

    /// Sets the goal of the agent, instead of those that it has left: `me.set_goal(me.state.post, 5)`.
    ///
    /// It is `me.goal` from the next tick on. Within `radius` of it, the agent has reached it, and what its group says under `after_goals`
    /// happens. Without a radius, the goal is never reached.
    Me "set_goal" "me.set_goal(at, radius)" [me: "`me`"] (at: "a point or an agent", radius: "a number of at least 0, in world units")
        -> "nothing";

    /// Contributes to a shared value of the world: `me.share("food", 1)`.
    ///
    /// The scenario declares under `shared` how contributions are combined: their sum, whether any or all are true, the largest or the
    /// smallest one, or that of the agent with the highest id. All agents read the result as `world.shared.food`, from the next tick on; in
    /// sequential order, the agents that decide later read it at once. Contributions count among the 32 changes that an agent can make in one tick.
    Me "share" "me.share(name, value)" [me: "`me`"] (name: "the name of a shared value", value: "a value of its type") -> "nothing";

    /// Leaves the world at the end of this tick.
    ///
    /// Others still see the agent in this tick. Its id is never used again.
    Me "leave" "me.leave()" [me: "`me`"] () -> "nothing";

    /// Makes a new agent, which is there from the next tick on: `me.create("sheep", me.pos, -me.vel, #{ energy: me.state.energy / 2 })`.
    ///
    /// `vel` is zero if it is left out. The values of `state` are in `me.state` of the new agent when its `init` is called. An agent can
    /// make at most 32 changes in one tick, and a world has at most as many agents as the scenario allows: `limits: (agents: 5000)`.
    Me "create" "me.create(group, pos, vel, state)" [me: "`me`"]
        (group: "the name of a group", pos: "a point or an agent", vel: "a vector, in world units/s", state: "a map of values")
        -> "nothing";

    /// Returns the seconds since a state was entered, an option was chosen, or a kept value changed: `me.time_in("mode") > 2`.
    ///
    /// This is 0 in the tick of the change, and as long as nothing has been chosen.
    Me "time_in" "me.time_in(name)" [me: "`me`"] (name: "the name of a state") -> "a float, in s";

    /// Sets the velocity at once, for hard stops and turns. The force is then added to it.
    ///
    /// `me.heading` follows at the end of the tick.
    Me "vel" "me.vel = velocity" [me: "`me`"] (velocity: "a vector, in world units/s") -> "nothing";

    /// The public state of another agent: `other.state.alarm`.
    ///
    /// The scenario declares under `public` which values of the state others can read, with their first values. They are as the
    /// agent left them in the tick before; with `order: Sequential`, as they are now. Numbers are floats.
    Agents "state" "other.state" [other: "an agent"] () -> "a number, boolean, string, vector, agent or `()` for each name";

    /// Returns whether both are the same agent; `!=`, whether they are not.
    Agents "==" or "!=" "a == b" (a: "an agent", b: "an agent") -> "`true` or `false`";

    /// Loops over the agents of a neighborhood, in the order of their ids.
    Neighborhoods "for" "for agent in near { ... }" (near: "a neighborhood") -> "nothing";

    /// Returns the agent at an index, in the order of ids; -1 is the last one. Fails if there is none.
    Neighborhoods "[]" "near[index]" [near: "a neighborhood"] (index: "an integer from 0, or from -1 down")
        -> "an agent";

    /// Returns whether an agent is one of the neighbors.
    Neighborhoods "contains" "near.contains(agent)" [near: "a neighborhood"] (agent: "another agent")
        -> "`true` or `false`";

    /// Calls a function with each agent, in the order of ids: `near.map(|other| other.speed)`.
    Neighborhoods "map" "near.map(function)" [near: "a neighborhood"] (function: "a function of one agent")
        -> "an array of what the function returned";

    /// Returns the agents for which a function is true, in the order of ids: `near.filter(|other| other.speed > 5)`.
    ///
    /// To use `me` in the function, put the neighborhood into a variable first: `let near = me.neighbors(30);`.
    Neighborhoods "filter" "near.filter(function)" [near: "a neighborhood"]
        (function: "a function of one agent that returns `true` or `false`") -> "an array of agents";

    /// Returns whether both mean the same radius, groups, views and place; `!=`, whether they do not.
    Neighborhoods "==" or "!=" "a == b" (a: "a neighborhood", b: "a neighborhood") -> "`true` or `false`";

    /// The world of the scenario.
    World "world" "world" () -> "`world`";

    /// The obstacles that are there now, in the order of the scenario.
    World "obstacles" "world.obstacles" [world: "`world`"] () -> "an array of obstacles";

    /// The inputs of the scenario: `world.inputs.left` is true while the key of the input is down.
    ///
    /// In the window, keys set inputs while you play; in each run, events with `Input` set them. At the start, they are false.
    World "inputs" "world.inputs" [world: "`world`"] () -> "`true` or `false` for each name";
    /// The shared values of the world: `world.shared.food`.
    ///
    /// The scenario declares them under `shared`, and agents contribute to them with `me.share`. They are as they were before the tick; with
    /// `order: Sequential`, as the agents before this one have left them. Numbers are floats.
    World "shared" "world.shared" [world: "`world`"] () -> "a number, boolean, string, vector, agent or `()` for each name";

    /// Returns whether both are the same obstacle; `!=`, whether they are not.
    Obstacles "==" or "!=" "a == b" (a: "an obstacle", b: "an obstacle") -> "`true` or `false`";

    /// Returns whether both are the same path; `!=`, whether they are not.
    Paths "==" or "!=" "a == b" (a: "a path", b: "a path") -> "`true` or `false`";

    /// Sets the first part of a vector in a variable.
    Vectors "x" "v.x = number" [v: "a vector"] (number: "a number") -> "nothing";

    /// Sets the second part of a vector in a variable.
    Vectors "y" "v.y = number" [v: "a vector"] (number: "a number") -> "nothing";

    /// The ratio of a circle's circumference to its diameter, 3.14159.
    Numbers "PI" "PI" () -> "a float";

    /// Divides a variable. The result is a float also of two integers, as with `/`.
    Numbers "/=" "x /= y" (x: "a number in a variable", y: "a number") -> "nothing";

    /// Returns the number of elements of an array or a map.
    Arrays "len" "array.len()" [array: "a string, an array or a map"] () -> "an integer";

    /// Returns whether an array or a map has no elements.
    Arrays "is_empty" "array.is_empty()" [array: "a string, an array or a map"] () -> "`true` or `false`";

    /// Returns the element at an index; -1 is the last one. Fails if there is none.
    Arrays "[]" "array[index]" [array: "an array"] (index: "an integer from 0, or from -1 down") -> "the element";

    /// Adds an element at the end.
    Arrays "push" "array.push(value)" [array: "an array in a variable"] (value: "anything") -> "nothing";

    /// Removes the last element.
    Arrays "pop" "array.pop()" [array: "a string or an array in a variable"] ()
        -> "the element, or `()` if the array was empty";

    /// Removes the first element.
    Arrays "shift" "array.shift()" [array: "an array in a variable"] ()
        -> "the element, or `()` if the array was empty";

    /// Inserts an element before the one at an index.
    Arrays "insert" "array.insert(index, value)" [array: "an array in a variable"]
        (index: "an integer", value: "anything") -> "nothing";

    /// Removes the element at an index.
    Arrays "remove" "array.remove(index)" [array: "an array in a variable"] (index: "an integer")
        -> "the element, or `()` if there was none";

    /// Returns whether an array has an element, or a map has a key.
    Arrays "contains" "array.contains(value)" [array: "a string, an array or a map"] (value: "anything")
        -> "`true` or `false`";

    /// Returns the index of the first element that equals a value.
    Arrays "index_of" "array.index_of(value)" [array: "an array"] (value: "anything")
        -> "an integer; -1 if there is none";

    /// Calls a function with each element: `array.map(|x| x * 2)`.
    Arrays "map" "array.map(function)" [array: "an array"] (function: "a function of one element")
        -> "an array of what the function returned";

    /// Returns the elements for which a function is true.
    Arrays "filter" "array.filter(function)" [array: "an array"]
        (function: "a function of one element that returns `true` or `false`") -> "an array";

    /// Combines all elements into one value: `array.reduce(|sum, x| sum + x, 0)`.
    Arrays "reduce" "array.reduce(function, first)" [array: "an array"]
        (function: "a function of the value so far and an element", first: "the first value")
        -> "what the last call returned";

    /// Returns whether a function is true for at least one element.
    Arrays "some" "array.some(function)" [array: "an array"]
        (function: "a function of one element that returns `true` or `false`") -> "`true` or `false`";

    /// Returns whether a function is true for all elements.
    Arrays "all" "array.all(function)" [array: "an array"]
        (function: "a function of one element that returns `true` or `false`") -> "`true` or `false`";

    /// Sorts the elements of an array: numbers by value with NaN last, or strings, or booleans.
    Arrays "sort" "array.sort()" [array: "an array in a variable"] () -> "nothing";

    /// Sorts the elements of an array by a function: `agents.sort(|a, b| a.speed - b.speed)`.
    ///
    /// The function returns a number below 0, or `true`, if the first of the two comes first. Equal elements
    /// keep their order.
    Arrays "sort" or "sort_by" "array.sort(function)" [array: "an array in a variable"]
        (function: "a function of two elements") -> "nothing";

    /// Sorts the elements of an array in the opposite order of `sort`.
    Arrays "sort_desc" "array.sort_desc()" [array: "an array in a variable"] () -> "nothing";

    /// Returns the elements in the order of `sort`; the array does not change.
    Arrays "order" "array.order()" [array: "an array"] () -> "an array";

    /// Returns the elements in the order of a function, as `sort(function)` does; the array does not change.
    Arrays "order" or "order_by" "array.order(function)" [array: "an array"]
        (function: "a function of two elements") -> "an array";

    /// Returns the elements in the opposite order of `order`; the array does not change.
    Arrays "order_desc" "array.order_desc()" [array: "an array"] () -> "an array";

    /// Returns the keys of a map, in alphabetical order.
    Arrays "keys" "map.keys()" [map: "a map"] () -> "an array of strings";

    /// Returns the values of a map, in the order of their keys.
    Arrays "values" "map.values()" [map: "a map"] () -> "an array";

    /// Shows a value with the tick, the agent and the line: in the window, and in the output of `flockwork run`.
    ///
    /// An agent can show 100 values in one tick, of 500 characters each.
    Values "debug" "debug(value)" (value: "anything") -> "nothing";

    /// Returns whether two values are equal; `!=`, whether they are not.
    ///
    /// Anything can be compared with `()`, which means that there is nothing. Comparing other values of
    /// different types is an error.
    Values "==" or "!=" "a == b" (a: "anything", b: "a value of the same type, or `()`") -> "`true` or `false`";

    /// Compares two strings in alphabetical order.
    Values "<" or "<=" or ">" or ">=" "a < b" (a: "a string", b: "a string") -> "`true` or `false`";

    /// Returns a value as a string; `to_debug` puts strings in quotes.
    Values "to_string" or "to_debug" "value.to_string()" [value: "anything"] () -> "a string";

    /// Returns the name of a value's type.
    Values "type_of" "type_of(value)" (value: "anything") -> "a string";

    /// The number of the tick, from 0.
    Measures "tick" "now.tick" [now: "`now`"] () -> "an integer";

    /// The simulated time since the start of the run, in seconds.
    Measures "time" "now.time" [now: "`now`"] () -> "a float";

    /// The same measures for each group: `now.groups.bird.mean_speed`.
    Measures "groups" "now.groups" [now: "`now`"] () -> "a map of group names to measures";

    /// The mean of all positions, in world units.
    Measures "center" "now.center" [now: "`now`"] () -> "a vector, or `()` if there are no agents";

    /// All agents, in the order of their ids: `now.groups.bird.members.all(|one| one.speed < 9)`.
    Measures "members" "now.members" [now: "`now`"] () -> "an array of agents";
}
