//! The import statements of a script.

use std::ops::Range;
use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use crate::diag::{Diagnostic, Source};

/// An import statement. A path that is not a plain string, and a missing alias, are `None`.
pub(super) struct ImportStatement {
    path: Option<String>,
    pub(super) alias: Option<String>,
    /// Where it is, without its semicolon.
    pub(super) place: Range<usize>,
}

impl ImportStatement {
    /// Returns the path and the alias.
    ///
    /// # Errors
    ///
    /// If one of them is missing, or the path cannot be the name of a script.
    pub(super) fn checked(self) -> Result<(String, String), Diagnostic> {
        let Some(path) = self.path else {
            return Err(Diagnostic::error(
                "expected the name of a script in double quotes after `import`",
            ));
        };
        let Some(alias) = self.alias else {
            return Err(Diagnostic::error("expected `as` and a name after the imported script")
                .help(format!("write `import \"{path}\" as name;`")));
        };
        if !super::is_script_name(&path) {
            return Err(Diagnostic::error(format!("`{path}` is not the name of a script")).help(
                "write its path from the scripts folder without `.rhai`, such as \"folder/name\"",
            ));
        }
        Ok((path, alias))
    }
}

/// Returns the import statements of a script.
pub(super) fn import_statements(draft: &AST, source: &Arc<Source>) -> Vec<ImportStatement> {
    let mut found = Vec::new();
    draft.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Import(import, position))) = path.last() {
            let (expression, alias) = &**import;
            let path = match expression {
                Expr::StringConstant(text, _) => Some(text.to_string()),
                _ => None,
            };
            let alias = (!alias.name.is_empty()).then(|| alias.name.to_string());
            found.push(ImportStatement { path, alias, place: statement_at(source, *position) });
        }
        true
    });
    found
}

/// Returns where a statement is that begins at a position, without its semicolon.
fn statement_at(source: &Source, position: Position) -> Range<usize> {
    let start = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
    let end = source.text[start..].find([';', '\n']).map_or(source.text.len(), |end| start + end);
    start..end
}
