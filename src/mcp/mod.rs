//! One server: transport, handshake, lists, reads, rounds. The SDK lives here and nowhere else
//! but in the embedded servers.

mod actor;
mod answer;
mod arrived;
mod asks;
mod child;
mod completion;
mod connect;
mod connection;
mod contents;
mod conversation;
mod convert;
mod cursor;
mod envelope;
mod era_memory;
mod handler;
mod handshake;
mod http;
mod lifecycle;
mod line_reader;
mod lines;
mod listen;
mod lists;
mod mask;
mod news;
mod pages;
mod reconnect;
mod relist;
mod rendered;
mod requests;
mod ring;
mod rounds;
mod session;
mod subscriptions;
mod tap;
mod traffic;
mod unescape;
mod watching;
mod wire;
mod writer;

pub use connect::InProcess;
pub use reconnect::Again;
pub use session::{Session, SessionState};
pub use tap::Noise;
pub use traffic::{Direction, MAX_MESSAGE, TrafficEntry};
