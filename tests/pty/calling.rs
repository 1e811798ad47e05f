//! Tools of the built-in servers, called: a yes before, how far they are, what comes of them.

use crate::demo::settled;
use crate::driver::Terminal;
use crate::start::Start;

/// Selects a tool by its name, and comes to the question before its call, through its form where
/// it has one.
fn asked(terminal: &mut Terminal, name: &str) {
    terminal.keys("3 /");
    terminal.type_text(name);
    terminal.keys("Enter");
    terminal.wait_for(&format!("▸ T  {name}"));
    question(terminal);
}

/// Comes to the question before a call of the tool that is selected.
fn question(terminal: &mut Terminal) {
    terminal.keys("Enter");
    terminal.wait_until("a form or a question", |seen| {
        seen.shows("Call this tool?") || seen.shows("field 1 of")
    });
    if !terminal.shows("Call this tool?") {
        terminal.keys("Enter");
        terminal.wait_for("Call this tool?");
    }
}

/// Says yes. A key that comes too soon is refused, and the next one after it for as long.
fn yes(terminal: &mut Terminal) {
    const TRIES: usize = 20;
    for _ in 0..TRIES {
        terminal.wait_quiet(std::time::Duration::from_millis(400));
        terminal.keys("y");
        terminal.wait_quiet(std::time::Duration::from_millis(50));
        if !terminal.shows("Call this tool?") {
            return;
        }
    }
    panic!("no yes was taken");
}

#[test]
fn a_slow_tool_tells_how_far_it_is_is_stopped_and_called_again() {
    let mut terminal = settled(Start::demo());
    asked(&mut terminal, "recatalogue");
    yes(&mut terminal);
    terminal.wait_for("is on its card");
    terminal.wait_for("1 call running");
    terminal.wait_until("a tenth", |seen| seen.shows("10 %"));
    terminal.keys("Esc");
    terminal.wait_for("stopped: recatalogue of library");
    terminal.wait_gone("call running");
    terminal.keys(".");
    terminal.wait_for("Call this tool?");
    yes(&mut terminal);
    terminal.wait_for("✓ the tool answered in");
    terminal.wait_for("20 cards, none of them lost.");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn an_answer_says_what_failed_and_its_links_are_followed_and_left_again() {
    let mut terminal = settled(Start::demo());
    asked(&mut terminal, "wake_the_owl");
    yes(&mut terminal);
    terminal.wait_for("✗ the tool says that it failed");
    terminal.wait_for("The owl is asleep");
    terminal.keys("Esc Esc");
    asked(&mut terminal, "show_bookplate");
    yes(&mut terminal);
    terminal.wait_for("[1] link  The bookplate");
    terminal.keys("u");
    terminal.wait_for("Read which resource of library?");
    terminal.keys("j Enter");
    // Never listed, and read all the same.
    terminal.wait_for("Shelf mark: `A-001`");
    terminal.keys("b");
    terminal.wait_for("[1] link  The bookplate");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}
