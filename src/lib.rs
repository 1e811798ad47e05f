//! vestibule
pub mod audit;
pub mod cli;
pub mod config;
pub mod content;
pub mod demo;
pub mod domain;
pub mod mcp;
pub mod provider;
pub mod registry;
pub mod sampling;
pub mod schema;
pub mod tui;
