use super::*;
use crate::audit::{AuditSink as _, AuditSurface, Event, Journal, MAX_LINE_BYTES, Record};
use crate::domain::ServerId;
use std::fs;
use tempfile::TempDir;

fn record(n: usize) -> Record {
    let server = ServerId::new("git").unwrap();
    Record::new(AuditSurface::Resources, &server, "stdio", Event::Read).with("n", n)
}

/// A folder with this many records.
fn journal(records: usize) -> (TempDir, Journal) {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(folder.path()).unwrap();
    for n in 0..records {
        journal.append(&record(n)).unwrap();
    }
    (folder, journal)
}

fn stored(folder: &TempDir) -> Vec<String> {
    lines(folder.path()).unwrap().map(|line| line.unwrap().into_raw()).collect()
}

fn store(folder: &TempDir, lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(log_file(folder.path()), text).unwrap();
}

fn findings(folder: &TempDir) -> Vec<(u64, Damage)> {
    let verdict = verify(folder.path()).unwrap();
    assert_eq!(verdict.is_intact(), verdict.findings.is_empty());
    verdict.findings.into_iter().map(|f| (f.line, f.damage)).collect()
}

#[test]
fn the_chain_goes_on_over_restarts_and_between_programs() {
    let (folder, first) = journal(2);
    let second = Journal::open(folder.path()).unwrap();
    second.append(&record(2)).unwrap();
    first.append(&record(3)).unwrap();
    drop((first, second));
    Journal::open(folder.path()).unwrap().append(&record(4)).unwrap();
    assert_eq!(verify(folder.path()).unwrap(), Verdict { records: 5, findings: vec![] });
    let seqs: Vec<u64> =
        stored(&folder).iter().map(|l| serde_json::from_str::<Link>(l).unwrap().seq).collect();
    assert_eq!(seqs, [1, 2, 3, 4, 5]);
}

#[test]
fn writers_at_once_share_one_chain() {
    let (folder, journal) = journal(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).for_each(|n| journal.append(&record(n)).unwrap()));
        }
    });
    assert_eq!(verify(folder.path()).unwrap(), Verdict { records: 100, findings: vec![] });
}

#[test]
fn no_record_is_intact() {
    let folder = tempfile::tempdir().unwrap();
    assert!(verify(folder.path()).unwrap().is_intact());
    assert!(verify(&folder.path().join("absent")).unwrap().is_intact());
    let (folder, _) = journal(0);
    assert_eq!(verify(folder.path()).unwrap(), Verdict { records: 0, findings: vec![] });
}

#[test]
fn an_edited_line_is_found_wherever_it_stands() {
    for at in 0..4 {
        let (folder, _) = journal(4);
        let mut lines = stored(&folder);
        lines[at] = lines[at].replace("git", "got");
        store(&folder, &lines);
        assert_eq!(findings(&folder), [(at as u64 + 1, Damage::Edited)]);
        lines[at] = "{}".into();
        store(&folder, &lines);
        assert!(findings(&folder).contains(&(at as u64 + 1, Damage::Unreadable)));
    }
}

#[test]
fn a_removed_reordered_repeated_or_cut_line_is_found() {
    let (folder, _) = journal(5);
    let lines = stored(&folder);
    let without = |gone: &[usize]| -> Vec<String> {
        (0..5).filter(|i| !gone.contains(i)).map(|i| lines[i].clone()).collect()
    };
    for (changed, first) in [
        (without(&[0]), (1, Damage::Removed(1))),
        (without(&[2]), (3, Damage::Removed(1))),
        (without(&[1, 2]), (2, Damage::Removed(2))),
        (without(&[4]), (5, Damage::Cut(1))),
        (without(&[0, 1, 2, 3, 4]), (1, Damage::Cut(5))),
        ([0, 2, 1, 3, 4].map(|i| lines[i].clone()).into(), (2, Damage::Removed(1))),
        ([0, 1, 1, 2, 3, 4].map(|i| lines[i].clone()).into(), (3, Damage::Reordered)),
    ] {
        store(&folder, &changed);
        assert_eq!(findings(&folder).first(), Some(&first), "{changed:?}");
    }
    fs::remove_file(log_file(folder.path())).unwrap();
    assert_eq!(findings(&folder), [(1, Damage::Cut(5))]);
}

#[test]
fn records_added_with_a_fitting_chain_are_found_by_the_head() {
    let (folder, _) = journal(2);
    let mut lines = stored(&folder);
    let first = Digest::of(lines[0].as_bytes()).to_string();
    // The second is replaced, and a third made to follow it.
    lines[1] = record(7).line(2, "T", &first).unwrap();
    let second = Digest::of(lines[1].as_bytes()).to_string();
    lines.push(record(8).line(3, "T", &second).unwrap());
    store(&folder, &lines);
    assert_eq!(findings(&folder), [(3, Damage::Added)]);
    let third = Digest::of(lines[2].as_bytes()).to_string();
    lines.push(record(9).line(4, "T", &third).unwrap());
    store(&folder, &lines);
    assert_eq!(findings(&folder), [(4, Damage::Added)]);
}

#[test]
fn writing_on_does_not_hide_what_was_done() {
    type Change = fn(&TempDir);
    let changes: [Change; 6] = [
        |f| store(f, &stored(f)[..2]),
        |f| fs::remove_file(log_file(f.path())).unwrap(),
        |f| fs::remove_file(f.path().join("audit.head")).unwrap(),
        |f| fs::write(f.path().join("audit.head"), "x").unwrap(),
        |f| {
            let mut lines = stored(f);
            lines[2] = lines[2].replace("git", "got");
            store(f, &lines);
        },
        |f| {
            let text = fs::read(log_file(f.path())).unwrap();
            fs::write(log_file(f.path()), &text[..text.len() - 5]).unwrap();
        },
    ];
    for (i, change) in changes.iter().enumerate() {
        let (folder, _) = journal(3);
        change(&folder);
        assert!(!verify(folder.path()).unwrap().is_intact(), "change {i}");
        for n in 0..3 {
            Journal::open(folder.path()).unwrap().append(&record(n)).unwrap();
        }
        assert!(!verify(folder.path()).unwrap().is_intact(), "change {i}, written on");
    }
}

#[test]
fn what_a_crash_leaves_is_not_a_finding() {
    // Between the line and the head.
    let (folder, journal) = journal(2);
    let head = fs::read(folder.path().join("audit.head")).unwrap();
    journal.append(&record(2)).unwrap();
    fs::write(folder.path().join("audit.head"), head).unwrap();
    assert_eq!(findings(&folder), []);
    journal.append(&record(3)).unwrap();
    assert_eq!(findings(&folder), []);
    // In the middle of a line.
    let mut text = fs::read(log_file(folder.path())).unwrap();
    text.extend(b"{\"seq\":5,\"ti");
    fs::write(log_file(folder.path()), text).unwrap();
    assert_eq!(findings(&folder), []);
    journal.append(&record(4)).unwrap();
    assert_eq!(verify(folder.path()).unwrap(), Verdict { records: 5, findings: vec![] });
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let (folder, journal) = journal(1);
    let moved = folder.path().with_extension("moved");
    fs::rename(folder.path(), &moved).unwrap();
    assert!(journal.append(&record(1)).is_err(), "the folder is gone");
    fs::rename(&moved, folder.path()).unwrap();
    journal.append(&record(1)).unwrap();

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(Journal::open(&file).is_err(), "a file is not a folder");
    fs::create_dir(folder.path().join("audit.head.new")).unwrap();
    assert!(journal.append(&record(2)).is_err(), "the head cannot be written");
    assert_eq!(stored(&folder).len(), 2, "what was not recorded leaves no line");
    fs::remove_dir(folder.path().join("audit.head.new")).unwrap();
    journal.append(&record(2)).unwrap();
    assert_eq!(verify(folder.path()).unwrap(), Verdict { records: 3, findings: vec![] });
}

#[test]
fn a_record_too_long_is_refused_and_leaves_nothing() {
    let (folder, journal) = journal(1);
    let long = record(0).with("x", "y".repeat(MAX_LINE_BYTES));
    assert_eq!(journal.append(&long).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    let almost = record(0).with("x", "y".repeat(MAX_LINE_BYTES - 400));
    journal.append(&almost).unwrap();
    journal.append(&record(1)).unwrap();
    assert_eq!(verify(folder.path()).unwrap(), Verdict { records: 3, findings: vec![] });
}

#[test]
fn reading_does_not_hold_up_writing() {
    let (folder, journal) = journal(2);
    let mut reading = lines(folder.path()).unwrap();
    assert!(reading.next().is_some());
    journal.append(&record(2)).unwrap();
    assert_eq!(reading.count(), 1, "what came later is not read");
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("a/b");
    Journal::open(&folder).unwrap().append(&record(0)).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&log_file(&folder)), 0o600);
    assert_eq!(mode(&folder.join("audit.head")), 0o600);
}

#[test]
fn records_in_memory_are_kept_until_it_is_broken() {
    let memory = crate::audit::MemoryJournal::new();
    memory.append(&record(0)).unwrap();
    memory.set_broken(true);
    assert!(memory.append(&record(1)).is_err());
    memory.set_broken(false);
    memory.append(&record(2)).unwrap();
    assert_eq!(memory.records(), [record(0), record(2)]);
}
