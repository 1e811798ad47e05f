//! Colours: on the terminal's own ground nothing may need a certain ground, and no theme says more
//! than another.

use crate::frames::SCENES;
use crate::support::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use vestibule::tui::{Theme, view};

/// Every scene as cells.
fn drawn(theme: Theme) -> Vec<(&'static str, Buffer)> {
    let draw = |(name, scene): &(&'static str, fn(&mut Screen))| {
        let mut screen = Screen::empty(120, 40);
        scene(&mut screen);
        let area = Rect::new(0, 0, 120, 40);
        let mut buffer = Buffer::empty(area);
        view::draw(&screen.state, &theme, area, &mut buffer);
        (*name, buffer)
    };
    SCENES.iter().map(draw).collect()
}

/// Colours that stay what they are whatever the ground is, or are that of a common ground.
fn needs_a_ground(colour: Color) -> bool {
    !matches!(
        colour,
        Color::Reset | Color::Red | Color::Green | Color::Yellow | Color::Magenta | Color::Cyan
    )
}

#[test]
fn no_view_needs_a_ground_that_it_does_not_bring() {
    for (theme, name, buffer) in Theme::ALL
        .into_iter()
        .flat_map(|theme| drawn(theme).into_iter().map(move |(name, buffer)| (theme, name, buffer)))
    {
        for cell in &buffer.content {
            let alone = cell.bg == Color::Reset && needs_a_ground(cell.fg);
            assert!(!alone, "{:?} in {:?} of {name} in {theme:?}", cell.symbol(), cell.fg);
            // And the other way round: a ground without a text of its own.
            assert!(cell.bg == Color::Reset || cell.fg != Color::Reset, "{name} in {theme:?}");
        }
    }
}

#[test]
fn nothing_is_told_by_colour_alone() {
    let bare = drawn(Theme::None);
    for (name, buffer) in &bare {
        let colourless =
            |cell: &ratatui::buffer::Cell| cell.fg == Color::Reset && cell.bg == Color::Reset;
        assert!(buffer.content.iter().all(colourless), "{name}");
    }
    for theme in [Theme::Terminal, Theme::Dark, Theme::Light] {
        for ((name, buffer), (_, bare)) in drawn(theme).iter().zip(&bare) {
            assert_eq!(text(buffer), text(bare), "{name} in {theme:?}");
        }
    }
    // Where rows differ by colour they differ by a mark too, and the one with the keys is reversed.
    let servers = bare.iter().find(|(name, _)| *name == "servers").map(|(_, b)| b).unwrap();
    let shown = text(servers);
    for mark in ["● library", "… slow", "✗ dead"] {
        assert!(shown.contains(mark), "{mark}\n{shown}");
    }
    let reversed = |cell: &&ratatui::buffer::Cell| cell.modifier.contains(Modifier::REVERSED);
    assert!(servers.content.iter().filter(reversed).count() > 10);
}
