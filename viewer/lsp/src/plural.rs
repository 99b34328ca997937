//! Names in the singular: groups are mostly named by their plural.

/// Returns a name without the ending of a plural: `wolf` of `wolves`, and `guest` of `guests`.
pub(super) fn singular(name: &str) -> String {
    let endings = [("ves", "f"), ("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")];
    let irregular =
        endings.iter().find_map(|(end, one)| Some(name.strip_suffix(end)?.to_owned() + *one));
    let has_plural = name.ends_with('s') && !name.ends_with("ss");
    let regular = || name.strip_suffix('s').filter(|_| has_plural).unwrap_or(name).to_owned();
    irregular.unwrap_or_else(regular)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_lose_their_endings() {
        for (many, one) in [
            ("guests", "guest"),
            ("wolves", "wolf"),
            ("flies", "fly"),
            ("foxes", "fox"),
            ("sheep", "sheep"),
            ("grass", "grass"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
