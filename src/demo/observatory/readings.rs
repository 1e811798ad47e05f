//! Readings of a station on a day: made up, yet the same every time one asks.

use super::super::collection::Filled;
use serde_json::{Value, json};

/// The stations, with how much colder than the harbour each is, in tenths of a degree.
const STATIONS: &[(&str, i64)] = &[("summit", 62), ("meadow", 25), ("harbour", 0)];

/// Where the readings are.
const PREFIX: &str = "observatory://readings/";

/// The readings at a URI such as `observatory://readings/summit/2026-07-01`, as JSON.
pub(super) fn day_at(uri: &str) -> Option<String> {
    let (station, day) = uri.strip_prefix(PREFIX)?.split_once('/')?;
    let (_, colder) = STATIONS.iter().find(|(name, _)| *name == station)?;
    let seed = day_number(day)?;
    let hours: Vec<Value> = (0..4).map(|quarter| reading(seed, quarter, *colder)).collect();
    let document = json!({ "station": station, "day": day, "readings": hours });
    serde_json::to_string_pretty(&document).ok()
}

/// The stations by name.
pub(super) fn stations(_: &Filled<'_>) -> Vec<String> {
    STATIONS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// The days of the last month on which somebody was at a station: at the harbour daily, at the
/// meadow every other day, on the summit when it was clear.
pub(super) fn days(filled: &Filled<'_>) -> Vec<String> {
    let every = match filled.text("station") {
        Some("summit") => 5,
        Some("meadow") => 2,
        Some(_) | None => 1,
    };
    (1..=30).step_by(every).map(|day| format!("2026-06-{day:02}")).collect()
}

/// What one sensor of a station reads now; `None` for a station that is not ours.
pub(super) fn now(station: &str) -> Option<Value> {
    let (_, colder) = STATIONS.iter().find(|(name, _)| *name == station)?;
    Some(reading(20_260_701, 3, *colder))
}

/// One reading. Whole tenths are kept until the end so that the text is the same everywhere.
fn reading(seed: i64, quarter: i64, colder: i64) -> Value {
    let spread = (seed * 7919 + quarter * 104_729).rem_euclid(83);
    let tenths = 120 + spread - colder + if quarter == 2 { 40 } else { 0 };
    json!({
        "time": format!("{:02}:00", quarter * 6),
        "temperature_c": tenths as f64 / 10.0,
        "humidity_percent": 55 + spread.rem_euclid(40),
        "wind_m_s": (spread % 60) as f64 / 10.0,
    })
}

/// A day written as YYYY-MM-DD, as the number YYYYMMDD; `None` when it is no date.
fn day_number(day: &str) -> Option<i64> {
    let mut parts = day.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let date = digits(parts.next()?, 2)?;
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    (parts.next().is_none() && (1..=last).contains(&date))
        .then_some(year * 10_000 + month * 100 + date)
}

/// A number of exactly so many ASCII digits.
fn digits(text: &str, count: usize) -> Option<i64> {
    let plain = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_reads_the_same_twice_and_differs_between_stations() {
        let summit = day_at("observatory://readings/summit/2026-07-01").unwrap();
        assert_eq!(day_at("observatory://readings/summit/2026-07-01").unwrap(), summit);
        let parsed: Value = serde_json::from_str(&summit).unwrap();
        assert_eq!(parsed["station"], "summit");
        assert_eq!(parsed["readings"].as_array().unwrap().len(), 4);
        let harbour: Value =
            serde_json::from_str(&day_at("observatory://readings/harbour/2026-07-01").unwrap())
                .unwrap();
        assert_ne!(parsed["readings"], harbour["readings"]);
    }

    #[test]
    fn only_real_days_at_real_stations_have_readings() {
        for good in ["summit/2024-02-29", "meadow/2026-12-31", "harbour/0001-01-01"] {
            assert!(day_at(&format!("{PREFIX}{good}")).is_some(), "{good}");
        }
        for bad in [
            "cellar/2026-07-01",
            "summit/2026-02-29",
            "summit/2026-13-01",
            "summit/2026-07-00",
            "summit/2026-7-1",
            "summit/+026-07-01",
            "summit/2026-07-01-01",
            "summit/2026-07-01/noon",
            "summit/",
            "summit",
            "",
        ] {
            assert!(day_at(&format!("{PREFIX}{bad}")).is_none(), "{bad}");
        }
    }
}
