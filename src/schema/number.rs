//! Numbers as they are written, and whether the value that is sent is the same number.

use serde_json::{Number, Value};

/// What a text is as a number.
#[derive(Debug, PartialEq)]
pub(super) enum Written {
    /// This one, exactly.
    Number(Value),
    /// A number that would be sent as another one.
    Inexact,
    /// None.
    NoNumber,
}

/// A number without the ways to write it: `digits` times ten to the power of `exponent`.
#[derive(Debug, PartialEq)]
struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty is zero.
    digits: String,
    exponent: i64,
}

/// The largest power of ten that is looked at; every number that can be sent is far below.
const MAX_EXPONENT: i64 = 100_000;

impl Decimal {
    /// Reads a number by the rules of JSON.
    fn read(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, power) = match rest.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, Some(power)),
            None => (rest, None),
        };
        let (whole, part) = match mantissa.split_once('.') {
            Some((whole, part)) => (whole, Some(part)),
            None => (mantissa, None),
        };
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let is_fine = is_digits(whole) && (whole.len() == 1 || !whole.starts_with('0'));
        if !is_fine || part.is_some_and(|part| !is_digits(part)) {
            return None;
        }
        let power = match power {
            None => 0,
            Some(power) => {
                let digits = power.strip_prefix(['+', '-']).unwrap_or(power);
                if !is_digits(digits) {
                    return None;
                }
                let size = digits.trim_start_matches('0');
                let size = if size.is_empty() { 0 } else { size.parse().unwrap_or(i64::MAX) };
                let size = size.min(MAX_EXPONENT);
                if power.starts_with('-') { -size } else { size }
            }
        };
        let part = part.unwrap_or_default();
        let all = format!("{whole}{part}");
        let led = all.trim_start_matches('0');
        let digits = led.trim_end_matches('0');
        let behind = i64::try_from(led.len() - digits.len()).ok()?;
        let exponent = power - i64::try_from(part.len()).ok()? + behind;
        Some(if digits.is_empty() {
            Self { negative: false, digits: String::new(), exponent: 0 }
        } else {
            Self { negative, digits: digits.into(), exponent }
        })
    }

    /// The whole number that it is, if it is one of those that have a form of their own.
    fn whole(&self) -> Option<Number> {
        let zeros = usize::try_from(self.exponent).ok().filter(|zeros| *zeros <= 20)?;
        let sign = if self.negative { "-" } else { "" };
        let text = format!("{sign}{:0<1$}", self.digits, self.digits.len() + zeros);
        let text = if self.digits.is_empty() { "0" } else { &text };
        let signed = text.parse::<i64>().map(Number::from);
        signed.or_else(|_| text.parse::<u64>().map(Number::from)).ok()
    }
}

/// Reads one number, and nothing around it: `1.0` stays that.
pub(super) fn read(text: &str) -> Written {
    read_as(text, !text.contains(['.', 'e', 'E']))
}

/// Reads one number, and nothing around it, as a whole one where it is one: `1.0` is 1.
pub(super) fn read_whole(text: &str) -> Written {
    read_as(text, true)
}

fn read_as(text: &str, whole: bool) -> Written {
    let Some(decimal) = Decimal::read(text) else { return Written::NoNumber };
    let whole = whole.then(|| decimal.whole()).flatten();
    let number = whole.or_else(|| Number::from_f64(text.parse().ok()?));
    match number {
        Some(number) if Decimal::read(&number.to_string()).as_ref() == Some(&decimal) => {
            Written::Number(Value::Number(number))
        }
        Some(_) | None => Written::Inexact,
    }
}

/// Whether a number has no part behind the point.
pub(super) fn is_whole(value: &Value) -> bool {
    Decimal::read(&value.to_string()).is_some_and(|decimal| decimal.exponent >= 0)
}

/// Where in a JSON text the first number stands that would be sent as another one: the
/// character, counted from 1.
pub(super) fn first_inexact(json: &str) -> Option<usize> {
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    let mut rest = json.char_indices().enumerate().peekable();
    while let Some((n, (start, first))) = rest.next() {
        if first == '"' {
            while let Some((_, (_, c))) = rest.next() {
                match c {
                    '\\' => drop(rest.next()),
                    '"' => break,
                    _ => {}
                }
            }
        } else if first == '-' || first.is_ascii_digit() {
            let mut end = start + first.len_utf8();
            while let Some((_, (at, c))) = rest.next_if(|(_, (_, c))| of_number(*c)) {
                end = at + c.len_utf8();
            }
            let token = json.get(start..end).unwrap_or_default();
            let parsed: Option<Value> = serde_json::from_str(token).ok();
            let parsed = parsed.and_then(|value| Decimal::read(&value.to_string()));
            if parsed.is_none() || parsed != Decimal::read(token) {
                return Some(n + 1);
            }
        }
    }
    None
}
