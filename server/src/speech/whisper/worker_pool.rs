//! Worker threads for Whisper.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;
use whisper_rs::{WhisperContext, WhisperState};

use super::run::{self, RunContext};
use crate::low_priority;
use crate::speech::{RecognizeError, RecognizedSegment, Samples};

/// Destination of a result, and whether it is still wanted.
#[derive(Debug)]
pub(super) struct Responder<T> {
    sender: oneshot::Sender<Result<T, RecognizeError>>,
    cancelled: Arc<AtomicBool>,
}

/// A job for a worker thread.
#[derive(Debug)]
pub(super) enum Job {
    /// Recognizes the words of a piece.
    Recognize { speech: Samples, code: String, without_spaces: bool, responder: Responder<Vec<RecognizedSegment>> },
    /// Determines the probability of each language.
    DetectLanguage { speech: Samples, codes: Vec<String>, responder: Responder<Vec<f32>> },
}

/// Worker threads, each with one job at a time. They end when this value is dropped and all jobs are done.
#[derive(Debug)]
pub(super) struct WorkerPool(Sender<Job>);

impl WorkerPool {
    /// Starts `count` threads. In each of them Whisper uses `threads` threads.
    pub(super) fn start(context: &Arc<WhisperContext>, count: usize, threads: usize) -> io::Result<Self> {
        let (sender, receiver) = channel();
        let jobs = Arc::new(Mutex::new(receiver));
        for _ in 0..count {
            let (context, jobs) = (Arc::clone(context), Arc::clone(&jobs));
            low_priority::spawn("recognizer", move || Worker { context, threads, state: None }.run(&jobs))?;
        }
        Ok(Self(sender))
    }

    /// Runs a job. Dropping the future cancels the job.
    pub(super) async fn run<T>(&self, job: impl FnOnce(Responder<T>) -> Job) -> Result<T, RecognizeError> {
        let (sender, result) = oneshot::channel();
        let cancel = CancelOnDrop(Arc::default());
        let pool_ended = |_| unavailable("its threads have ended");
        self.0.send(job(Responder { sender, cancelled: Arc::clone(&cancel.0) })).map_err(|_| pool_ended(()))?;
        result.await.map_err(|_| pool_ended(()))?
    }
}

struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// State of a worker thread.
struct Worker {
    context: Arc<WhisperContext>,
    threads: usize,
    /// Memory of a recognition, reused for the next one.
    state: Option<WhisperState>,
}

impl Worker {
    fn run(mut self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            match job {
                Ok(Job::Recognize { speech, code, without_spaces, responder }) => {
                    let language = run::Language { code: &code, without_spaces };
                    self.execute(responder, |context| context.recognize(&speech, language));
                }
                Ok(Job::DetectLanguage { speech, codes, responder }) => {
                    // Start with a new state, because a state remembers how much of a piece the last recognition processed.
                    self.state = None;
                    self.execute(responder, |context| context.language_probabilities(&speech, &codes));
                }
                Err(_) => return,
            }
        }
    }

    fn execute<T>(
        &mut self,
        responder: Responder<T>,
        work: impl FnOnce(&mut RunContext<'_>) -> Result<T, run::RunError>,
    ) {
        let Responder { sender, cancelled } = responder;
        if cancelled.load(Ordering::Relaxed) {
            return;
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut state = match self.state.take() {
                Some(state) => state,
                None => self.context.create_state().map_err(run::RunError::from)?,
            };
            let end_of_text = self.context.token_eot();
            let threads = self.threads;
            let value = work(&mut RunContext { state: &mut state, threads, end_of_text, cancelled: &cancelled })?;
            // After a failure the state is undefined and isn't reused.
            self.state = Some(state);
            Ok(value)
        }));
        let result = match outcome {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(run::RunError(error))) => Err(unavailable(&format!("whisper.cpp failed: {error}"))),
            Err(_) => Err(unavailable("a recognition panicked")),
        };
        // An error means that the receiver was dropped.
        let _ = sender.send(result);
    }
}

fn unavailable(detail: &str) -> RecognizeError {
    RecognizeError::Unavailable { detail: detail.to_owned(), retry_after: None }
}
