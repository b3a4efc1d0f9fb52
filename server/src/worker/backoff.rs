//! Delays between attempts. Pure: the caller passes a random number from 0 up to 1.

use std::time::Duration;

use chrono::TimeDelta;

/// Delay after the first failed attempt at a transcription. Doubles with each further attempt.
const FIRST_PAUSE: Duration = Duration::from_secs(10);

/// Maximum delay between two attempts at a transcription, also if the recogniser requests more.
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);

/// Maximum number of attempts at a delivery: one, and one after each delay of the schedule.
pub const DELIVERY_ATTEMPTS: u32 = 10;

/// Delays after each failed attempt at a delivery, in seconds. The schedule is recommended by the Standard Webhooks
/// specification and lasts a little over three days (5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h).
const DELIVERY_PAUSES: [u64; DELIVERY_ATTEMPTS as usize - 1] =
    [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// Maximum delay that an endpoint may request.
const LONGEST_ASKED: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum jitter as a share of the delay, so that entries that failed together aren't retried together.
const JITTER: f64 = 0.2;

/// Returns the delay after the `attempts`th failed attempt at a transcription, counted from 1. At least `retry_after` of the
/// recogniser, up to an hour.
pub fn transcription(attempts: u32, retry_after: Option<Duration>, random: f64) -> TimeDelta {
    let doubled = FIRST_PAUSE.saturating_mul(1_u32.checked_shl(attempts.saturating_sub(1)).unwrap_or(u32::MAX));
    pause(doubled.min(LONGEST_PAUSE), retry_after, LONGEST_PAUSE, random)
}

/// Returns the delay after the `attempts`th failed attempt at a delivery, counted from 1; `None` after the last. At least
/// `retry_after` of the endpoint, up to a day.
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

    /// Middle of the jitter.
    const MIDDLE: f64 = 0.5;

    #[test]
    fn transcription_delay_doubles_up_to_an_hour() {
        let seconds = |attempts| transcription(attempts, None, MIDDLE).num_seconds();
        let pauses: Vec<_> = (1..=11).map(seconds).collect();
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
        // Ten attempts have nine delays between them; the documentation states their sum.
        assert_eq!(pauses[..9].iter().sum::<i64>() / 60, 85);
        // Values as in a store that was tampered with.
        assert_eq!((seconds(0), seconds(33), seconds(u32::MAX)), (10, 3_600, 3_600));
    }

    #[test]
    fn deliveries_have_ten_attempts_over_three_days() {
        let pauses: Vec<_> = (1..).map_while(|attempts| delivery(attempts, None, MIDDLE)).collect();
        assert_eq!(pauses.len(), 9);
        assert_eq!(pauses.iter().sum::<TimeDelta>(), TimeDelta::seconds(((75 * 60) + 35) * 60 + 5));
        assert!(pauses.is_sorted());
        assert_eq!(delivery(10, Some(Duration::from_secs(1)), MIDDLE), None);
    }

    #[test]
    fn jitter_is_at_most_a_fifth() {
        let seconds = |random| transcription(1, None, random).num_milliseconds();
        assert_eq!((seconds(0.0), seconds(0.25), seconds(1.0)), (8_000, 9_000, 12_000));
        assert_eq!(delivery(1, None, 0.0), Some(TimeDelta::seconds(4)));
    }

    #[test]
    fn requested_delays_are_bounded() {
        let hours = |hours: u64| Some(Duration::from_secs(hours * 3_600));
        let asked = Some(Duration::from_secs(90));
        assert_eq!(transcription(1, asked, MIDDLE), TimeDelta::seconds(90));
        assert_eq!(transcription(7, asked, MIDDLE), TimeDelta::seconds(640), "less than the usual pause");
        assert_eq!(transcription(1, hours(5), MIDDLE), TimeDelta::hours(1));
        assert_eq!(delivery(2, hours(5), MIDDLE), Some(TimeDelta::hours(5)));
        assert_eq!(delivery(2, hours(500), MIDDLE), Some(TimeDelta::hours(24)));
    }
}
