//! The signals that end a headless command.

use std::io;

/// `SIGINT`: Ctrl-C.
pub const INTERRUPT: i32 = 2;

/// Listens from the moment it is made, so that a signal during the start is not lost.
pub struct Signals {
    #[cfg(unix)]
    streams: [(i32, tokio::signal::unix::Signal); 4],
}

impl Signals {
    /// Takes over `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT` (elsewhere: Ctrl-C).
    ///
    /// # Errors
    /// Those of the system.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let stream = |kind: SignalKind| Ok::<_, io::Error>((kind.as_raw_value(), signal(kind)?));
        Ok(Self {
            streams: [
                stream(SignalKind::hangup())?,
                stream(SignalKind::interrupt())?,
                stream(SignalKind::terminate())?,
                stream(SignalKind::quit())?,
            ],
        })
    }

    /// Takes over Ctrl-C.
    ///
    /// # Errors
    /// None here.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// The number of the next signal.
    pub async fn next(&mut self) -> i32 {
        #[cfg(unix)]
        {
            let [(a, first), (b, second), (c, third), (d, fourth)] = &mut self.streams;
            tokio::select! {
                _ = first.recv() => *a,
                _ = second.recv() => *b,
                _ = third.recv() => *c,
                _ = fourth.recv() => *d,
            }
        }
        #[cfg(not(unix))]
        {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
            INTERRUPT
        }
    }
}

/// The exit code of a process that a signal ended: 130 for `SIGINT`, 143 for `SIGTERM`.
pub fn signal_code(signal: i32) -> u8 {
    u8::try_from(signal).ok().and_then(|signal| signal.checked_add(128)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_that_shells_report() {
        assert_eq!([INTERRUPT, 15, 1].map(signal_code), [130, 143, 129]);
        assert_eq!([-1, 300].map(signal_code), [1, 1]);
    }
}
