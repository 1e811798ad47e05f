//! Bytes into a file: whole or not at all, and never over a file without being told to.

use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind},
};
use std::path::Component;
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// How many names for the temporary file are tried.
const TRIES: u32 = 100;

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Whether a file of that name is there, which may be replaced if the user says so.
    pub exists: bool,
    /// What to tell. The hint on what to try is up to who asked.
    pub fault: Fault,
}

/// Tells early what [`write()`] would refuse, so that nothing is asked of a server in vain.
///
/// # Errors
/// [`FaultKind::Usage`] when the path is a folder, or a file that is not to be replaced.
pub fn check(path: &Path, replace: bool) -> Result<(), Refusal> {
    let ends_as_folder =
        path.as_os_str().to_string_lossy().chars().next_back().is_some_and(std::path::is_separator);
    if ends_as_folder || path.is_dir() {
        let what = format!("{} is a folder", shown(path));
        return Err(refused(usage(what).hint("name a file in it")));
    }
    match fs::symlink_metadata(path) {
        Ok(_) if !replace => Err(exists(path)),
        Ok(found) if !found.is_file() => {
            Err(refused(usage(format!("{} is no ordinary file", shown(path)))))
        }
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
pub fn write(path: &Path, bytes: &[u8], replace: bool) -> Result<(), Refusal> {
    check(path, replace)?;
    let (temporary, mut file) = temporary(path).map_err(|error| refused(failed(path, &error)))?;
    // A file that only its owner could read stays one.
    let kept = match fs::metadata(path) {
        Ok(found) if replace => fs::set_permissions(&temporary, found.permissions()),
        Ok(_) | Err(_) => Ok(()),
    };
    let done = kept.and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all());
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
            refused(failed(path, &error))
        }
    })
}

/// Where a file goes whose name was typed: below `folder`, and not out of it by `..` or by a link
/// in between; or anywhere, where the whole path was typed.
///
/// # Errors
/// [`FaultKind::Usage`] when it would leave the folder, or when the way to it is not there.
pub fn within(folder: &Path, typed: &str) -> Result<PathBuf, Refusal> {
    let path = Path::new(typed);
    if typed.trim().is_empty() {
        return Err(refused(usage("write a name for the file".into())));
    }
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    let whole = "write the whole path, from its root, to save it elsewhere";
    let leaves = |what: &str| refused(usage(format!("{} {what}", shown(path))).hint(whole));
    let mut parts = path.components();
    if parts.clone().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(leaves("would leave this folder"));
    }
    if parts.next().is_some_and(|first| first.as_os_str() == "~") {
        return Err(leaves("begins with `~`, which only a shell understands"));
    }
    let target = folder.join(path);
    let Some((parent, name)) = target.parent().zip(target.file_name()) else {
        return Err(leaves("names no file"));
    };
    let real = |path: &Path| path.canonicalize().map_err(|e| refused(failed(&target, &e)));
    let (folder, parent) = (real(folder)?, real(parent)?);
    if !parent.starts_with(&folder) {
        return Err(leaves("would leave this folder by a link"));
    }
    let ends_as_folder = typed.chars().next_back().is_some_and(std::path::is_separator);
    let path = parent.join(name);
    Ok(if ends_as_folder { path.join("") } else { path })
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

fn exists(path: &Path) -> Refusal {
    Refusal { exists: true, fault: usage(format!("{} exists already", shown(path))) }
}

fn refused(fault: Fault) -> Refusal {
    Refusal { exists: false, fault }
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
        let Refusal { exists, fault } = write(&path, b"new", false).expect_err("exists");
        assert!(exists);
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
        let fault = check(&path, false).expect_err("exists").fault;
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
            let Refusal { exists, fault } = write(&path, b"x", replace).expect_err("refused");
            assert!(!exists, "{path:?}");
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

    #[test]
    fn a_typed_name_stays_in_its_folder() {
        let outer = tempfile::tempdir().expect("folder");
        let folder = outer.path().join("here");
        fs::create_dir_all(folder.join("inner")).expect("folder");
        let real = folder.canonicalize().expect("a path");
        for (typed, expected) in [("a.txt", "a.txt"), ("./b", "b"), ("inner/c d", "inner/c d")] {
            assert_eq!(within(&folder, typed), Ok(real.join(expected)), "{typed}");
        }
        let whole = outer.path().join("elsewhere");
        assert_eq!(within(&folder, &whole.to_string_lossy()), Ok(whole));
        for typed in ["", "  ", "..", "../x", "inner/../../x", "inner/..", ".", "~/x", "no/x"] {
            let refusal = within(&folder, typed).expect_err(typed);
            assert_eq!((refusal.exists, refusal.fault.kind), (false, FaultKind::Usage), "{typed}");
        }
        let slash = within(&folder, "inner/").expect("a path");
        assert!(write(&slash, b"x", true).is_err(), "a folder is no file");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path(), folder.join("out")).expect("link");
            let refusal = within(&folder, "out/x").expect_err("a link out");
            assert!(refusal.fault.what.contains("by a link"), "{}", refusal.fault);
            std::os::unix::fs::symlink("inner", folder.join("in")).expect("link");
            assert_eq!(within(&folder, "in/x"), Ok(real.join("inner/x")), "a link within");
        }
    }
}
