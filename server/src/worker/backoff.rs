//! When the next attempt is due. Pure: the caller passes the randomness, a number from 0 up to 1.

use std::time::Duration;

use chrono::TimeDelta;

/// The pause after the first failed attempt at a transcription; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(10);

/// The longest pause between two attempts at a transcription, and the longest that a recogniser may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);

/// Attempts at a delivery before it is given up: one, and one after each pause of the schedule.
pub const DELIVERY_ATTEMPTS: u32 = 10;

/// The pauses after each failed attempt at a delivery, in seconds: the schedule that the Standard Webhooks
/// specification recommends, three days and some hours in all (5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h).
const DELIVERY_PAUSES: [u64; DELIVERY_ATTEMPTS as usize - 1] =
    [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// The longest pause that an endpoint may ask for.
const LONGEST_ASKED: Duration = Duration::from_secs(24 * 60 * 60);

/// How far a pause is moved at most, as a part of it: what failed together shouldn't come back together.
const JITTER: f64 = 0.2;

/// The pause after the `attempts`th attempt at a transcription failed, counted from 1. At least what the recogniser
/// asked for with `retry_after`, up to an hour.
pub fn transcription(attempts: u32, retry_after: Option<Duration>, random: f64) -> TimeDelta {
    let doubled = FIRST_PAUSE.saturating_mul(1_u32.checked_shl(attempts.saturating_sub(1)).unwrap_or(u32::MAX));
    pause(doubled.min(LONGEST_PAUSE), retry_after, LONGEST_PAUSE, random)
}

/// The pause after the `attempts`th attempt at a delivery failed, counted from 1; none when that was the last. At least
/// what the endpoint asked for with `retry_after`, up to a day.
pub fn delivery(attempts: u32, retry_after: Option<Duration>, random: f64) -> Option<TimeDelta> {
    let seconds = DELIVERY_PAUSES.get(attempts.saturating_sub(1) as usize)?;
    Some(pause(Duration::from_secs(*seconds), retry_after, LONGEST_ASKED, random))
}

fn pause(usual: Duration, asked: Option<Duration>, longest_asked: Duration, random: f64) -> TimeDelta {
    let moved = usual.mul_f64(1.0 + JITTER * (2.0 * random.clamp(0.0, 1.0) - 1.0));
    let pause = moved.max(asked.unwrap_or_default().min(longest_asked));
    TimeDelta::from_std(pause).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the middle of the jitter.
    const MIDDLE: f64 = 0.5;

    #[test]
    fn transcriptions_wait_twice_as_long_each_time_up_to_an_hour() {
        let seconds = |attempts| transcription(attempts, None, MIDDLE).num_seconds();
        let pauses: Vec<_> = (1..=11).map(seconds).collect();
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
        // Ten attempts have nine pauses between them; the documents say so.
        assert_eq!(pauses[..9].iter().sum::<i64>() / 60, 85);
        // As the numbers of a store that was tampered with could be.
        assert_eq!((seconds(0), seconds(33), seconds(u32::MAX)), (10, 3_600, 3_600));
    }

    #[test]
    fn deliveries_are_tried_ten_times_over_three_days() {
        let pauses: Vec<_> = (1..).map_while(|attempts| delivery(attempts, None, MIDDLE)).collect();
        assert_eq!(pauses.len(), 9);
        assert_eq!(pauses.iter().sum::<TimeDelta>(), TimeDelta::seconds(((75 * 60) + 35) * 60 + 5));
        assert!(pauses.is_sorted());
        assert_eq!(delivery(10, Some(Duration::from_secs(1)), MIDDLE), None);
    }

    #[test]
    fn pauses_are_moved_by_a_fifth_at_most() {
        let seconds = |random| transcription(1, None, random).num_milliseconds();
        assert_eq!((seconds(0.0), seconds(0.25), seconds(1.0)), (8_000, 9_000, 12_000));
        assert_eq!(delivery(1, None, 0.0), Some(TimeDelta::seconds(4)));
    }

    #[test]
    fn what_was_asked_for_is_waited_within_bounds() {
        let hours = |hours: u64| Some(Duration::from_secs(hours * 3_600));
        let asked = Some(Duration::from_secs(90));
        assert_eq!(transcription(1, asked, MIDDLE), TimeDelta::seconds(90));
        assert_eq!(transcription(7, asked, MIDDLE), TimeDelta::seconds(640), "less than the usual pause");
        assert_eq!(transcription(1, hours(5), MIDDLE), TimeDelta::hours(1));
        assert_eq!(delivery(2, hours(5), MIDDLE), Some(TimeDelta::hours(5)));
        assert_eq!(delivery(2, hours(500), MIDDLE), Some(TimeDelta::hours(24)));
    }
}
