//! Numbers of the settings file, read within their bounds.

use serde::{Deserialize, Deserializer, de::Error as _};
use std::time::Duration;

/// Reads a whole number from `MIN` to `MAX`, both included. The error names the bounds; the
/// parser adds the place.
pub(super) fn bounded<'de, T, D, const MIN: i64, const MAX: i64>(
    deserializer: D,
) -> Result<T, D::Error>
where
    T: TryFrom<i64>,
    D: Deserializer<'de>,
{
    let number = i64::deserialize(deserializer)?;
    let out_of_bounds =
        || D::Error::custom(format!("{number} is out of bounds: from {MIN} to {MAX} is allowed"));
    if !(MIN..=MAX).contains(&number) {
        return Err(out_of_bounds());
    }
    T::try_from(number).map_err(|_| out_of_bounds())
}

/// Reads a time in whole seconds, from 1 to `MAX`.
pub(super) fn seconds<'de, D: Deserializer<'de>, const MAX: i64>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    bounded::<u64, D, 1, MAX>(deserializer).map(Duration::from_secs)
}
