//! Finding entries by a name as a person types it.

use flockwork_engine::script::{Entry, Topic};

/// A meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'a> {
    Entry(&'a Entry),
    Topic(Topic),
}

/// Finds all entries of a name such as `seek`, `me.seek`, `v.limit(5)` or `+`, and the topic of that name.
pub(super) fn find<'a>(entries: &'a [Entry], query: &str) -> Vec<Meaning<'a>> {
    let mut query = without_arguments(query);
    loop {
        let found = find_exactly(entries, query);
        // The user chose the last name of `me.params.fear`: look up `me.params` instead.
        match query.rsplit_once('.') {
            Some((owner, _)) if found.is_empty() && owner.contains('.') => query = owner,
            _ => return found,
        }
    }
}

/// Returns the name in a query: `limit` of `v.limit(5)`.
pub(super) fn last_name(query: &str) -> &str {
    split(without_arguments(query)).1
}

fn find_exactly<'a>(entries: &'a [Entry], query: &str) -> Vec<Meaning<'a>> {
    let (receiver, name) = split(query);
    let named: Vec<&Entry> = entries.iter().filter(|entry| is_named(entry, name)).collect();
    let belongs = |entry: &&Entry| receiver.is_none_or(|receiver| is_read_of(entry, receiver));
    // A variable of a script may be called anything, so an unknown receiver excludes nothing.
    let exact: Vec<&Entry> = named.iter().copied().filter(|entry| belongs(entry)).collect();
    let entries = if exact.is_empty() { named } else { exact };
    let is_topic = |topic: &Topic| receiver.is_none() && topic.slug().eq_ignore_ascii_case(name);
    let topics = Topic::ALL.iter().copied().filter(is_topic).map(Meaning::Topic);
    entries.into_iter().map(Meaning::Entry).chain(topics).collect()
}

fn is_named(entry: &Entry, name: &str) -> bool {
    entry.names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns whether an entry is a method or a property of `receiver`.
fn is_read_of(entry: &Entry, receiver: &str) -> bool {
    entry.receiver.as_ref().is_some_and(|own| own.name == receiver)
        || (receiver == "me" && entry.topic == Topic::Agents)
}

/// Splits `v.limit` into receiver and name.
fn split(query: &str) -> (Option<&str>, &str) {
    match query.rsplit_once('.') {
        Some((receiver, name)) if !receiver.is_empty() && !name.is_empty() => {
            (Some(receiver), name)
        }
        _ => (None, query),
    }
}

/// Makes `limit` of `limit(5)`, and `steer` of `fn steer(me)`.
fn without_arguments(query: &str) -> &str {
    let query = query.trim();
    let query = query.strip_prefix("fn ").unwrap_or(query);
    match query.find('(') {
        Some(at) if at > 0 => query[..at].trim_end(),
        _ => query,
    }
}

#[cfg(test)]
mod tests {
    use flockwork_engine::script::reference;

    use super::*;

    fn signatures(query: &str) -> Vec<String> {
        let entries = reference();
        let found = find(&entries, query).into_iter();
        let signature = |found| match found {
            Meaning::Entry(entry) => entry.signature.clone(),
            Meaning::Topic(topic) => format!("all {}", topic.slug()),
        };
        found.map(signature).collect()
    }

    #[test]
    fn names_are_found_as_scripts_write_them() {
        for (query, expected) in [
            ("vec", vec!["vec(x, y)"]),
            ("neighbors", vec!["me.neighbors()", "me.neighbors(radius)"]),
            ("me.neighbors", vec!["me.neighbors()", "me.neighbors(radius)"]),
            ("limit", vec!["v.limit(longest)"]),
            ("v.limit(5)", vec!["v.limit(longest)"]),
            ("velocity.limit", vec!["v.limit(longest)"]),
            ("world.ray", vec!["world.ray(from, to)"]),
            ("debug", vec!["debug(value)"]),
            ("me.pos", vec!["agent.pos"]),
            ("me.params.fear", vec!["me.params"]),
            ("fn steer(me)", vec!["fn steer(me)"]),
            ("now.groups.birds.spread", vec!["now.spread"]),
            ("pi", vec!["PI"]),
            ("me", vec!["me", "all me"]),
            ("vectors", vec!["all vectors"]),
            ("seak", vec![]),
            ("me.seak", vec![]),
            ("", vec![]),
            (".", vec![]),
            ("()", vec![]),
        ] {
            assert_eq!(signatures(query), expected, "{query}");
        }
        assert!(signatures("+").contains(&"a + b".to_owned()));
    }

    #[test]
    fn one_name_can_have_entries_in_several_topics() {
        let entries = reference();
        let mut topics: Vec<Topic> = find(&entries, "distance")
            .iter()
            .filter_map(|found| match found {
                Meaning::Entry(entry) => Some(entry.topic),
                Meaning::Topic(_) => None,
            })
            .collect();
        topics.dedup();
        assert_eq!(topics, [Topic::Me, Topic::Obstacles, Topic::Paths, Topic::Vectors]);
    }
}
