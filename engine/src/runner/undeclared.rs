//! Findings about what groups do not declare: one for all groups, with the change of the scenario that declares it.

use std::sync::Arc;

use crate::diag::{Diagnostic, Fix, Place, Remedy, Source};
use crate::scenario::{declare, group_list};
use crate::tokens::{CodeTokens, Language};

/// Returns findings with one for all groups that lack the same param or public state at the same place. If a change of the scenario declares
/// it, that is among the remedies.
pub(super) fn with_fixes(findings: Vec<Diagnostic>, scenario: &Arc<Source>) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for finding in findings {
        let known = all.iter_mut().find(|known| is_same_slip(known, &finding));
        match known {
            Some(known) => add_groups(known, finding),
            None => all.push(finding),
        }
    }
    for finding in &mut all {
        add_fix(finding, scenario);
        add_misspelt(finding, scenario);
    }
    all
}

/// Returns whether two findings are about the same thing that two groups do not declare.
fn is_same_slip(a: &Diagnostic, b: &Diagnostic) -> bool {
    let missing = |finding: &Diagnostic| {
        let mut all = finding.remedies.0.iter();
        all.find_map(|remedy| match remedy {
            Remedy::Declare { what, name, .. } => Some((*what, name.clone())),
            _ => None,
        })
    };
    let missing_in_a = missing(a);
    missing_in_a.is_some() && (&a.place, a.code, missing_in_a) == (&b.place, b.code, missing(b))
}

/// Makes a finding one about the groups of another finding, too. Help and remedies that not all groups have are left out.
fn add_groups(known: &mut Diagnostic, other: Diagnostic) {
    let before = groups(known);
    known.help.retain(|help| other.help.contains(help));
    let is_declaring = |remedy: &Remedy| matches!(remedy, Remedy::Declare { .. });
    known.remedies.0.retain(|one| is_declaring(one) || other.remedies.0.contains(one));
    known.remedies.0.extend(other.remedies.0.into_iter().filter(is_declaring));
    let after = groups(known);
    known.message =
        known.message.replacen(&format!("{} ", has(&before)), &format!("{} ", has(&after)), 1);
}

/// Returns the groups that do not declare something.
fn groups(finding: &Diagnostic) -> Vec<String> {
    let all = finding.remedies.0.iter().filter_map(|remedy| match remedy {
        Remedy::Declare { group, .. } => Some(group.clone()),
        _ => None,
    });
    all.collect()
}

/// Returns how messages speak of groups that lack something.
fn has(groups: &[String]) -> String {
    let verb = if groups.len() == 1 { "has" } else { "have" };
    format!("{} {verb}", group_list(groups))
}

/// If a similar name is declared that the script does not have, that one may be misspelt: adds where it is, and the change of it.
fn add_misspelt(finding: &mut Diagnostic, scenario: &Arc<Source>) {
    let names = finding.remedies.0.iter().find_map(|remedy| match remedy {
        Remedy::Name { written, meant } => Some((written.clone(), format!("\"{meant}\""), meant)),
        _ => None,
    });
    let Some((written, declared, meant)) = names else { return };
    if groups(finding).is_empty() {
        return;
    }
    let script = finding.place.as_ref().map_or("", |place| place.source.text.as_str());
    let words = CodeTokens::new(script, Language::Rhai);
    let code = CodeTokens::new(&scenario.text, Language::Ron);
    let mut keys = (0..code.all.len())
        .filter(|&index| code.get(index) == declared && code.get(index + 1) == ":");
    let is_read = (0..words.all.len()).any(|index| words.get(index) == meant);
    if let (Some(key), None, false) = (keys.next(), keys.next(), is_read) {
        let span = code.all[key].span.clone();
        let title = format!("Write `{written}` in the scenario, in place of `{meant}`");
        let fix = Fix::new(title, scenario, span.clone(), format!("\"{written}\""));
        finding.remedies.0.push(Remedy::Change(fix));
        let place = Place { source: Arc::clone(scenario), span };
        finding.related.push((place, "nearly the same name is declared here".to_owned()));
    }
}

/// Adds the change of a scenario that declares what is missing, as the best remedy of those that change it.
fn add_fix(finding: &mut Diagnostic, scenario: &Arc<Source>) {
    let groups = groups(finding);
    let declaring = finding.remedies.0.iter().find_map(|remedy| match remedy {
        Remedy::Declare { what, name, .. } => declare(scenario, &groups, *what, name),
        _ => None,
    });
    finding.remedies.0.extend(declaring.map(Remedy::Change));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Declared;

    /// Caught: there was one finding for each group, with a fix for that group only.
    #[test]
    fn groups_that_lack_the_same_have_one_finding() {
        let text =
            "(groups: { \"a\": (spawn: Points([(1, 2)])), \"b\": (spawn: Points([])), \"c\": () })";
        let (scenario, script) = (Source::new("s.ron", text), Source::new("s.rhai", "me.params.x"));
        let missing = |group: &str, name: &str| {
            let remedy =
                Remedy::Declare { group: group.into(), what: Declared::Param, name: name.into() };
            Diagnostic::error(format!("group `{group}` has no param `{name}`"))
                .at(&script, 10..11)
                .help(format!("help for {name}"))
                .help(format!("help for {group}"))
                .remedy(remedy)
        };
        let findings = vec![missing("a", "x"), missing("b", "y"), missing("b", "x")];
        let all = with_fixes(findings, &scenario);
        let messages: Vec<&str> = all.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(
            messages,
            ["groups `a` and `b` have no param `x`", "group `b` has no param `y`"]
        );
        assert_eq!(all[0].help, ["help for x"]);
        let fixes = all[0].fixes();
        assert_eq!(fixes.len(), 1);
        assert_eq!(fixes[0].title, "Declare the param `x` of groups `a` and `b`");
        let mut fixed = text.to_owned();
        fixed.replace_range(fixes[0].place.span.clone(), &fixes[0].text);
        assert_eq!(fixed.matches("params: { \"x\": 1.0 }").count(), 2, "{fixed}");
    }
}
