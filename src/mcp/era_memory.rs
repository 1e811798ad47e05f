//! In which era a server was reached before, so that a server that is mute on `server/discover`
//! costs its ten seconds once.
//!
//! One small file a server in the cache folder, named after a hash of the server's entry: a
//! changed entry is another server. Losing the memory costs time and nothing else, so nothing here
//! is an error.

use crate::domain::{Digest, Era, ServerSpec, Transport};
use std::path::{Path, PathBuf};
use tokio::io::AsyncReadExt as _;

/// More than any era's name takes, in bytes.
const MOST: u64 = 64;

/// Where the eras of servers are remembered.
#[derive(Debug, Clone)]
pub(super) struct EraMemory {
    file: PathBuf,
}

impl EraMemory {
    /// The memory of one server. Servers inside this program need none.
    pub(super) fn of(spec: &ServerSpec, folder: &Path) -> Option<Self> {
        let entry = match &spec.transport {
            Transport::InProcess => return None,
            // Neither variables nor headers: they hold secrets, and do not change the program.
            Transport::Stdio { command, args, cwd, .. } => {
                format!("stdio\0{command}\0{}\0{cwd:?}", args.join("\0"))
            }
            Transport::Http { url, .. } => format!("http\0{url}"),
        };
        let name = Digest::of(entry.as_bytes()).to_string();
        Some(Self { file: folder.join("eras").join(name) })
    }

    /// The era in which it was reached last.
    pub(super) async fn recall(&self) -> Option<Era> {
        let text = self.text().await?;
        [Era::Legacy, Era::Modern].into_iter().find(|era| text.trim() == era.label())
    }

    /// The beginning of the file, if it is an ordinary one.
    async fn text(&self) -> Option<String> {
        if !self.is_ordinary().await? {
            return None;
        }
        let mut text = String::new();
        let file = tokio::fs::File::open(&self.file).await.ok()?;
        file.take(MOST).read_to_string(&mut text).await.ok()?;
        Some(text)
    }

    /// Whether the file is neither a link nor anything else that only looks like one.
    async fn is_ordinary(&self) -> Option<bool> {
        Some(tokio::fs::symlink_metadata(&self.file).await.ok()?.is_file())
    }

    /// Remembers an era.
    pub(super) async fn keep(&self, era: Era) {
        let Some(folder) = self.file.parent() else { return };
        if self.is_ordinary().await == Some(false) {
            return;
        }
        // A read-only cache is no reason to fail.
        if tokio::fs::create_dir_all(folder).await.is_ok() {
            let _ = tokio::fs::write(&self.file, era.label()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_era_is_remembered_for_the_same_entry_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = |argument: &str| ServerSpec::stdio("s", "program", [argument]);
        let memory = EraMemory::of(&spec("a"), folder.path()).expect("a memory");
        assert_eq!(memory.recall().await, None);
        memory.keep(Era::Legacy).await;
        assert_eq!(memory.recall().await, Some(Era::Legacy));
        let other = EraMemory::of(&spec("b"), folder.path()).expect("a memory");
        assert_eq!(other.recall().await, None);
        std::fs::write(&memory.file, "nonsense").expect("written");
        assert_eq!(memory.recall().await, None);
    }
}
