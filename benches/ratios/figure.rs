//! One line of the table.

use std::fmt;

/// What was measured, and what it may be.
pub(crate) struct Figure {
    /// Of what it is.
    pub(crate) kind: &'static str,
    /// What it is: a ratio, unless `kind` says otherwise.
    pub(crate) value: f64,
    /// What it may be at most.
    pub(crate) most: f64,
    /// What it was made of.
    pub(crate) made_of: String,
}

impl Figure {
    /// A ratio of two times in seconds.
    pub(crate) fn ratio(kind: &'static str, ours: f64, baseline: f64, most: f64) -> Self {
        let made_of = format!("{} / {}", time(ours), time(baseline));
        Self { kind, value: ours / baseline, most, made_of }
    }

    /// Whether it is too much.
    pub(crate) fn is_over(&self) -> bool {
        // What is no number is no success.
        self.value.is_nan() || self.value > self.most
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, value, most, made_of } = self;
        let over = if self.is_over() { "  <-- OVER" } else { "" };
        write!(f, "{kind:<8} {value:>6.2} (at most {most}){over}")?;
        if made_of.is_empty() { Ok(()) } else { write!(f, "  {made_of}") }
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 0.1 => format!("{s:.3} s"),
        s if s >= 1e-4 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
