//! Cache for figures that may be slow to compute. Only one computation runs at a time, and slow results are cached for a while.
//!
//! A separate task computes the value: the store finishes a count even if the client disconnects, so the lock must be held
//! until then. Otherwise clients that disconnect could start many counts at the same time.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

/// Results computed faster than this are not cached.
const QUICK: Duration = Duration::from_millis(250);

/// Factor between the time to compute a value and the time to cache it: computing takes at most a twentieth of the time.
const TIMES: u32 = 20;

/// Maximum time to cache a value.
const LONGEST: Duration = Duration::from_secs(60);

/// The latest value and its key.
#[derive(Debug)]
pub struct Kept<K, T>(Arc<Mutex<Option<Picture<K, T>>>>);

#[derive(Debug)]
struct Picture<K, T> {
    of: K,
    until: Instant,
    picture: Arc<T>,
}

impl<K, T> Default for Kept<K, T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: PartialEq + Send + 'static, T: Send + Sync + 'static> Kept<K, T> {
    /// Returns the cached value for this key, or computes it. Concurrent callers wait and receive the same value if it is cached.
    ///
    /// # Errors
    /// The error of `make`.
    pub async fn get<E: Send + 'static>(
        &self,
        of: K,
        make: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<Arc<T>, E> {
        let mut kept = self.0.clone().lock_owned().await;
        if let Some(known) = kept.as_ref().filter(|known| known.of == of && Instant::now() < known.until) {
            return Ok(Arc::clone(&known.picture));
        }
        let making = tokio::spawn(async move {
            let begun = Instant::now();
            let picture = Arc::new(make.await?);
            let made = Instant::now();
            let until = made + kept_for(made.duration_since(begun));
            *kept = Some(Picture { of, until, picture: Arc::clone(&picture) });
            Ok(picture)
        });
        making.await.unwrap_or_else(|error| resume_unwind(error.into_panic()))
    }
}

/// Returns the time to cache a value that took `took` to compute.
fn kept_for(took: Duration) -> Duration {
    if took < QUICK { Duration::ZERO } else { took.saturating_mul(TIMES).min(LONGEST) }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::FutureExt;

    use super::*;

    #[test]
    fn slow_results_are_cached_for_longer() {
        let kept = [249, 250, 1_000, 3_000, 60_000].map(|took| kept_for(Duration::from_millis(took)).as_secs());
        assert_eq!(kept, [0, 5, 20, 60, 60]);
    }

    #[tokio::test]
    async fn slow_results_are_cached_by_key() {
        let kept = Kept::default();
        let make = async |of: u32, number: u32, takes: Duration| {
            let made = kept.get(of, async move {
                tokio::time::sleep(takes).await;
                Ok::<_, Infallible>(number)
            });
            *made.await.unwrap()
        };
        assert_eq!(make(1, 1, Duration::ZERO).await, 1);
        assert_eq!(make(1, 2, QUICK).await, 2, "what was quick is made anew");
        assert_eq!(make(1, 3, Duration::ZERO).await, 2);
        assert_eq!(make(2, 4, Duration::ZERO).await, 4, "of something else");
        assert_eq!(make(1, 5, Duration::ZERO).await, 5);
    }

    #[tokio::test]
    async fn disconnected_clients_cause_one_computation_at_a_time() {
        let (kept, begun) = (Kept::default(), Arc::new(AtomicUsize::new(0)));
        let (finish, wait) = tokio::sync::watch::channel(false);
        for _ in 0..12 {
            let (begun, mut wait) = (begun.clone(), wait.clone());
            let mut client = Box::pin(kept.get((), async move {
                begun.fetch_add(1, Ordering::SeqCst);
                wait.wait_for(|finished| *finished).await.unwrap();
                Ok::<_, Infallible>(())
            }));
            assert!((&mut client).now_or_never().is_none());
            drop(client);
            tokio::task::yield_now().await;
        }
        assert_eq!(begun.load(Ordering::SeqCst), 1);
        finish.send(true).unwrap();
        *kept.get((), async { Ok::<_, Infallible>(()) }).await.unwrap();
    }
}
