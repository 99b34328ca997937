//! The socket of a project: where it is, and that only its user can reach it.

#[cfg(feature = "window")]
use std::fmt::Display;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, Read, Write};
#[cfg(feature = "window")]
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
#[cfg(feature = "window")]
use std::os::unix::net::UnixListener;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::user_folder;

/// Maximum length of a line, in bytes.
const MAX_LINE: usize = 1 << 20;

/// The folder of all sockets of this user. `None` if there is no place for it.
fn folder() -> Option<PathBuf> {
    let runtime = user_folder::absolute("XDG_RUNTIME_DIR").map(|folder| folder.join("flockwork"));
    runtime.or_else(|| Some(user_folder::state()?.join("sockets")))
}

/// Returns the name of the socket of the project in a folder, which is a path without links.
fn file_name(project: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    project.hash(&mut hasher);
    format!("{:016x}.socket", hasher.finish())
}

/// Says why a folder is not safe; `None` if it is. No other user can enter a folder that is.
fn unsafe_folder(folder: &Path) -> Option<String> {
    let about = match fs::symlink_metadata(folder) {
        Ok(about) => about,
        Err(error) => return Some(error.to_string()),
    };
    if !about.is_dir() {
        return Some("it is not a folder".to_owned());
    }
    let mode = about.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then(|| format!("other users can enter it (mode {mode:o}); `chmod 700` it"))
}

/// Says why a socket is not safe; `None` if it is. A superuser can enter folders of others, but must not trust them.
fn unsafe_socket(folder: &Path, socket: &Path) -> Option<String> {
    let unsafe_folder = unsafe_folder(folder);
    if unsafe_folder.is_some() {
        return unsafe_folder;
    }
    match (fs::symlink_metadata(folder), fs::symlink_metadata(socket)) {
        (Ok(folder), Ok(socket))
            if !socket.file_type().is_socket() || folder.uid() != socket.uid() =>
        {
            Some("it is not yours".to_owned())
        }
        (Err(error), _) | (_, Err(error)) => Some(error.to_string()),
        _ => None,
    }
}

/// Opens the socket of a project, and returns it with its path.
///
/// # Errors
///
/// If another window listens there, or if other users could reach it. The error is a message for people.
#[cfg(feature = "window")]
pub(super) fn listen(project: &Path) -> Result<(UnixListener, PathBuf), String> {
    let folder = folder().ok_or("nothing is shared with editors: set XDG_RUNTIME_DIR or HOME")?;
    let failed =
        |why: &dyn Display| format!("nothing is shared with editors: {}: {why}", folder.display());
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| failed(&error))?;
    }
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(&error)),
        _ => {}
    }
    if let Some(why) = unsafe_folder(&folder) {
        return Err(failed(&why));
    }
    let path = folder.join(file_name(project));
    let listener = match UnixListener::bind(&path) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            if UnixStream::connect(&path).is_ok() {
                return Err("another window of this project shares with editors already".to_owned());
            }
            // A window that was killed has left it.
            fs::remove_file(&path).and_then(|()| UnixListener::bind(&path))
        }
        bound => bound,
    };
    let listener = listener.map_err(|error| failed(&error))?;
    let secured = fs::set_permissions(&path, fs::Permissions::from_mode(0o600));
    let wrong = secured.err().map(|error| error.to_string());
    if let Some(why) = wrong.or_else(|| unsafe_socket(&folder, &path)) {
        let _ = fs::remove_file(&path);
        return Err(failed(&why));
    }
    Ok((listener, path))
}

/// Connects to the window that shares the values of a project. `None` if there is none, or if its socket is not safe.
pub(crate) fn connect(project: &Path) -> Option<UnixStream> {
    let folder = folder()?;
    let path = folder.join(file_name(project));
    if unsafe_socket(&folder, &path).is_some() {
        return None;
    }
    UnixStream::connect(path).ok()
}

/// Sends a message as a line.
pub(crate) fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// The messages that arrive on a socket, a line each.
pub(crate) struct Lines<R> {
    from: R,
    /// The bytes that have arrived and are not a whole line yet.
    rest: Vec<u8>,
}

impl<R: Read> Lines<R> {
    /// Returns the messages that arrive on a socket from now on.
    pub(crate) fn new(from: R) -> Self {
        Self { from, rest: Vec::new() }
    }

    /// Waits for the next message.
    ///
    /// # Errors
    ///
    /// If the other side has closed the connection, or sends something that is not a message.
    pub(crate) fn receive<M: DeserializeOwned>(&mut self) -> io::Result<M> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.rest[searched..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=searched + end).collect();
                return Ok(serde_json::from_slice(&line)?);
            }
            searched = self.rest.len();
            if searched > MAX_LINE {
                return Err(ErrorKind::InvalidData.into());
            }
            let mut part = [0; 8192];
            match self.from.read(&mut part)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                count => self.rest.extend_from_slice(&part[..count]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::messages::FromWindow;
    use super::*;

    #[test]
    fn what_is_no_message_is_an_error() {
        let next =
            |bytes: &[u8]| Lines::new(bytes).receive::<FromWindow>().map_err(|error| error.kind());
        assert_eq!(next(b"{\"Version\":1}\n{\"Ver"), Ok(FromWindow::Version(1)));
        assert_eq!(next(b"{\"Version\":1}"), Err(ErrorKind::UnexpectedEof));
        for bytes in [
            &b"\n"[..],
            b"\xff\xfe\n",
            b"{\"Version\":-1}\n",
            b"[[[[[[[[\n",
            b"{\"Version\":1}{}\n",
        ] {
            assert!(next(bytes).is_err(), "{bytes:?}");
        }
        assert_eq!(next(&vec![b'['; 2 * MAX_LINE]), Err(ErrorKind::InvalidData));
    }

    #[test]
    fn only_folders_of_the_user_alone_are_safe() {
        let folder = tempfile::tempdir().unwrap();
        let set =
            |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
        set(0o700);
        assert_eq!(unsafe_folder(folder.path()), None);
        for mode in [0o770, 0o702, 0o755, 0o710] {
            set(mode);
            assert!(unsafe_folder(folder.path()).unwrap().contains("other users"), "{mode:o}");
        }
        set(0o700);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        assert!(unsafe_folder(&link).is_some());
        assert!(unsafe_socket(folder.path(), &link).is_some(), "a link is no socket");
    }
}
