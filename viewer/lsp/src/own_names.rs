//! The functions, variables and constants that scripts declare themselves: where they are declared and used, also in the scripts that
//! import them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::script::{
    Declaration, DeclarationKind, ImportedCall, ScriptNames, check_syntax, functions_of_machines,
    reference, script_names,
};
use flockwork_engine::tokens::{Language, tokens};

use super::imports::imported;
use super::project::{Project, is_script};
use super::rename::strings;
use super::rhai_text::Tokens;

/// A name that a script declares.
pub(super) struct OwnName {
    pub(super) text: String,
    kind: DeclarationKind,
    pub(super) declared: Place,
    /// The spans that use it, those of the script itself first.
    pub(super) uses: Vec<Place>,
}

impl Project {
    /// Returns the name at a byte offset of a script that this script or one of those that it imports declares.
    pub(super) fn own_name(&self, path: &Path, offset: usize) -> Option<OwnName> {
        let source = self.read(path).ok().filter(|_| is_script(path))?;
        let names = script_names(&source.text);
        if let Some(one) = names.declared.iter().find(|one| one.is_at(offset)) {
            return Some(self.with_uses(path, &source, one));
        }
        let is_here = |call: &&ImportedCall| (call.name.start..=call.name.end).contains(&offset);
        let call = names.imported_calls.iter().find(is_here)?;
        let (library, script) = self.script_of(path, &source, call)?;
        let names = script_names(&library.text);
        let one = names.declared.iter().find(|one| is_called(&library, one, &source, call))?;
        Some(self.with_uses(&script, &library, one))
    }

    /// Returns a name with its uses in all scripts of the project.
    fn with_uses(&self, script: &Path, source: &Arc<Source>, one: &Declaration) -> OwnName {
        let place = |source: &Arc<Source>, span: &std::ops::Range<usize>| Place {
            source: Arc::clone(source),
            span: span.clone(),
        };
        let mut uses: Vec<Place> = one.uses.iter().map(|span| place(source, span)).collect();
        if matches!(one.kind, DeclarationKind::Function { is_private: false, .. }) {
            for path in self.files().filter(|path| is_script(path)) {
                let Ok(other) = self.read(path) else { continue };
                for call in script_names(&other.text).imported_calls {
                    let is_use = is_called(source, one, &other, &call)
                        && self.script_of(path, &other, &call).is_some_and(|(_, of)| of == script);
                    uses.extend(is_use.then(|| place(&other, &call.name)));
                }
            }
        }
        OwnName {
            text: source.text[one.name.clone()].to_owned(),
            kind: one.kind,
            declared: place(source, &one.name),
            uses,
        }
    }

    /// Returns a string that may be the name of a function and is not known to be anything else: its script or one that imports it may
    /// look up the function by it.
    pub(super) fn string_that_may_mean(&self, function: &OwnName) -> Option<Place> {
        if !function.is_function() {
            return None;
        }
        let script = self.path_of(&function.declared.source);
        let users = self.users_of(&script).into_iter().filter(|path| is_script(path));
        users.chain([script.clone()]).find_map(|path| {
            let source = self.read(&path).ok()?;
            let names = self.names_in_script(&path, &source).into_iter().map(|name| name.place);
            let known: Vec<Place> = names.chain(function.places()).collect();
            let is_known = |place: &Place| {
                let is_it = |one: &Place| one.source.name == source.name && one.span == place.span;
                known.iter().any(is_it)
            };
            strings(&source, &function.text).into_iter().find(|place| !is_known(place))
        })
    }

    /// Returns the script whose function is called, and its path.
    fn script_of(
        &self,
        path: &Path,
        source: &Source,
        call: &ImportedCall,
    ) -> Option<(Arc<Source>, PathBuf)> {
        imported(self, path, &Tokens::new(&source.text), &source.text[call.script.clone()])
    }
}

/// Returns whether a call in one script can mean a function that another one declares.
fn is_called(library: &Source, one: &Declaration, source: &Source, call: &ImportedCall) -> bool {
    let is_function = match one.kind {
        DeclarationKind::Function { parameters, is_private } => {
            !is_private && call.arguments.is_none_or(|arguments| arguments == parameters)
        }
        _ => false,
    };
    is_function && library.text[one.name.clone()] == source.text[call.name.clone()]
}

impl OwnName {
    /// Returns all places where it is written, the declaration first.
    pub(super) fn places(&self) -> Vec<Place> {
        std::iter::once(&self.declared).chain(&self.uses).cloned().collect()
    }

    /// Returns whether it is a function.
    pub(super) fn is_function(&self) -> bool {
        matches!(self.kind, DeclarationKind::Function { .. })
    }

    /// Returns whether Flockwork calls it, as it does `steer`.
    pub(super) fn is_called_by_flockwork(&self) -> bool {
        self.is_function() && self.is_given(&self.text)
    }

    /// Returns whether Flockwork gives a function or a value of a name to scripts, or calls a function of this name.
    fn is_given(&self, name: &str) -> bool {
        let is_function = self.is_function();
        reference().iter().any(|entry| {
            entry.receiver.is_none()
                && entry.signature.contains('(') == is_function
                && entry.names.contains(&name)
        })
    }

    /// Returns why it cannot be renamed at all.
    pub(super) fn is_fixed(&self) -> Option<String> {
        if self.is_given(&self.text) {
            return Some(format!("`{}` is a name that Flockwork knows", self.text));
        }
        let machine = self.machine_that_calls(&self.text)?;
        Some(format!(
            "the state machine `{machine}` calls `{}` by its name: rename the state by hand, in the list of states, in all strings and in \
            the names of its functions",
            self.text
        ))
    }

    /// Returns the state machine of its script that calls, or would call, a function with a name and the parameters of this one.
    fn machine_that_calls(&self, name: &str) -> Option<String> {
        let has_one = matches!(self.kind, DeclarationKind::Function { parameters: 1, .. });
        let source = Some(&self.declared.source).filter(|_| has_one)?;
        functions_of_machines(source).remove(name)
    }

    /// Returns why it cannot have another name: every name in the changed scripts has to mean what it meant before.
    pub(super) fn refuses(&self, new: &str) -> Option<String> {
        if self.is_given(new) {
            return Some(format!("`{new}` is a name that Flockwork knows"));
        }
        if let Some(machine) = self.machine_that_calls(new) {
            return Some(format!(
                "the state machine `{machine}` would call a function with the name `{new}`"
            ));
        }
        if let Some(other) = self.value_beside_constant(new) {
            let source = &self.declared.source;
            let (line, _) = source.line_column(other);
            return Some(format!(
                "`{new}` is declared in `{}:{line}` already: a closure reads a constant, not a variable of the same name",
                source.name
            ));
        }
        let mut sources: Vec<&Arc<Source>> = Vec::new();
        let places = self.places();
        for place in &places {
            if !sources.iter().any(|known| known.name == place.source.name) {
                sources.push(&place.source);
            }
        }
        for source in sources {
            if let Err(mistake) = check_syntax(source) {
                return Some(format!(
                    "`{}` has a mistake that must be corrected first: {}",
                    source.name, mistake.message
                ));
            }
            let mut text = source.text.clone();
            let mut spans: Vec<_> = places
                .iter()
                .filter(|place| place.source.name == source.name)
                .map(|place| place.span.clone())
                .collect();
            spans.sort_by_key(|span| std::cmp::Reverse(span.start));
            for span in spans {
                text.replace_range(span, new);
            }
            let changed = Source::new(source.name.clone(), text);
            if let Err(mistake) = check_syntax(&changed) {
                return Some(format!("`{new}` cannot be its name: {}", mistake.message));
            }
            if meanings(&changed.text) != meanings(&source.text) {
                return Some(format!("`{new}` is used for something else in `{}`", source.name));
            }
        }
        None
    }

    /// Returns where the script declares the variable beside which it would be a constant of the same name, or the constant beside which it
    /// would be a variable.
    fn value_beside_constant(&self, new: &str) -> Option<usize> {
        let text = &self.declared.source.text;
        let declared = script_names(text).declared;
        let is_own = |one: &&Declaration| one.name == self.declared.span;
        let mut values = declared.iter().filter(|one| one.is_value());
        let own = values.clone().find(is_own)?;
        let other = values.find(|other| {
            let is_constant = own.is_constant_of(text) || other.is_constant_of(text);
            is_constant && !is_own(other) && text[other.name.clone()] == *new
        })?;
        Some(other.name.start)
    }
}

/// Returns what the names of a script mean, by the numbers of its tokens.
fn meanings(text: &str) -> ScriptNames {
    let starts: Vec<usize> = tokens(text, Language::Rhai).map(|token| token.span.start).collect();
    let number = |at: usize| starts.partition_point(|start| *start < at);
    let numbered = |span: &mut std::ops::Range<usize>| *span = number(span.start)..number(span.end);
    let mut names = script_names(text);
    for one in &mut names.declared {
        numbered(&mut one.name);
        numbered(&mut one.scope);
        one.uses.iter_mut().for_each(numbered);
    }
    for call in &mut names.imported_calls {
        numbered(&mut call.script);
        numbered(&mut call.name);
    }
    names
}
