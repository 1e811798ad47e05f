//! Bytes for people: their number, and rows of them in hex.

use std::fmt::Write as _;

/// A size for people: `512 bytes`, `33.2 KiB`, `1.5 GiB`.
pub fn human_size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    match bytes {
        1 => return "1 byte".into(),
        0..1024 => return format!("{bytes} bytes"),
        _ => {}
    }
    let mut tenths = u128::from(bytes) * 10;
    let mut unit = "bytes";
    for name in UNITS {
        // Rounded to the nearest tenth, and 1024.0 never shown: it is 1.0 of the next unit.
        if (tenths + 512) / 1024 < 10_240 {
            tenths = (tenths + 512) / 1024;
            unit = name;
            break;
        }
        tenths /= 1024;
    }
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// Bytes in one row of a hex preview.
const HEX_ROW: usize = 16;

/// The first bytes as rows of `offset  hex  |ASCII|`, at most `max_rows` of 16 bytes each.
pub fn hex_preview(bytes: &[u8], max_rows: usize) -> Vec<String> {
    hex_rows(bytes, HEX_ROW, max_rows)
}

/// The first bytes as rows of `offset  hex  |ASCII|`, at most `max_rows` of `per_row` bytes each
/// (at least one). Sixteen bytes take 78 columns, eight take 44, four take 28; a gap stands after
/// the eighth.
pub fn hex_rows(bytes: &[u8], per_row: usize, max_rows: usize) -> Vec<String> {
    let per_row = per_row.max(1);
    let wide = per_row > HEX_ROW / 2;
    let space = if wide { "  " } else { " " };
    let cells = per_row.saturating_mul(3).saturating_add((per_row - 1) / (HEX_ROW / 2));
    let rows = bytes.chunks(per_row).take(max_rows).enumerate();
    rows.map(|(index, chunk)| {
        let mut hex = String::new();
        for (column, byte) in chunk.iter().enumerate() {
            let gap = if column > 0 && column % (HEX_ROW / 2) == 0 { " " } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(hex, "{gap}{byte:02x} ");
        }
        let shown: String = chunk
            .iter()
            .map(|byte| if matches!(byte, 0x20..=0x7e) { char::from(*byte) } else { '.' })
            .collect();
        format!("{:08x}{space}{hex:<cells$} |{shown}|", index * per_row)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (34_012, "33.2 KiB"),
            (1_048_575, "1.0 MiB"),
            (1_610_612_736, "1.5 GiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(human_size(bytes), text);
        }
    }

    #[test]
    fn a_hex_preview_shows_the_first_rows() {
        let bytes: Vec<u8> = (0..40).map(|i| i + 0x1a).collect();
        let rows = hex_preview(&bytes, 2);
        assert_eq!(
            rows,
            [
                "00000000  1a 1b 1c 1d 1e 1f 20 21  22 23 24 25 26 27 28 29  |...... !\"#$%&'()|",
                "00000010  2a 2b 2c 2d 2e 2f 30 31  32 33 34 35 36 37 38 39  |*+,-./0123456789|",
            ]
        );
        assert_eq!(
            hex_rows(&bytes, 8, 2),
            [
                "00000000 1a 1b 1c 1d 1e 1f 20 21  |...... !|",
                "00000008 22 23 24 25 26 27 28 29  |\"#$%&'()|",
            ]
        );
        assert_eq!(hex_rows(&bytes, 0, 1).len(), 1);
        assert_eq!(hex_preview(&bytes, 9).len(), 3);
        assert!(hex_preview(b"\x7f", 1)[0].ends_with("|.|"));
        assert!(hex_preview(b"", 5).is_empty());
    }
}
