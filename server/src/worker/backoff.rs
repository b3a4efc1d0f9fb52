//! Delays between attempts. The functions are pure: the caller passes a random number from 0 to 1.

use std::time::Duration;

use chrono::TimeDelta;

/// Delay after the first failed attempt at a transcription. Doubles with each further attempt.
const INITIAL_TRANSCRIPTION_DELAY: Duration = Duration::from_secs(10);

/// Maximum delay between two attempts at a transcription, even if the recognizer requests more.
const MAX_TRANSCRIPTION_DELAY: Duration = Duration::from_secs(60 * 60);

/// Maximum number of attempts at a delivery: one, and one after each delay of the schedule.
pub const MAX_DELIVERY_ATTEMPTS: u32 = 10;

/// Delays after each failed attempt at a delivery, in seconds. The schedule is recommended by the Standard Webhooks
/// specification and lasts a little over three days (5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h).
const DELIVERY_DELAYS_SECONDS: [u64; MAX_DELIVERY_ATTEMPTS as usize - 1] =
    [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// Maximum delay that an endpoint may request.
const MAX_REQUESTED_DELAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum jitter as a share of the delay, so that entries that failed together aren't retried together.
const JITTER: f64 = 0.2;

/// Returns the delay after the `attempts`th failed attempt at a transcription, counted from 1. At least `retry_after` of the
/// recognizer, up to an hour.
pub fn transcription_delay(attempts: u32, retry_after: Option<Duration>, random: f64) -> TimeDelta {
    let doubled =
        INITIAL_TRANSCRIPTION_DELAY.saturating_mul(1_u32.checked_shl(attempts.saturating_sub(1)).unwrap_or(u32::MAX));
    delay(doubled.min(MAX_TRANSCRIPTION_DELAY), retry_after, MAX_TRANSCRIPTION_DELAY, random)
}

/// Returns the delay after the `attempts`th failed attempt at a delivery, counted from 1; `None` after the last. At least
/// `retry_after` of the endpoint, up to a day.
pub fn delivery_delay(attempts: u32, retry_after: Option<Duration>, random: f64) -> Option<TimeDelta> {
    let seconds = DELIVERY_DELAYS_SECONDS.get(attempts.saturating_sub(1) as usize)?;
    Some(delay(Duration::from_secs(*seconds), retry_after, MAX_REQUESTED_DELAY, random))
}

fn delay(base_delay: Duration, retry_after: Option<Duration>, max_retry_after: Duration, random: f64) -> TimeDelta {
    let jittered = base_delay.mul_f64(1.0 + JITTER * (2.0 * random.clamp(0.0, 1.0) - 1.0));
    let delay = jittered.max(retry_after.unwrap_or_default().min(max_retry_after));
    TimeDelta::from_std(delay).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random number for which the jitter is zero.
    const NO_JITTER: f64 = 0.5;

    #[test]
    fn transcription_delay_doubles_up_to_an_hour() {
        let seconds = |attempts| transcription_delay(attempts, None, NO_JITTER).num_seconds();
        let delays: Vec<_> = (1..=11).map(seconds).collect();
        assert_eq!(delays, [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
        // Ten attempts have nine delays between them; the documentation states their sum.
        assert_eq!(delays[..9].iter().sum::<i64>() / 60, 85);
        // Values as in a store that was tampered with.
        assert_eq!((seconds(0), seconds(33), seconds(u32::MAX)), (10, 3_600, 3_600));
    }

    #[test]
    fn deliveries_have_ten_attempts_over_three_days() {
        let delays: Vec<_> = (1..).map_while(|attempts| delivery_delay(attempts, None, NO_JITTER)).collect();
        assert_eq!(delays.len(), 9);
        assert_eq!(delays.iter().sum::<TimeDelta>(), TimeDelta::seconds(((75 * 60) + 35) * 60 + 5));
        assert!(delays.is_sorted());
        assert_eq!(delivery_delay(10, Some(Duration::from_secs(1)), NO_JITTER), None);
    }

    #[test]
    fn jitter_is_at_most_a_fifth() {
        let millis = |random| transcription_delay(1, None, random).num_milliseconds();
        assert_eq!((millis(0.0), millis(0.25), millis(1.0)), (8_000, 9_000, 12_000));
        assert_eq!(delivery_delay(1, None, 0.0), Some(TimeDelta::seconds(4)));
    }

    #[test]
    fn requested_delays_are_bounded() {
        let hours = |hours: u64| Some(Duration::from_secs(hours * 3_600));
        let requested = Some(Duration::from_secs(90));
        assert_eq!(transcription_delay(1, requested, NO_JITTER), TimeDelta::seconds(90));
        assert_eq!(transcription_delay(7, requested, NO_JITTER), TimeDelta::seconds(640), "the normal delay is longer");
        assert_eq!(transcription_delay(1, hours(5), NO_JITTER), TimeDelta::hours(1));
        assert_eq!(delivery_delay(2, hours(5), NO_JITTER), Some(TimeDelta::hours(5)));
        assert_eq!(delivery_delay(2, hours(500), NO_JITTER), Some(TimeDelta::hours(24)));
    }
}
