//! The full catalogue: two megabytes of numbered lines, written anew for each read.

/// Lines in the catalogue.
const LINES: usize = 25_000;

/// Bytes of one line, its line feed included. All of it is ASCII.
const LINE_BYTES: usize = 80;

/// Length of the catalogue in bytes.
pub(super) const BYTES: u64 = (LINES * LINE_BYTES) as u64;

const SUBJECTS: &[&str] =
    &["Ferries", "Hedges", "Tides", "Foxes", "Clocks", "Lamps", "Fog", "Ropes", "Bells", "Maps"];

const MANNERS: &[&str] = &[
    "A Short History of",
    "Letters Concerning",
    "The Secret Life of",
    "Notes Toward",
    "In Praise of",
    "Against",
    "Collected",
];

const WRITERS: &[&str] =
    &["Aldous, M.", "Thornbury, P.", "Calloway, I.", "Hald, S.", "Mere, J. van der"];

/// The catalogue. Every call gives the same text.
pub(super) fn full() -> String {
    let mut text = String::with_capacity(LINES * LINE_BYTES);
    let manners = MANNERS.iter().cycle();
    let subjects = SUBJECTS.iter().cycle();
    let writers = WRITERS.iter().cycle();
    // Lists of different lengths turn against each other, so neighbours rarely look alike.
    for (number, ((manner, subject), writer)) in (1..=LINES).zip(manners.zip(subjects).zip(writers))
    {
        let title = format!("{manner} {subject}, volume {}", number % 90 + 1);
        text.push_str(&format!("{number:06}  {title:<44.44}  {writer:<25.25}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_all_of_one_length() {
        let text = full();
        assert_eq!(text.len() as u64, BYTES);
        for (line, number) in text.lines().zip(1..) {
            assert_eq!(line.len(), LINE_BYTES - 1);
            assert!(line.starts_with(&format!("{number:06}  ")), "{line}");
        }
        assert_eq!(text.lines().count(), LINES);
    }
}
