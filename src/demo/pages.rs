//! Lists in pages, with cursors that mean nothing to a client.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rmcp::ErrorData;
use rmcp::model::PaginatedRequestParams;

/// The page of `rows` that the request's cursor points at, and the cursor of the next.
///
/// `list` is worked into the cursor, so that a cursor of one list is refused by another.
///
/// # Errors
/// Invalid params (-32602) for a cursor that this list never gave out.
pub(super) fn page<'a, T>(
    list: &str,
    rows: &'a [T],
    size: usize,
    request: Option<PaginatedRequestParams>,
) -> Result<(&'a [T], Option<String>), ErrorData> {
    let start = match request.and_then(|request| request.cursor) {
        None => 0,
        Some(cursor) => read_cursor(list, &cursor)
            .filter(|start| *start < rows.len() && start.is_multiple_of(size))
            .ok_or_else(|| ErrorData::invalid_params("Unknown cursor", None))?,
    };
    let rest = rows.get(start..).unwrap_or_default();
    match rest.split_at_checked(size) {
        Some((rows, after)) if !after.is_empty() => {
            Ok((rows, Some(write_cursor(list, start.saturating_add(size)))))
        }
        Some(_) | None => Ok((rest, None)),
    }
}

/// The cursor of the page that begins at `start`.
fn write_cursor(list: &str, start: usize) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{list}/{start}"))
}

/// The inverse of [`write_cursor`]; `None` for anything else.
fn read_cursor(list: &str, cursor: &str) -> Option<usize> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.strip_prefix(list)?.strip_prefix('/')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cursor: Option<String>) -> Option<PaginatedRequestParams> {
        Some(PaginatedRequestParams::default().with_cursor(cursor))
    }

    #[test]
    fn pages_join_to_the_whole_list() {
        for length in 0..10 {
            let rows: Vec<usize> = (0..length).collect();
            let (mut seen, mut cursor) = (Vec::new(), None);
            loop {
                let (part, next) = page("numbers", &rows, 3, at(cursor)).unwrap();
                assert!(part.len() <= 3);
                seen.extend_from_slice(part);
                match next {
                    Some(next) => cursor = Some(next),
                    None => break,
                }
            }
            assert_eq!(seen, rows);
        }
    }

    #[test]
    fn a_cursor_of_another_list_or_out_of_thin_air_is_refused() {
        let rows = [1, 2, 3, 4, 5, 6, 7];
        let (_, next) = page("numbers", &rows, 3, None).unwrap();
        assert!(page("letters", &rows, 3, at(next)).is_err());
        for bad in ["", "3", "!!", &write_cursor("numbers", 2), &write_cursor("numbers", 9)] {
            let error = page("numbers", &rows, 3, at(Some(bad.to_owned()))).unwrap_err();
            assert_eq!(error.code.0, -32602, "{bad:?}");
        }
    }
}
