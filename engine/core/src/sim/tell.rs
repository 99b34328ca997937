//! Messages: what agents tell each other, and when others hear it.
//!
//! What agents are told is in their state when all have decided, so they know it in the next tick; in sequential order, at once. What is to
//! be heard later waits, and is in their state at the end of the tick before they know it. All of it happens in the order of the ids of
//! those who tell it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AgentError, Change, ChangeKind, Listeners, Order, Simulation, Told};
use crate::diag::Diagnostic;
use crate::world::{
    AgentId, AgentMessage, Combined, Group, LateListeners, Me, Minds, NameHint, News, NewsSource,
    PublicType, SharedRule, Value, WaitingMessage, World,
};

/// The most messages of one agent that are not heard yet.
pub const MAX_WAITING_OF_AGENT: usize = 1000;

/// The most messages in a world that are not heard yet. One to several agents counts once for each of them, one to a group counts once.
pub const MAX_WAITING: usize = 1_000_000;

impl Simulation {
    /// Lets agents hear what others have told them, and returns whether there was anything. The agents must not have moved since they
    /// decided, and the minds must be in the order of rows.
    ///
    /// # Errors
    ///
    /// If a sum becomes infinite, or if too many messages wait.
    pub(super) fn deliver(&mut self) -> Result<bool, AgentError> {
        let changes = &mut self.output.changes;
        let is_told = |change: &Change| matches!(change.kind, ChangeKind::Tell(_));
        if !changes.iter().any(is_told) {
            return Ok(false);
        }
        changes.sort_by_key(|change| change.agent);
        let told: Vec<Change> = changes.extract_if(.., |change| is_told(change)).collect();
        let is_sequential = self.order == Order::Sequential;
        let mut delivery = Delivery::new(&self.world, &mut self.minds, &mut self.heard_places);
        let mut waiting = Vec::new();
        for Change { agent, kind } in told {
            let (ChangeKind::Tell(told), Some(teller)) = (kind, self.world.agents.row(agent))
            else {
                continue;
            };
            let Told { to, name, value, delay } = told;
            let (tick, group) = (self.world.tick, self.world.agents.group[teller]);
            let message = AgentMessage { tick, teller: agent, group, name, value };
            match ticks_until_heard(delay, self.world.dt, self.order) {
                None => {
                    let name = delivery.index_of(&message.name);
                    each_listener(&self.world, teller, &to, |row| {
                        delivery.hear(name, row, &message, is_sequential && row > teller);
                    });
                }
                Some(ticks) => {
                    let (heard, to) = (tick.saturating_add(ticks), late(&self.world, teller, &to));
                    if to != LateListeners::Agents([].into()) {
                        waiting.push(WaitingMessage { heard, to, message });
                    }
                }
            }
        }
        let (noted, failed) = delivery.end();
        self.note(noted);
        match failed {
            Some(failed) => Err(failed),
            None => self.add_waiting(waiting).map(|()| true),
        }
    }

    /// Lets agents hear what they are to know in the next tick.
    ///
    /// # Errors
    ///
    /// If a sum becomes infinite.
    pub(super) fn deliver_waiting(&mut self) -> Result<(), AgentError> {
        let next = self.world.tick + 1;
        let due = self.world.waiting.partition_point(|one| one.heard <= next);
        if due == 0 {
            return Ok(());
        }
        let waiting = &mut Arc::make_mut(&mut self.world).waiting;
        let mut due: Vec<WaitingMessage> = waiting.drain(..due).collect();
        due.sort_by_key(|one| one.message.teller);
        let agents = &self.world.agents;
        let mut delivery = Delivery::new(&self.world, &mut self.minds, &mut self.heard_places);
        for WaitingMessage { to, message, .. } in &due {
            let (name, teller) = (delivery.index_of(&message.name), agents.row(message.teller));
            match to {
                LateListeners::Agents(ids) => ids
                    .iter()
                    .filter_map(|&id| agents.row(id))
                    .for_each(|row| delivery.hear(name, row, message, false)),
                LateListeners::Group(group) => (0..agents.len())
                    .filter(|&row| agents.group[row] == *group && Some(row) != teller)
                    .for_each(|row| delivery.hear(name, row, message, false)),
            }
        }
        let (noted, failed) = delivery.end();
        self.note(noted);
        self.publish();
        failed.map_or(Ok(()), Err)
    }

    /// Keeps messages until they are heard.
    fn add_waiting(&mut self, new: Vec<WaitingMessage>) -> Result<(), AgentError> {
        if new.is_empty() {
            return Ok(());
        }
        let size = |one: &WaitingMessage| match &one.to {
            LateListeners::Agents(ids) => ids.len(),
            LateListeners::Group(_) => 1,
        };
        let world = Arc::make_mut(&mut self.world);
        let mut of_world: usize = world.waiting.iter().map(size).sum();
        let mut of_agents: BTreeMap<AgentId, usize> = BTreeMap::new();
        for one in &world.waiting {
            *of_agents.entry(one.message.teller).or_default() += 1;
        }
        for one in new {
            let of_agent = of_agents.entry(one.message.teller).or_default();
            *of_agent += 1;
            of_world += size(&one);
            if *of_agent > MAX_WAITING_OF_AGENT || of_world > MAX_WAITING {
                let what = if *of_agent > MAX_WAITING_OF_AGENT {
                    format!(
                        "more than {MAX_WAITING_OF_AGENT} messages of an agent are not heard yet"
                    )
                } else {
                    format!("more than {MAX_WAITING} messages are not heard yet")
                };
                let what = Diagnostic::error(what).help("tell less, or with a shorter delay");
                return Err(error_of_teller(world, &one.message, what));
            }
            let place = world.waiting.partition_point(|known| known.heard <= one.heard);
            world.waiting.insert(place, one);
        }
        Ok(())
    }

    /// Notes changes of states, if that is asked for.
    pub(super) fn note(&mut self, news: Vec<News>) {
        if self.world.news.is_some() {
            Arc::make_mut(&mut self.world).note_news(news);
        }
    }

    /// Notes from now on what agents tell each other, take and capture, so that explanations can name it. This changes nothing else.
    pub fn note_news(&mut self) {
        let news = &mut Arc::make_mut(&mut self.world).news;
        news.get_or_insert_default();
    }
}

/// Returns after how many ticks a message is known. `None` if it is heard in the usual way.
fn ticks_until_heard(delay: f32, dt: f32, order: Order) -> Option<u64> {
    let usual = match order {
        Order::Synchronous => 1,
        Order::Sequential => 0,
    };
    let ticks = (f64::from(delay) / f64::from(dt)).round() as u64;
    (ticks > usual).then_some(ticks)
}

/// Calls a function with the row of each agent that hears what another one tells.
fn each_listener(world: &World, teller: usize, to: &Listeners, mut hear: impl FnMut(usize)) {
    match to {
        Listeners::Agent(id) => {
            if let Some(row) = world.agents.row(*id).filter(|&row| row != teller) {
                hear(row);
            }
        }
        Listeners::Group(group) => {
            let of_group = |&row: &usize| world.agents.group[row] == *group && row != teller;
            (0..world.agents.len()).filter(of_group).for_each(hear);
        }
        Listeners::Neighbors(which) => {
            let me = Me::new(world, teller, world.agents.vel(teller));
            me.each_neighbor_row(which, hear);
        }
    }
}

/// Returns the agents that hear later what another one tells: of neighbors, those who are near now.
fn late(world: &World, teller: usize, to: &Listeners) -> LateListeners {
    if let Listeners::Group(group) = to {
        return LateListeners::Group(*group);
    }
    let mut ids = Vec::new();
    each_listener(world, teller, to, |row| ids.push(world.agents.id[row]));
    ids.sort_unstable();
    LateListeners::Agents(ids.into())
}

fn error_of_teller(world: &World, message: &AgentMessage, what: Diagnostic) -> AgentError {
    let group = world.group(message.group).name.to_string();
    AgentError { tick: world.tick, agent: message.teller, group, what: Box::new(what) }
}

/// Brings messages into the states of those who hear them.
struct Delivery<'s> {
    world: &'s World,
    minds: &'s mut Minds,
    /// The names of the messages so far.
    names: Vec<OfName<'s>>,
    /// For each name and row, the number of what has been heard, from 1 on; 0 for nothing.
    places: &'s mut Vec<u32>,
    /// The error of the first agent that made a sum infinite.
    failed: Option<AgentError>,
    noted: Vec<News>,
}

/// What has been heard of one name.
struct OfName<'s> {
    name: Arc<str>,
    /// For each group that declares the name, by its id: how messages combine, their type, and the first value.
    groups: Vec<Option<(SharedRule, PublicType, &'s Value)>>,
    /// The values so far, each with the row of the agent that hears it.
    heard: Vec<(usize, Combined)>,
}

impl<'s> OfName<'s> {
    fn new(world: &'s World, name: &Arc<str>) -> Self {
        let of_group = |group: &'s Group| {
            let first = group.public.get(name)?;
            let rule = group.public_rules.get(name).map_or(SharedRule::Latest, |rule| rule.rule);
            Some((rule, PublicType::of(first)?, first))
        };
        let groups = world.groups.iter().map(of_group).collect();
        Self { name: Arc::clone(name), groups, heard: Vec::new() }
    }
}

impl<'s> Delivery<'s> {
    /// Begins. `places` is memory that is used again and again; it has zeros between two deliveries.
    fn new(world: &'s World, minds: &'s mut Minds, places: &'s mut Vec<u32>) -> Self {
        Self { world, minds, names: Vec::new(), places, failed: None, noted: Vec::new() }
    }

    /// Returns the index of a name, and makes room for it.
    fn index_of(&mut self, name: &Arc<str>) -> usize {
        let known =
            self.names.iter().position(|of| Arc::ptr_eq(&of.name, name) || of.name == *name);
        known.unwrap_or_else(|| {
            self.names.push(OfName::new(self.world, name));
            let places = self.names.len() * self.world.agents.len();
            self.places.resize(self.places.len().max(places), 0);
            self.names.len() - 1
        })
    }

    /// Lets the agent in a row hear a message, if its group declares the name, which has this index. `before_turn` says that it still has
    /// its turn of this tick before it.
    fn hear(&mut self, index: usize, row: usize, message: &AgentMessage, before_turn: bool) {
        let OfName { name, groups, heard } = &mut self.names[index];
        let agents = &self.world.agents;
        let Some((rule, ty, first)) = groups[usize::from(agents.group[row].0)] else { return };
        let value = match (ty, &message.value) {
            (PublicType::Number, value @ Value::Float(_)) => Cow::Borrowed(value),
            // After an edit, the group may declare the name with another type than when it was told.
            (ty, value) => {
                let Some(value) = ty.fit(value.clone()) else { return };
                Cow::Owned(value)
            }
        };
        let place = &mut self.places[index * agents.len() + row];
        if *place == 0 {
            let before = (rule != SharedRule::Latest).then(|| self.minds.state(row).get(name));
            heard.push((row, Combined::new(before.flatten().unwrap_or(first))));
            *place = heard.len() as u32;
        }
        let (_, all) = &mut heard[*place as usize - 1];
        let before = self.world.news.is_some().then(|| all.value().clone());
        if !all.add(rule, &value) && self.failed.is_none() {
            let listener = agents.id[row];
            let what = format!("the public state `{name}` of agent {listener} became infinite");
            let what = Diagnostic::error(what)
                .help("tell smaller numbers, or let it begin again: `each_tick: true`");
            self.failed = Some(error_of_teller(self.world, message, what));
        }
        if before.is_some_and(|before| rule == SharedRule::Latest || before != *all.value()) {
            self.note(row, message, rule, before_turn);
        }
    }

    /// Notes a message that has changed a value.
    fn note(&mut self, row: usize, message: &AgentMessage, rule: SharedRule, before_turn: bool) {
        let group = Arc::clone(&self.world.group(message.group).name);
        self.noted.push(News {
            tick: message.tick,
            heard: self.world.tick,
            agent: self.world.agents.id[row],
            name: Arc::clone(&message.name),
            source: NewsSource::Told { id: message.teller, group },
            before_turn,
            replaces: rule != SharedRule::Sum,
        });
    }

    /// Ends with what was heard in the states. Returns what is noted, and the first error.
    fn end(self) -> (Vec<News>, Option<AgentError>) {
        for (index, OfName { name, heard, .. }) in self.names.into_iter().enumerate() {
            let mut hint = NameHint::default();
            for (row, combined) in heard {
                self.places[index * self.world.agents.len() + row] = 0;
                self.minds.mind(row).state.put_near(&name, &mut hint, combined.finish());
            }
        }
        (self.noted, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Acts, setup};
    use super::*;
    use crate::math::Vec2;
    use crate::sim::{Brain, Output, Setup, Turn, step_together};
    use crate::world::{AfterGoals, GroupId, Neighborhood, PublicRule, Value};

    /// Agents tell others their number from 1 on, and keep in mind what they had heard before.
    fn tells(to: fn(AgentId) -> Listeners) -> impl Brain {
        Acts(move |world: &World, turn: Turn<'_>, output: &mut Output| {
            let agent = world.agents.id[turn.row];
            let heard = turn.mind.state.get("heard").cloned().unwrap_or(Value::Nothing);
            turn.mind.state.set("before", heard);
            let value = Value::Float(agent.0 as f32 + 1.0);
            let told = Told { to: to(agent), name: "heard".into(), value, delay: 0.0 };
            output.changes.push(Change { agent, kind: ChangeKind::Tell(told) });
        })
    }

    /// Returns what three agents in a row at the distances 0, 2 and 5 have heard after a tick, and what they had heard when they
    /// decided.
    fn heard(order: Order, to: fn(AgentId) -> Listeners) -> [Vec<f32>; 2] {
        let mut setup = setup(&[(0.0, 0.0), (2.0, 0.0), (5.0, 0.0)], &[], AfterGoals::Stop);
        setup.groups[0].0.public.set("heard", Value::Float(0.0));
        let setup = Setup { order, ..setup };
        let mut simulation = Simulation::new(setup, vec![Arc::new(tells(to))]).unwrap();
        simulation.step().unwrap();
        let world = simulation.world();
        let published = (0..3).map(|row| world.agent(row).state("heard"));
        let known = (0..3).map(|row| simulation.minds().state(row).get("heard").cloned());
        assert!(published.eq(known), "others see it");
        ["heard", "before"].map(|name| {
            let value = |row| match simulation.minds().state(row).get(name) {
                Some(Value::Float(value)) => *value,
                other => panic!("{other:?}"),
            };
            (0..3).map(value).collect()
        })
    }

    #[test]
    fn agents_hear_what_others_tell_them_when_all_have_decided() {
        let everyone = |_| Listeners::Group(GroupId(0));
        // The highest id counts, and nobody hears itself.
        let after = vec![3.0, 3.0, 2.0];
        assert_eq!(heard(Order::Synchronous, everyone), [after.clone(), vec![0.0; 3]]);
        assert_eq!(heard(Order::Sequential, everyone), [after, vec![0.0, 1.0, 2.0]]);
        let near = |_| Listeners::Neighbors(Neighborhood::within(3.5));
        for order in [Order::Synchronous, Order::Sequential] {
            assert_eq!(heard(order, near)[0], [2.0, 3.0, 2.0], "{order:?}");
            let next = |agent: AgentId| Listeners::Agent(AgentId(agent.0 + 1));
            assert_eq!(heard(order, next)[0], [0.0, 1.0, 2.0], "{order:?}");
        }
    }

    #[test]
    fn who_told_what_is_known_until_the_next_turn_if_it_is_noted() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut setup = setup(&[(0.0, 0.0), (2.0, 0.0), (5.0, 0.0)], &[], AfterGoals::Stop);
            setup.groups[0].0.public.set("heard", Value::Float(0.0));
            let setup = Setup { order, ..setup };
            // Each tells the next one.
            let tells = tells(|id| Listeners::Agent(AgentId((id.0 + 1) % 3)));
            let mut simulation = Simulation::new(setup, vec![Arc::new(tells)]).unwrap();
            let teller = |simulation: &Simulation, id| {
                let news = simulation.world().news(AgentId(id), "heard");
                let told = |one: &News| match &one.source {
                    NewsSource::Told { id, group } => (id.0, one.tick, &**group == "all"),
                    other => panic!("{other:?}"),
                };
                news.last().map(|one| told(one))
            };
            simulation.step().unwrap();
            assert_eq!(teller(&simulation, 0), None, "nobody has asked for it");
            simulation.note_news();
            simulation.step().unwrap();
            simulation.step().unwrap();
            let known = [0, 1, 2].map(|id| teller(&simulation, id));
            let (last, other) = (Some((2, 2, true)), simulation.world().news(AgentId(0), "it"));
            assert!(other.is_empty());
            match order {
                Order::Synchronous => {
                    assert_eq!(known, [last, Some((0, 2, true)), Some((1, 2, true))]);
                }
                // The others have had their turns since they were told.
                Order::Sequential => assert_eq!(known, [last, None, None]),
            }
            simulation.restore(simulation.state());
            assert_eq!(teller(&simulation, 0), None);
        }
    }

    #[test]
    fn messages_come_in_the_order_of_ids_wherever_agents_are() {
        // From right to left, so that agents decide in another order.
        let places: Vec<(f32, f32)> = (0..100).map(|i| (900.0 - 9.0 * i as f32, 0.0)).collect();
        let mut setup = setup(&places, &[], AfterGoals::Stop);
        setup.groups[0].0.public.set("heard", Value::Float(0.0));
        let tells = tells(|_| Listeners::Group(GroupId(0)));
        let mut telling = Simulation::new(setup, vec![Arc::new(tells)]).unwrap();
        telling.step().unwrap();
        let heard: Vec<_> = telling.world().iter().map(|one| one.state("heard").unwrap()).collect();
        assert!(heard[..99].iter().all(|heard| *heard == Value::Float(100.0)), "{heard:?}");
        assert_eq!(heard[99], Value::Float(99.0));
    }

    /// What one agent tells in one tick: to whom, the name, the value and the delay.
    type Said = (Listeners, &'static str, Value, f32);

    /// Agents that tell others what depends on their ids and the tick.
    fn says_all(says: fn(u32, u64) -> Vec<Said>) -> impl Brain {
        Acts(move |world: &World, turn: Turn<'_>, output: &mut Output| {
            let agent = world.agents.id[turn.row];
            if let Some(read) = turn.mind.state.get("fresh").cloned() {
                turn.mind.state.set("read", read);
            }
            for (to, name, value, delay) in says(agent.0, world.tick) {
                let told = Told { to, name: name.into(), value, delay };
                output.changes.push(Change { agent, kind: ChangeKind::Tell(told) });
            }
            // Away to the right.
            turn.force.x = 10.0 * agent.0 as f32;
        })
    }

    const ALL: Listeners = Listeners::Group(GroupId(0));

    /// Five agents in a row, 2 apart, with public state of all kinds. A tick lasts half a second.
    fn saying(order: Order, says: fn(u32, u64) -> Vec<Said>) -> Simulation {
        let places: Vec<(f32, f32)> = (0..5).map(|i| (8.0 - 2.0 * i as f32, 0.0)).collect();
        let mut setup = Setup { order, dt: 0.5, ..setup(&places, &[], AfterGoals::Stop) };
        let group = &mut setup.groups[0].0;
        for (name, rule, each_tick, start) in [
            ("sum", SharedRule::Sum, false, Value::Float(0.0)),
            ("fresh", SharedRule::Sum, true, Value::Float(0.0)),
            ("any", SharedRule::Any, false, Value::Bool(false)),
            ("all", SharedRule::All, false, Value::Bool(true)),
            ("most", SharedRule::Largest, false, Value::Float(1.5)),
            ("least", SharedRule::Smallest, false, Value::Float(1.5)),
        ] {
            group.public.set(name, start);
            group.public_rules.insert(name.into(), PublicRule { rule, each_tick });
        }
        group.public.set("last", Value::Float(0.0));
        Simulation::new(setup, vec![Arc::new(says_all(says))]).unwrap()
    }

    fn states(simulation: &Simulation, name: &str) -> Vec<f32> {
        let number = |row| {
            let known = simulation.minds().state(row).get(name);
            let seen = simulation.world().agent(row).state(name);
            assert!(seen.is_none_or(|seen| Some(&seen) == known), "others see {name}");
            match known {
                Some(Value::Float(x)) => *x,
                Some(Value::Bool(x)) => f32::from(u8::from(*x)),
                other => panic!("{name}: {other:?}"),
            }
        };
        (0..simulation.minds().len()).map(number).collect()
    }

    #[test]
    fn what_is_told_is_combined_with_what_is_there_and_nothing_is_lost() {
        let says = |id: u32, tick| {
            let value = Value::Float(id as f32);
            let mut said: Vec<Said> = ["sum", "fresh", "most", "least", "last"]
                .map(|name| (ALL, name, value.clone(), 0.0))
                .into();
            if id == 2 && tick == 1 {
                said.push((ALL, "any", Value::Bool(true), 0.0));
                said.push((ALL, "all", Value::Bool(false), 0.0));
            }
            said
        };
        for order in [Order::Synchronous, Order::Sequential] {
            let mut simulation = saying(order, says);
            simulation.step().unwrap();
            // 0 + 1 + 2 + 3 + 4 without the own one.
            let sums = [10.0, 9.0, 8.0, 7.0, 6.0];
            assert_eq!(states(&simulation, "sum"), sums, "{order:?}");
            assert_eq!(states(&simulation, "most"), [4.0, 4.0, 4.0, 4.0, 3.0]);
            assert_eq!(states(&simulation, "least"), [1.0, 0.0, 0.0, 0.0, 0.0]);
            assert_eq!(states(&simulation, "last"), [4.0, 4.0, 4.0, 4.0, 3.0]);
            simulation.step().unwrap();
            simulation.step().unwrap();
            assert_eq!(states(&simulation, "sum"), sums.map(|sum| 3.0 * sum), "{order:?}");
            // Each agent has read what it was told since its last turn, in both orders.
            assert_eq!(states(&simulation, "read"), sums, "{order:?}");
            assert_eq!(states(&simulation, "any"), [1.0, 1.0, 0.0, 1.0, 1.0]);
            assert_eq!(states(&simulation, "all"), [0.0, 0.0, 1.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn messages_with_a_delay_are_known_at_their_tick() {
        // Ticks last half a second.
        for (delay, later) in [(0.0, 1), (0.2, 1), (0.5, 1), (0.8, 2), (1.0, 2), (2.3, 5)] {
            for order in [Order::Synchronous, Order::Sequential] {
                let usual = if order == Order::Synchronous || delay >= 0.25 { later } else { 0 };
                let mut simulation = saying(order, |_, _| Vec::new());
                let told = Told { to: ALL, name: "sum".into(), value: Value::Float(1.0), delay };
                let kind = ChangeKind::Tell(told);
                simulation.output.changes.push(Change { agent: AgentId(4), kind });
                for tick in 0..8 {
                    let known = f32::from(u8::from(tick >= usual && tick > 0));
                    assert_eq!(
                        states(&simulation, "sum"),
                        [known, known, known, known, 0.0],
                        "{order:?} {delay} at {tick}"
                    );
                    simulation.step().unwrap();
                }
                assert!(simulation.waiting().is_empty());
            }
        }
    }

    /// Messages to all kinds of listeners, most of them late, from agents of which some leave.
    fn busy(id: u32, tick: u64) -> Vec<Said> {
        let value = Value::Float(id as f32 + 0.25 * tick as f32);
        let near = Listeners::Neighbors(Neighborhood::within(3.0));
        let next = Listeners::Agent(AgentId((id + 1) % 5));
        let delay = [0.0, 0.5, 1.4, 4.0][(id as usize + tick as usize) % 4];
        vec![
            (ALL, "sum", value.clone(), delay),
            (near, "fresh", value.clone(), 1.0),
            (next, "last", value.clone(), 1.5),
            (near, "most", value, 0.0),
        ]
    }

    #[test]
    fn a_run_with_waiting_messages_goes_on_from_any_tick_as_it_went() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut straight = saying(order, busy);
            let bits = |run: &Simulation| format!("{:?}", run.state());
            let mut before = bits(&straight);
            for tick in 0..14 {
                if tick == 6 {
                    straight.remove(&[AgentId(1)]);
                    assert!(!straight.waiting().is_empty());
                }
                let mut restored = saying(order, busy);
                restored.restore(straight.state());
                let mut adopted = straight.adopt(&saying(order, busy)).unwrap();
                // Its group would bring the agent back that was removed.
                let is_same = tick < 6;
                let mut others = [straight.clone(), saying(order, busy)];
                let mut others: Vec<&mut Simulation> = others.iter_mut().collect();
                assert!(step_together(&mut others).iter().all(Result::is_ok));
                straight.step().unwrap();
                restored.step().unwrap();
                assert_eq!(bits(&restored), bits(&straight), "{order:?} at {tick}");
                assert_eq!(bits(others[0]), bits(&straight), "{order:?} together at {tick}");
                if is_same {
                    adopted.step().unwrap();
                    assert_eq!(bits(&adopted), bits(&straight), "{order:?} adopted at {tick}");
                }
                assert_ne!(before, bits(&straight));
                before = bits(&straight);
            }
        }
    }

    #[test]
    fn neighbors_hear_late_what_was_told_near_them_and_a_group_has_the_members_of_then() {
        let says = |id, tick| match (id, tick) {
            (0, 0) => {
                let near = Listeners::Neighbors(Neighborhood::within(3.0));
                vec![(near, "sum", Value::Float(1.0), 1.5), (ALL, "last", Value::Float(2.0), 1.5)]
            }
            _ => Vec::new(),
        };
        let mut simulation = saying(Order::Synchronous, says);
        simulation.step().unwrap();
        // The teller may be gone, and others may have come.
        simulation.remove(&[AgentId(0)]);
        let new = crate::world::NewAgent::at(Vec2::ZERO, Vec2::X);
        simulation.add(GroupId(0), &[new]).unwrap();
        simulation.step().unwrap();
        assert_eq!(states(&simulation, "last"), [0.0; 5]);
        simulation.step().unwrap();
        assert_eq!(states(&simulation, "sum"), [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(states(&simulation, "last"), [2.0; 5]);
    }

    #[test]
    fn sums_that_become_infinite_and_too_many_messages_are_errors_of_who_tells() {
        let error = |says, ticks: u64| {
            let mut simulation = saying(Order::Synchronous, says);
            let failed = (0..ticks).find_map(|_| simulation.step().err()).unwrap();
            (failed.tick, failed.agent.0, failed.to_string())
        };
        let much = |id, tick| match (id, tick) {
            (1 | 3, 2) => vec![(ALL, "sum", Value::Float(f32::MAX), 0.0)],
            _ => Vec::new(),
        };
        let (tick, agent, text) = error(much, 5);
        assert_eq!((tick, agent), (2, 3), "{text}");
        assert!(text.contains("`sum` of agent 0 became infinite"), "{text}");
        let late = |id, tick| match (id, tick) {
            (1, 0) => vec![(ALL, "sum", Value::Float(f32::MAX), 1.5); 2],
            _ => Vec::new(),
        };
        assert_eq!(error(late, 5).0, 2);
        let many = |id, _| match id {
            2 => vec![(ALL, "sum", Value::Float(1.0), 1e9); 30],
            _ => Vec::new(),
        };
        let (tick, agent, text) = error(many, 50);
        assert_eq!((tick, agent), (33, 2), "{text}");
        assert!(text.contains("more than 1000 messages of an agent"), "{text}");
    }

    #[test]
    fn all_that_a_sum_is_made_of_is_news_and_only_the_last_of_what_replaces() {
        let says = |id: u32, tick| {
            let value = Value::Float(id as f32);
            let delay = if tick == 0 { 1.0 } else { 0.0 };
            match tick {
                0 | 1 => {
                    ["sum", "most", "last"].map(|name| (ALL, name, value.clone(), delay)).into()
                }
                _ => Vec::new(),
            }
        };
        let mut simulation = saying(Order::Synchronous, says);
        simulation.note_news();
        let news = |simulation: &Simulation, name| {
            let news = simulation.world().news(AgentId(0), name);
            let teller = |one: &News| match one.source {
                NewsSource::Told { id, .. } => id.0,
                _ => panic!("{one:?}"),
            };
            news.into_iter().map(|one| (one.tick, teller(one))).collect::<Vec<_>>()
        };
        simulation.step().unwrap();
        assert!(news(&simulation, "sum").is_empty());
        simulation.step().unwrap();
        let told = |tick| (1..5).map(move |id| (tick, id));
        assert_eq!(news(&simulation, "sum"), told(1).chain(told(0)).collect::<Vec<_>>());
        assert_eq!(news(&simulation, "last"), [(0, 4)]);
        // The same number again has changed nothing.
        assert_eq!(news(&simulation, "most"), [(1, 4)]);
        simulation.step().unwrap();
        assert!(news(&simulation, "sum").is_empty());
    }
}
