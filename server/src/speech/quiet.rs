//! Threads that yield to requests.

use std::io;
use std::thread;

use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

/// A niceness of 10, on the scale of the library from 0 to 99. On a full machine such a thread gets a tenth of what a
/// request gets: so requests are answered first, however much there is to recognise, and yet recognition goes on beside
/// other programs. The lowest priority would stand still.
const PRIORITY: u8 = 22;

/// Starts a thread with a low priority. The threads that it starts have it too.
///
/// # Errors
/// The system gives no more threads.
pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let quietly = move || {
        let priority =
            ThreadPriorityValue::try_from(PRIORITY).map_or(ThreadPriority::Min, ThreadPriority::Crossplatform);
        if let Err(error) = set_current_thread_priority(priority) {
            tracing::warn!(?error, "the priority of recognition can't be lowered");
        }
        work();
    };
    thread::Builder::new().name(name.to_owned()).spawn(quietly).map(drop)
}
