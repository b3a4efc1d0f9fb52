//! The recogniser of this process, once it is there.
//!
//! A model takes a while to load and may be missing; everything else works without it. It is loaded when first asked
//! for, and looked for again while it is missing, so that a model that is brought later is used without a restart.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use leadscribe_engine::api::{RecognizerState, SpeechEngine};
use leadscribe_engine::message::work;

use super::Recognizer;

/// How long after a failed load the next is tried.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// Why there is no recogniser: what is missing, and the command or option that brings it. For staff and operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Missing(pub String);

/// Loads the recogniser. Blocks.
type Load = dyn Fn() -> Result<Arc<dyn Recognizer>, Missing> + Send + Sync;

/// Gives the recogniser.
#[derive(Clone)]
pub struct Provider(Arc<Source>);

enum Source {
    /// Other processes transcribe, or nobody does.
    None(RecognizerState),
    /// This one does.
    Here { load: Box<Load>, state: Mutex<State>, turn: tokio::sync::Mutex<()> },
}

enum State {
    Loading,
    Ready(Arc<dyn Recognizer>),
    Missing(Missing, Instant),
}

impl Provider {
    /// A recogniser that is loaded when it is first asked for.
    pub fn loading(load: impl Fn() -> Result<Arc<dyn Recognizer>, Missing> + Send + Sync + 'static) -> Self {
        let state = Mutex::new(State::Loading);
        Self(Arc::new(Source::Here { load: Box::new(load), state, turn: tokio::sync::Mutex::default() }))
    }

    /// For a process that doesn't transcribe.
    pub fn elsewhere() -> Self {
        Self(Arc::new(Source::None(RecognizerState::Elsewhere)))
    }

    /// For an installation that doesn't transcribe.
    pub fn off() -> Self {
        Self(Arc::new(Source::None(RecognizerState::Off)))
    }

    /// The recogniser; loads it if need be, once at a time. None while there is none.
    pub async fn get(&self) -> Option<Arc<dyn Recognizer>> {
        let Source::Here { state, turn, .. } = &*self.0 else { return None };
        let _turn = turn.lock().await;
        match &*lock(state) {
            State::Ready(recognizer) => return Some(Arc::clone(recognizer)),
            State::Missing(_, since) if since.elapsed() < LOOK_AGAIN => return None,
            State::Loading | State::Missing(..) => {}
        }
        let source = Arc::clone(&self.0);
        let loaded = tokio::task::spawn_blocking(move || match &*source {
            Source::Here { load, .. } => load(),
            Source::None(_) => Err(Missing(work::transcribes_not().to_string())),
        });
        let loaded = loaded.await.unwrap_or_else(|_| Err(Missing(work::recogniser_not_loaded().to_string())));
        let mut state = lock(state);
        match loaded {
            Ok(recognizer) => {
                let SpeechEngine { name, model } = recognizer.engine();
                tracing::info!(engine = name, model, "the recogniser is ready");
                *state = State::Ready(Arc::clone(&recognizer));
                Some(recognizer)
            }
            Err(missing) => {
                // Once, and not at every look.
                if !matches!(&*state, State::Missing(known, _) if *known == missing) {
                    tracing::warn!(missing = %missing, "recordings can't be transcribed; what is sent waits");
                }
                *state = State::Missing(missing, Instant::now());
                None
            }
        }
    }

    /// Whether recordings can be transcribed, with what, and what is missing.
    pub fn status(&self) -> (RecognizerState, Option<SpeechEngine>, Option<String>) {
        match &*self.0 {
            Source::None(state) => (*state, None, None),
            Source::Here { state, .. } => match &*lock(state) {
                State::Loading => (RecognizerState::Loading, None, None),
                State::Ready(recognizer) => (RecognizerState::Ready, Some(recognizer.engine()), None),
                State::Missing(missing, _) => (RecognizerState::Missing, None, Some(missing.to_string())),
            },
        }
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Provider").field(&self.status().0).finish()
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
