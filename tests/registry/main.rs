//! Many servers as one: the same assertions over the pipe inside this process and over a child
//! process. The child is this very program, called with `serve SCRIPT`.

// A failed expectation stops a test, loudly; the lints' own exception knows only `#[test]`.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::wildcard_enum_match_arm)]

mod addresses;
mod again;
mod calls;
mod completion;
mod confirm;
mod demo;
mod eras;
mod house;
#[allow(dead_code, reason = "faulty servers use more of it")]
#[path = "../support/http_server/mod.rs"]
mod http_server;
mod lists;
mod losses;
#[path = "../support/plain_http.rs"]
mod plain_http;
#[path = "../support/plain_server.rs"]
mod plain_server;
mod reasons;
mod results;
mod rounds;
mod subscriptions;
mod templates;
mod tools;
#[path = "../support/wire.rs"]
mod wire;
#[path = "../support/yes.rs"]
mod yes;

use house::Way;
use libtest_mimic::{Arguments, Trial};
use std::{future::Future, pin::Pin, process::ExitCode, time::Duration};

/// Longer than any test takes on a slow machine: a test that hangs fails instead.
const PATIENCE: Duration = Duration::from_secs(30);

/// Trials wait more than they compute.
const AT_ONCE: usize = 8;

type Run = fn(Way) -> Pin<Box<dyn Future<Output = ()>>>;

macro_rules! cases {
    ($($module:ident::$name:ident,)*) => {
        [$((stringify!($name), (|way| Box::pin($module::$name(way))) as Run)),*]
    };
}

/// What holds over every way.
const CASES: &[(&str, Run)] = &cases![
    lists::every_page_arrives_in_order,
    lists::long_pages_are_asked_for_once_each_and_no_further_than_allowed,
    lists::cursors_go_back_byte_for_byte,
    lists::every_older_version_is_spoken_and_an_unknown_one_refused,
    lists::a_server_of_templates_only_has_templates,
    lists::a_missing_template_method_hides_templates_only,
    lists::a_list_that_is_refused_is_no_empty_list,
    lists::a_change_that_is_told_is_listed_again,
    lists::a_refresh_lists_again,
    addresses::bare_where_one_server_lists_it,
    addresses::qualified_always,
    addresses::the_named_server_alone_is_asked,
    addresses::two_owners_are_told_with_their_qualified_forms,
    addresses::a_server_named_like_a_scheme_swallows_nothing,
    addresses::the_longest_server_name_is_tried_first,
    addresses::what_was_never_listed_needs_a_named_server,
    addresses::one_server_alone_is_asked_for_what_it_never_listed,
    addresses::forbidden_looks_like_unknown,
    calls::text_blob_and_several_blocks_arrive_whole,
    calls::argument_values_arrive_exactly,
    calls::arguments_are_checked_before_anything_is_sent,
    calls::an_error_of_the_server_is_its_own_and_asked_once,
    calls::a_dropped_read_is_cancelled_at_the_server,
    calls::a_read_is_cancelled_even_when_all_is_closed_at_once,
    tools::progress_is_told_while_a_call_runs,
    tools::progress_that_makes_no_sense_is_not_shown,
    tools::a_dropped_call_is_cancelled_and_its_late_answer_goes_nowhere,
    tools::an_answer_that_comes_twice_counts_once,
    tools::a_server_that_dies_in_a_call_ends_it_at_once,
    tools::calls_run_side_by_side,
    tools::a_question_within_a_call_is_answered_while_it_runs,
    tools::equal_names_of_two_servers_stay_two_tools,
    tools::arguments_are_held_against_the_schema_before_anything_is_sent,
    tools::structured_content_is_held_against_its_schema,
    tools::every_answer_is_read_or_refused_by_name,
    tools::what_the_session_may_not_call_looks_unknown,
    tools::slow_calls_live_on_their_progress,
    results::a_result_is_bounded_on_both_sides_of_the_edge,
    results::a_wrong_mark_of_failure_is_a_breach,
    results::one_progress_after_another_never_says_that_much,
    rounds::every_round_is_answered_as_it_was_asked,
    rounds::a_server_that_asks_without_end_is_given_up,
    rounds::what_was_never_offered_ends_the_call_by_name,
    rounds::a_round_that_makes_no_sense_is_the_servers_fault,
    rounds::an_answer_says_what_it_is_or_nothing,
    rounds::an_older_server_asks_for_roots_by_request,
    calls::questions_that_were_never_offered_are_answered_by_name,
    losses::a_read_survives_the_end_of_its_server_once,
    losses::a_server_that_ended_leaves_stale_rows,
    losses::bad_servers_take_nothing_from_good_ones,
    losses::disconnecting_ends_a_server_that_never_answered,
    losses::many_reads_share_one_new_connection,
    losses::disconnected_rows_stay_and_come_back,
    losses::closing_leaves_nothing_running,
    lists::an_edge_of_the_limit_is_no_cut,
    lists::forbidden_tools_are_counted_and_not_listed,
    again::lists_are_fetched_once_more,
    again::a_server_that_dies_of_its_lists_is_left_alone,
    again::a_prompt_is_never_sent_twice,
    again::down_comes_up_when_told,
    again::a_server_that_was_lost_comes_back_by_itself,
    again::a_restart_is_a_fresh_connection,
    again::switched_off_starts_nothing,
    again::rounds_leave_no_process,
    eras::the_reason_of_an_era_is_told,
    eras::every_refusal_of_discovery_leads_to_initialize,
    eras::an_era_is_remembered,
    eras::a_memory_that_is_wrong_is_corrected,
    eras::the_time_of_an_entry_goes_before_the_limit,
    reasons::a_refusal_speaks_in_the_cause_alone,
    reasons::names_of_arguments_are_marked,
    reasons::all_of_an_error_is_told,
    reasons::a_read_that_ended_it_twice_says_so,
    reasons::a_prompt_that_nobody_lists_is_not_sent,
    completion::what_is_proposed_arrives_with_how_much_it_is,
    completion::other_values_go_along_where_the_version_knows_them,
    completion::nothing_is_sent_where_it_cannot_be_answered,
    completion::a_dropped_completion_is_cancelled_at_the_server,
    subscriptions::updates_are_counted_and_come_together,
    subscriptions::what_is_not_watched_is_logged,
    subscriptions::a_stream_takes_its_own_updates_only,
    subscriptions::a_refusal_is_shown_and_nothing_is_watched,
    subscriptions::what_is_not_offered_is_not_asked_for,
    subscriptions::after_a_loss_they_are_taken_up_again,
    subscriptions::a_stream_that_ended_is_opened_again,
    subscriptions::what_is_let_go_is_not_told_of,
    confirm::without_a_yes_nothing_is_sent,
    templates::values_arrive_encoded_once,
    templates::what_cannot_be_filled_in_is_not_sent,
    templates::a_forbidden_template_or_uri_looks_unknown,
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("serve") {
        let script = serde_json::from_str(&words.next().expect("a script")).expect("JSON");
        let served = plain_server::Plain::new(script).serve();
        return served.map_or(ExitCode::FAILURE, ExitCode::from);
    }
    let mut trials = vec![
        Trial::test("wire::the_check_can_fail", || {
            Ok(wire::the_check_can_fail(&wire::Wire::new())?)
        }),
        Trial::test("http::the_rules_can_fail", || Ok(http_server::the_rules_can_fail()?)),
        trial("demo::what_is_sent_is_what_the_schema_says".into(), demo::sent),
        trial("demo::what_is_watched_over_http_is_told_of".into(), demo::watched_over_http),
    ];
    let children = cases![
        reasons::last_words_at_the_handshake,
        reasons::last_words_in_the_middle_of_a_read,
        reasons::what_cannot_be_started,
    ];
    for way in [Way::InProcess, Way::Stdio, Way::Http] {
        for &(name, run) in CASES {
            trials.push(trial(format!("{}::{name}", way.name()), move || run(way)));
        }
    }
    let mirrored = || tools::marked_arguments_go_into_headers_and_wrong_marks_hide_a_tool();
    trials.push(trial("http::marked_arguments_go_into_headers".into(), mirrored));
    for (name, run) in children {
        trials.push(trial(format!("stdio::{name}"), move || run(Way::Stdio)));
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial<F: Future<Output = ()>>(name: String, run: impl FnOnce() -> F + Send + 'static) -> Trial {
    Trial::test(name, move || {
        // Several threads, as the program has them.
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let ended = runtime.block_on(async { tokio::time::timeout(PATIENCE, run()).await });
        ended.map_err(|_| format!("not done within {PATIENCE:?}").into())
    })
}
