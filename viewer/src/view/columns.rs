//! Sections of lines side by side.

/// Divides sections into a number of columns of about the same height. The lines of a section stay in one column.
pub(super) fn columns<T: Clone>(sections: &[Vec<T>], count: usize) -> Vec<Vec<T>> {
    let longest = sections.iter().map(Vec::len).max().unwrap_or(0);
    let all = sections.iter().map(Vec::len).sum();
    let fill = |limit: usize| {
        let mut columns: Vec<Vec<T>> = vec![Vec::new()];
        for section in sections {
            match columns.last_mut().filter(|column| column.len() + section.len() <= limit) {
                Some(column) => column.extend_from_slice(section),
                None => columns.push(section.clone()),
            }
        }
        columns
    };
    let mut limits = longest..=all;
    limits
        .find_map(|limit| Some(fill(limit)).filter(|columns| columns.len() <= count))
        .unwrap_or_else(|| fill(all))
}
