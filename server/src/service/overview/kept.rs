//! A picture of how things are, which is made by one at a time, and kept for a while where that takes long.
//!
//! It is made by a task of its own: what the store has begun to count goes on when the client goes away, so the lock must stay
//! until it ends. Otherwise clients that disconnect at once have many counts running.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

/// What is made so quickly is made anew each time.
const QUICK: Duration = Duration::from_millis(250);

/// How many times as long as it took to make a picture is kept: so making pictures takes a twentieth of the time at most.
const TIMES: u32 = 20;

/// Longest time for which a picture is kept.
const LONGEST: Duration = Duration::from_secs(60);

/// The picture that was made last, and what it is of.
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
    /// The picture of this, made now unless there is one that is kept. Whoever asks meanwhile waits, and gets it
    /// if it is kept.
    ///
    /// # Errors
    /// What `make` fails with.
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

/// For how long a picture is kept that took so long to make.
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
    fn what_takes_long_is_kept_for_longer() {
        let kept = [249, 250, 1_000, 3_000, 60_000].map(|took| kept_for(Duration::from_millis(took)).as_secs());
        assert_eq!(kept, [0, 5, 20, 60, 60]);
    }

    #[tokio::test]
    async fn a_picture_that_took_long_is_given_again_to_those_who_ask_for_the_same() {
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
    async fn clients_that_go_away_make_one_picture_at_a_time() {
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
