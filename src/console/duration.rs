//! How old something is, and when that was.
//!
//! Mirrors `HumanDuration` of `k8s.io/apimachinery/pkg/util/duration/duration.go`.

use crate::engine::time::{SimDuration, SimTime};

/// The AGE column: two or three figures.
pub fn age(now: SimTime, since: Option<SimTime>) -> String {
    match since {
        None => "<unknown>".to_owned(),
        Some(since) => human(now - since),
    }
}

fn human(duration: SimDuration) -> String {
    let seconds = duration.0 / 1_000_000_000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    let pair = |large: i64, unit: &str, small: i64, below: &str| match small {
        0 => format!("{large}{unit}"),
        _ => format!("{large}{unit}{small}{below}"),
    };
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        _ if minutes < 10 => pair(minutes, "m", seconds % 60, "s"),
        _ if minutes < 180 => format!("{minutes}m"),
        _ if hours < 8 => pair(hours, "h", minutes % 60, "m"),
        _ if hours < 48 => format!("{hours}h"),
        _ if days < 8 => pair(days, "d", hours % 24, "h"),
        _ if days < 730 => format!("{days}d"),
        _ if days < 2920 => pair(days / 365, "y", days % 365, "d"),
        _ => format!("{}y", days / 365),
    }
}

/// From 1 March of the year 0 to the first day of 2025.
const TO_2025: i64 = 739_557;

/// An instant of simulated time as a timestamp: runs begin with the year 2025.
pub fn timestamp(time: SimTime) -> String {
    let seconds = time.0.div_euclid(1_000_000_000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days + TO_2025);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// The date so many days after 1 March of the year 0.
fn civil(days: i64) -> (i64, i64, i64) {
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + carry, month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_two_or_three_figures() {
        let table = [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (3, "3s"),
            (119, "119s"),
            (120, "2m"),
            (125, "2m5s"),
            (600, "10m"),
            (10_800, "3h"),
            (11_000, "3h3m"),
            (86_400, "24h"),
            (172_800, "2d"),
            (180_000, "2d2h"),
            (864_000, "10d"),
            (63_072_000, "2y"),
            (70_000_000, "2y80d"),
            (400_000_000, "12y"),
        ];
        for (seconds, text) in table {
            assert_eq!(human(SimDuration::from_secs(seconds)), text, "{seconds}");
        }
        assert_eq!(age(SimTime::ZERO, None), "<unknown>");
    }

    #[test]
    fn time_begins_with_the_year_2025() {
        let at = |seconds: i64| timestamp(SimTime::from_millis(seconds * 1000));
        assert_eq!(at(0), "2025-01-01T00:00:00Z");
        assert_eq!(at(-1), "2024-12-31T23:59:59Z");
        assert_eq!(at(3_661), "2025-01-01T01:01:01Z");
        assert_eq!(at(59 * 86_400), "2025-03-01T00:00:00Z");
        assert_eq!(at(365 * 86_400), "2026-01-01T00:00:00Z");
        assert_eq!(at((3 * 365 + 59) * 86_400), "2028-02-29T00:00:00Z");
        timestamp(SimTime::MAX);
        timestamp(SimTime(i64::MIN));
    }
}
