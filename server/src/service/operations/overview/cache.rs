//! Cache for figures that may be slow to compute. Only one computation runs at a time, and slow results are cached for a while.
//!
//! A separate task computes the value: the store finishes a count even if the client disconnects, so the lock must be held
//! until then. Otherwise clients that disconnect could start many counts at the same time.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

/// Results computed faster than this are not cached.
const MIN_CACHED_COMPUTE_TIME: Duration = Duration::from_millis(250);

/// Factor between the time to compute a value and the time to cache it: computing takes at most a twentieth of the time.
const CACHE_TIME_FACTOR: u32 = 20;

/// Maximum time to cache a value.
const MAX_CACHE_DURATION: Duration = Duration::from_secs(60);

/// The latest value and its key.
#[derive(Debug)]
pub struct LatestValueCache<K, T>(Arc<Mutex<Option<CachedValue<K, T>>>>);

#[derive(Debug)]
struct CachedValue<K, T> {
    key: K,
    expires_at: Instant,
    value: Arc<T>,
}

impl<K, T> Default for LatestValueCache<K, T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: PartialEq + Send + 'static, T: Send + Sync + 'static> LatestValueCache<K, T> {
    /// Returns the cached value for this key, or computes it. Concurrent callers wait and receive the same value if it is cached.
    ///
    /// # Errors
    /// The error of `compute`.
    pub async fn get<E: Send + 'static>(
        &self,
        key: K,
        compute: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<Arc<T>, E> {
        let mut slot = self.0.clone().lock_owned().await;
        if let Some(cached) = slot.as_ref().filter(|cached| cached.key == key && Instant::now() < cached.expires_at) {
            return Ok(Arc::clone(&cached.value));
        }
        let task = tokio::spawn(async move {
            let started = Instant::now();
            let value = Arc::new(compute.await?);
            let finished = Instant::now();
            let expires_at = finished + cache_duration(finished.duration_since(started));
            *slot = Some(CachedValue { key, expires_at, value: Arc::clone(&value) });
            Ok(value)
        });
        task.await.unwrap_or_else(|error| resume_unwind(error.into_panic()))
    }
}

/// Returns the time to cache a value that took `compute_time` to compute.
fn cache_duration(compute_time: Duration) -> Duration {
    if compute_time < MIN_CACHED_COMPUTE_TIME {
        Duration::ZERO
    } else {
        compute_time.saturating_mul(CACHE_TIME_FACTOR).min(MAX_CACHE_DURATION)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::FutureExt;

    use super::*;

    #[test]
    fn slow_results_are_cached_for_longer() {
        let durations =
            [249, 250, 1_000, 3_000, 60_000].map(|took| cache_duration(Duration::from_millis(took)).as_secs());
        assert_eq!(durations, [0, 5, 20, 60, 60]);
    }

    #[tokio::test]
    async fn slow_results_are_cached_by_key() {
        let cache = LatestValueCache::default();
        let get = async |key: u32, number: u32, compute_time: Duration| {
            let value = cache.get(key, async move {
                tokio::time::sleep(compute_time).await;
                Ok::<_, Infallible>(number)
            });
            *value.await.unwrap()
        };
        assert_eq!(get(1, 1, Duration::ZERO).await, 1);
        assert_eq!(get(1, 2, MIN_CACHED_COMPUTE_TIME).await, 2, "a cheap value is computed again");
        assert_eq!(get(1, 3, Duration::ZERO).await, 2);
        assert_eq!(get(2, 4, Duration::ZERO).await, 4, "another key has its own value");
        assert_eq!(get(1, 5, Duration::ZERO).await, 5);
    }

    #[tokio::test]
    async fn disconnected_clients_cause_one_computation_at_a_time() {
        let (cache, computations) = (LatestValueCache::default(), Arc::new(AtomicUsize::new(0)));
        let (finish, wait) = tokio::sync::watch::channel(false);
        for _ in 0..12 {
            let (computations, mut wait) = (computations.clone(), wait.clone());
            let mut client = Box::pin(cache.get((), async move {
                computations.fetch_add(1, Ordering::SeqCst);
                wait.wait_for(|finished| *finished).await.unwrap();
                Ok::<_, Infallible>(())
            }));
            assert!((&mut client).now_or_never().is_none());
            drop(client);
            tokio::task::yield_now().await;
        }
        assert_eq!(computations.load(Ordering::SeqCst), 1);
        finish.send(true).unwrap();
        *cache.get((), async { Ok::<_, Infallible>(()) }).await.unwrap();
    }
}
