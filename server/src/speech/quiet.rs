//! Threads that yield to requests.

use std::io;
use std::thread;

use thread_priority::{ThreadPriority, set_current_thread_priority};

/// Starts a thread with the lowest priority, so that requests are answered first however much there is to recognise.
/// The threads that it starts have it too.
///
/// # Errors
/// The system gives no more threads.
pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let quietly = move || {
        if let Err(error) = set_current_thread_priority(ThreadPriority::Min) {
            tracing::warn!(?error, "the priority of recognition can't be lowered");
        }
        work();
    };
    thread::Builder::new().name(name.to_owned()).spawn(quietly).map(drop)
}
