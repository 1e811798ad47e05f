//! Bytes into a file: whole or not at all, and never over a file without being told to.

use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind},
};
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// How many names for the temporary file are tried.
const TRIES: u32 = 100;

/// Tells early what [`write`] would refuse, so that nothing is asked of a server in vain.
///
/// # Errors
/// [`FaultKind::Usage`] when the path is a folder, or a file that is not to be replaced.
pub(super) fn check(path: &Path, replace: bool) -> Result<(), Fault> {
    let ends_as_folder =
        path.as_os_str().to_string_lossy().chars().next_back().is_some_and(std::path::is_separator);
    if ends_as_folder || path.is_dir() {
        return Err(usage(format!("{} is a folder", shown(path))).hint("name a file in it"));
    }
    match fs::symlink_metadata(path) {
        Ok(_) if !replace => Err(exists(path)),
        Ok(found) if !found.is_file() => Err(usage(format!("{} is no ordinary file", shown(path)))),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Writes `bytes` to `path` by way of a temporary file in the same folder, so that nobody ever
/// sees half of it. An existing file stays as it is unless `replace` is set; what is no ordinary
/// file (a device, a folder, a link) is never replaced.
///
/// # Errors
/// [`FaultKind::Usage`] when something of that name is there or the folder is not,
/// [`FaultKind::Unexpected`] for everything else the system says.
pub(super) fn write(path: &Path, bytes: &[u8], replace: bool) -> Result<(), Fault> {
    check(path, replace)?;
    let (temporary, mut file) = temporary(path).map_err(|error| failed(path, &error))?;
    let done = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let done =
        done.and_then(
            |()| {
                if replace { fs::rename(&temporary, path) } else { place(&temporary, path) }
            },
        );
    done.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        if error.kind() == io::ErrorKind::AlreadyExists && !replace {
            exists(path)
        } else {
            failed(path, &error)
        }
    })
}

/// Gives the temporary file its name, unless something got that name first.
fn place(temporary: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, path) {
        Ok(()) => fs::remove_file(temporary),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without hard links: reserve the name, then replace our own empty file.
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(path)?;
            fs::rename(temporary, path).inspect_err(|_| {
                let _ = fs::remove_file(path);
            })
        }
    }
}

fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this names no file"));
    };
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for n in 0..TRIES {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{n}.part", std::process::id()));
        let candidate = path.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&candidate) {
            Ok(file) => return Ok((candidate, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

fn shown(path: &Path) -> String {
    format!("`{}`", reveal_line(&path.to_string_lossy()).plain())
}

fn usage(what: String) -> Fault {
    Fault::new(FaultKind::Usage, what)
}

fn exists(path: &Path) -> Fault {
    usage(format!("{} exists already", shown(path))).hint("`--force` replaces it")
}

fn failed(path: &Path, error: &io::Error) -> Fault {
    let what = format!("{} could not be written", shown(path));
    let path_is_wrong = matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput
    );
    let kind = if path_is_wrong { FaultKind::Usage } else { FaultKind::Unexpected };
    Fault::new(kind, what).because(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder).expect("folder").map(|e| e.expect("entry").file_name()).collect()
    }

    #[test]
    fn bytes_arrive_as_they_are_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("out.bin");
        let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        write(&path, &bytes, false).expect("written");
        assert!(fs::read(&path).expect("read") == bytes);
        assert_eq!(names(folder.path()), ["out.bin"]);
    }

    #[test]
    fn an_existing_file_is_replaced_only_when_told() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("out");
        fs::write(&path, "old").expect("written");
        let fault = write(&path, b"new", false).expect_err("exists");
        assert_eq!(fault.kind, FaultKind::Usage);
        assert_eq!(fs::read(&path).expect("read"), b"old");
        write(&path, b"new", true).expect("replaced");
        assert_eq!(fs::read(&path).expect("read"), b"new");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn a_refusal_names_the_path_as_it_was_typed_and_cannot_drive_the_terminal() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("Ann's \u{1b}[2J notes");
        fs::write(&path, "old").expect("written");
        let fault = check(&path, false).expect_err("exists");
        assert!(fault.what.contains("/Ann's "), "{}", fault.what);
        assert!(!fault.what.contains('\u{1b}'), "{}", fault.what);
    }

    #[test]
    fn a_name_taken_at_the_last_moment_is_not_written_over() {
        let folder = tempfile::tempdir().expect("folder");
        let (temporary, path) = (folder.path().join("t"), folder.path().join("out"));
        fs::write(&temporary, "new").expect("written");
        fs::write(&path, "old").expect("written");
        let error = place(&temporary, &path).expect_err("taken");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("read"), b"old");
    }

    #[test]
    fn folders_links_and_missing_folders_are_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("folder");
        for (path, replace) in [
            (inner.clone(), false),
            (inner.clone(), true),
            (inner.join("no").join("out"), true),
            (inner.join(".."), true),
            (inner.join("new/"), false),
        ] {
            let fault = write(&path, b"x", replace).expect_err("refused");
            assert_eq!(fault.kind, FaultKind::Usage, "{path:?}: {fault}");
            let is_folder = path.is_dir() || path.to_string_lossy().ends_with('/');
            assert_eq!(fault.what.ends_with("is a folder"), is_folder, "{path:?}: {fault}");
        }
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("nowhere", &link).expect("link");
            assert!(write(&link, b"x", true).is_err() && write(&link, b"x", false).is_err());
            assert!(!folder.path().join("nowhere").exists());
        }
    }
}
