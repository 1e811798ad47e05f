//! The era of 2026-07-28.

use crate::{
    expect::{Times, failed},
    row::{Row, modern, unreached},
};
use vestibule::domain::{EraChoice, FaultKind};

pub(crate) fn rows() -> Vec<Row> {
    let protocol = FaultKind::Protocol;
    let never = "never offered";
    vec![
        modern("modern", "nothing; the baseline").also_in_process(),
        modern("modern_chosen", "nothing; server/discover chosen by the user")
            .serve("modern")
            .era(EraChoice::Modern)
            .also_in_process(),
        modern("modern_listen_noack", "never acknowledges that it is listened to")
            .also_in_process(),
        modern("modern_listen_refused", "offers news of its lists and has no method for them")
            .breaches(Times::Exactly(1))
            .also_in_process(),
        modern("modern_listen_end", "ends each stream of news at once").also_in_process(),
        modern("modern_list_input", "asks for input on lists")
            .all_lists(failed(protocol, "asked for input on a list"))
            .also_in_process(),
        modern("modern_nometa", "its results lack resultType, ttlMs and cacheScope")
            .also_in_process(),
        modern("modern_only", "refuses initialize").also_in_process(),
        unreached(
            "modern_only_legacy",
            "refuses initialize, which the user chose",
            FaultKind::ServerError,
            "-32022",
        )
        .serve("modern_only")
        .era(EraChoice::Legacy)
        .also_in_process(),
        modern("modern_push", "sends a request, which its era forbids")
            .reads_text("no answer")
            .breaches(Times::Exactly(1))
            .also_in_process(),
        modern("modern_state", "asks for three more rounds and for nothing else")
            .reads_text("4 calls, all alike")
            .also_in_process(),
        modern("modern_loop", "asks for rounds for ever")
            .read_fails(FaultKind::Limit, "limits.rounds")
            .also_in_process(),
        modern("modern_empty", "asks for input and does not say for which")
            .read_fails(protocol, "does not say what for")
            .also_in_process(),
        modern("modern_badinput", "asks for something of its own")
            .read_fails(protocol, never)
            .breaches(Times::Exactly(1))
            .also_in_process(),
        modern("modern_sample", "asks for sampling, which nobody offered")
            .read_fails(protocol, never)
            .breaches(Times::Exactly(1))
            .also_in_process(),
    ]
}
