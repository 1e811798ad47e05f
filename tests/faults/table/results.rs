//! Lists, pages, contents and prompts that are odd.

use crate::{
    expect::{BodyExpected, ReadExpected, failed, fresh, not_offered, partial},
    row::{Row, legacy},
};
use vestibule::domain::{
    ContentNote::{ForeignUri, NoUri, TextAndBlob},
    FaultKind, Truncation,
};

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = items();
    rows.extend(pages());
    rows.extend(contents());
    rows
}

fn items() -> Vec<Row> {
    let no_method = || failed(FaultKind::ServerError, "-32601");
    vec![
        legacy("extra_fields", "adds members that nobody knows, everywhere").also_in_process(),
        legacy("missing_fields", "one item of each list lacks a member it must have")
            .resources(fresh(2).malformed(&["name is missing"]))
            .prompts(fresh(2).malformed(&["name is missing"]))
            .tools(fresh(2).malformed(&["inputSchema is missing"]))
            .also_in_process(),
        legacy("bad_types", "a negative size, a number for a media type, an unknown audience")
            .resources(fresh(1).malformed(&["size should be", "mimeType should be a string"]))
            .also_in_process(),
        legacy("unknown_content", "a prompt with a kind of content that nobody knows")
            .prompt(&[("User", "hello"), ("User", "Unsupported")])
            .also_in_process(),
        legacy("unknown_enums", "words that nobody knows where a few are allowed")
            .prompt(&[("User", "hello"), ("Unsupported", "hello")])
            .also_in_process(),
        legacy("cross_fields", "one list carries the member of another").also_in_process(),
        legacy("caps_lie", "offers nothing and would serve everything")
            .all_lists(not_offered())
            .read_fails(FaultKind::NotFound, "offers no resources")
            .also_in_process(),
        legacy("caps_absent", "offers everything and has no method")
            .all_lists(no_method())
            .templates(not_offered())
            .also_in_process(),
        legacy("bigint", "a size of 2^63, and 1e400 where nobody looks").also_in_process(),
        // What a program writes that cuts a text in the middle of an emoji.
        legacy("surrogate", "half a surrogate pair in an item and in a text")
            .resources(fresh(3).malformed(&["hex escape"]))
            .read(
                "mem://r0",
                ReadExpected::Blocks(vec![(
                    BodyExpected::Text("half \u{fffd}"),
                    vec![vestibule::domain::ContentNote::InvalidUnicode],
                )]),
            )
            .also_in_process(),
        legacy("dup_keys", "writes one member twice").resources(fresh(1)).also_in_process(),
    ]
}

fn pages() -> Vec<Row> {
    let again = |n: usize| fresh(n).truncated(Truncation::RepeatedCursor);
    vec![
        legacy("cursor_loop", "gives the same cursor for ever")
            .resources(again(3))
            .templates(again(1))
            .prompts(again(3))
            .tools(again(3))
            .also_in_process(),
        legacy("cursor_grow", "gives a new cursor for ever")
            .limit(|limits| limits.max_pages = 20)
            .resources(fresh(200).truncated(Truncation::Pages(20)))
            .also_in_process(),
        legacy("cursor_grow_items", "gives a new cursor for ever; the number of items is bounded")
            .serve("cursor_grow")
            .limit(|limits| limits.max_items = 25)
            .resources(fresh(25).truncated(Truncation::Items(25)))
            .also_in_process(),
        legacy("cursor_huge", "gives a new cursor of a million bytes for ever")
            .limit(|limits| limits.max_pages = 5)
            .resources(fresh(5).truncated(Truncation::Pages(5))),
        legacy("cursor_fails", "gives one page, then something that is no list")
            .resources(partial(3, FaultKind::Protocol, "has no resources"))
            .also_in_process(),
        legacy("cursor_empty", "ends with an empty cursor").resources(fresh(6)).also_in_process(),
        legacy("cursor_null", "ends with null").also_in_process(),
        legacy("cursor_number", "gives a number for a cursor")
            .resources(partial(3, FaultKind::Protocol, "nextCursor"))
            .also_in_process(),
        legacy("pages", "nothing; twenty pages of a thousand")
            .resources(fresh(20_000))
            .also_in_process(),
    ]
}

fn contents() -> Vec<Row> {
    let blocks = |blocks| ReadExpected::Blocks(blocks);
    vec![
        legacy("bad_base64", "a blob that is not base64")
            .read("mem://r0", blocks(vec![(BodyExpected::Unsupported("base64"), vec![])]))
            .also_in_process(),
        legacy("uri_mismatch", "a block of another URI, and one below")
            .read(
                "mem://r0",
                blocks(vec![
                    (BodyExpected::Text("other"), vec![ForeignUri]),
                    (BodyExpected::Text("child"), vec![]),
                ]),
            )
            .also_in_process(),
        legacy("both_text_blob", "a block with text and blob, and one with neither")
            .read(
                "mem://r0",
                blocks(vec![
                    (BodyExpected::Text("t"), vec![TextAndBlob]),
                    (BodyExpected::Blob(&[0, 0, 0]), vec![TextAndBlob]),
                    (BodyExpected::Unsupported("neither"), vec![]),
                ]),
            )
            .also_in_process(),
        legacy("no_uri", "a block without a URI")
            .read("mem://r0", blocks(vec![(BodyExpected::Text("no uri"), vec![NoUri])]))
            .also_in_process(),
        legacy("empty_contents", "no blocks").read("mem://r0", blocks(vec![])).also_in_process(),
    ]
}
