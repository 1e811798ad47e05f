//! How a conversation is opened.

use crate::row::{Row, legacy, modern, unreached};
use vestibule::domain::{EraChoice, FaultKind};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = vec![
        legacy("json", "nothing; answers in one piece")
            .count("initialize", 1..=1)
            .count("GET", 1..=1)
            .count("DELETE", 1..=1),
        legacy("sse", "nothing; answers in streams").count("DELETE", 1..=1),
        legacy("stateless", "nothing; gives no session").count("DELETE", 0..=0),
        legacy("json_legacy", "nothing; initialize chosen by the user")
            .serve("json")
            .era(EraChoice::Legacy)
            .count("server/discover", 0..=0),
        unreached(
            "json_modern",
            "nothing; server/discover chosen by the user, which it does not know",
            FaultKind::ServerError,
            "-32600",
        )
        .serve("json")
        .era(EraChoice::Modern)
        .count("initialize", 0..=0),
        modern("modern_chosen", "nothing; server/discover chosen by the user")
            .serve("modern")
            .era(EraChoice::Modern),
        unreached(
            "modern_refuses_initialize",
            "refuses initialize, which the user chose",
            FaultKind::ServerError,
            "-32022",
        )
        .serve("modern")
        .era(EraChoice::Legacy),
    ];
    rows.extend(probed());
    rows.extend(unreachable());
    rows
}

/// What servers of the time before say to `server/discover`; `initialize` works with all of them.
fn probed() -> Vec<Row> {
    let once = |row: Row| row.count("server/discover", 1..=1).count("initialize", 1..=1);
    [
        legacy("discover_400", "refuses server/discover with 400 and no word"),
        legacy("discover_401", "refuses server/discover with 401"),
        legacy("discover_403", "refuses server/discover with 403"),
        legacy("discover_404", "refuses server/discover with 404"),
        legacy("discover_405", "refuses server/discover with 405"),
        legacy("discover_406", "refuses server/discover with 406"),
        legacy("discover_415", "refuses server/discover with 415"),
        legacy("discover_422", "refuses server/discover with 422"),
        legacy("discover_500", "refuses server/discover with 500"),
        legacy("discover_null_id", "refuses server/discover without an id"),
        legacy("discover_words", "refuses the version in words"),
        legacy("discover_method", "does not know the method, with 200"),
        legacy("discover_empty", "refuses with a code of zero and no word"),
        legacy("discover_unsupported", "refuses the version and names one it supports"),
        legacy("discover_html", "answers server/discover with a page"),
        legacy("discover_202", "takes server/discover and answers nothing"),
        legacy("discover_hang_up", "hangs up at server/discover"),
        legacy("discover_nothing", "never answers server/discover").settled_within(25),
    ]
    .into_iter()
    .map(once)
    .collect()
}

fn unreachable() -> Vec<Row> {
    let none = FaultKind::Unreachable;
    let sign_in = FaultKind::Authorization;
    vec![
        unreached("all_401", "wants a sign-in for everything", sign_in, "Authorization: Bearer"),
        unreached("all_403", "forbids everything", sign_in, "HTTP 403"),
        unreached("all_404", "is not at this address", none, "HTTP 404"),
        unreached("all_500", "fails at everything", FaultKind::ServerError, "HTTP 500"),
        unreached("all_503", "is not ready yet", FaultKind::ServerError, "Retry-After: 30"),
        unreached("all_html", "is a web page", FaultKind::Protocol, "text/html"),
        unreached(
            "all_202",
            "takes everything and answers nothing",
            FaultKind::Protocol,
            "HTTP 202",
        ),
        unreached(
            "all_tls",
            "speaks TLS, and the address says http",
            FaultKind::Protocol,
            "https://",
        ),
        unreached("all_hang_up", "hangs up on everyone", FaultKind::Closed, "closed"),
        unreached("all_hang", "never answers", FaultKind::Timeout, "no answer to the handshake")
            .connect(1000),
        unreached("all_no_http", "speaks another protocol", FaultKind::Protocol, "no HTTP"),
        unreached("refused", "is not there", none, "127.0.0.1:1")
            .serve("json")
            .address("http://127.0.0.1:1/mcp"),
        unreached("no_such_host", "has a name that nobody knows", none, "no-such-host.invalid")
            .serve("json")
            .address("http://no-such-host.invalid/mcp"),
        unreached("redirect_301", "moved in a way that forgets the message", none, "/mcp2"),
        unreached("redirect_302", "is found elsewhere", none, "/mcp2"),
        unreached("redirect_303", "says to look elsewhere", none, "/mcp2"),
        unreached("redirect_loop", "sends round and round", none, "/mcp"),
        unreached("redirect_cross", "sends to another origin", none, "127.0.0.2"),
        legacy("redirect_307", "sends to another path"),
        legacy("redirect_308", "sends to another path for good"),
    ]
}
