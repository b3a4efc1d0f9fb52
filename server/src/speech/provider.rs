//! Loads and provides the recognizer of this process.
//!
//! A model takes a while to load and may be missing; everything else works without it. The model is loaded on first use. If
//! it is missing, loading is retried, so that a model added later is used without a restart.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use leadscribe_engine::api::{RecognizerState, SpeechEngine};
use leadscribe_engine::diagnostic::{Message, work};

use super::Recognizer;

/// Delay before a failed load is retried.
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// Reason why there is no recognizer, with the command or option that fixes it. For staff and operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", command.as_ref().map(|command| format!("; {}: {command}", work::install_with())).unwrap_or_default())]
pub struct MissingRecognizer {
    /// Message about the missing component.
    pub message: Message,
    /// Command that installs it.
    pub command: Option<String>,
}

impl From<Message> for MissingRecognizer {
    fn from(message: Message) -> Self {
        Self { message, command: None }
    }
}

/// Loads the recognizer. Blocks.
type LoadFn = dyn Fn() -> Result<Arc<dyn Recognizer>, MissingRecognizer> + Send + Sync;

/// Shared handle to the recognizer.
#[derive(Clone)]
pub struct RecognizerProvider(Arc<ProviderKind>);

enum ProviderKind {
    /// This process doesn't transcribe.
    Unavailable(RecognizerState),
    /// This process transcribes.
    Local { load: Box<LoadFn>, state: Mutex<State>, load_lock: tokio::sync::Mutex<()> },
}

enum State {
    Loading,
    Ready(Arc<dyn Recognizer>),
    Missing(MissingRecognizer, Instant),
}

impl RecognizerProvider {
    /// Creates a provider that loads the recognizer on first use.
    pub fn lazy(load: impl Fn() -> Result<Arc<dyn Recognizer>, MissingRecognizer> + Send + Sync + 'static) -> Self {
        let state = Mutex::new(State::Loading);
        Self(Arc::new(ProviderKind::Local { load: Box::new(load), state, load_lock: tokio::sync::Mutex::default() }))
    }

    /// Creates a provider for a process that doesn't transcribe.
    pub fn other_process() -> Self {
        Self(Arc::new(ProviderKind::Unavailable(RecognizerState::OtherProcess)))
    }

    /// Creates a provider for an installation that doesn't transcribe.
    pub fn off() -> Self {
        Self(Arc::new(ProviderKind::Unavailable(RecognizerState::Off)))
    }

    /// Returns the recognizer, loading it if necessary. Only one load runs at a time. `None` if it isn't available.
    pub async fn get(&self) -> Option<Arc<dyn Recognizer>> {
        let ProviderKind::Local { state, load_lock, .. } = &*self.0 else { return None };
        let _load_guard = load_lock.lock().await;
        match &*lock(state) {
            State::Ready(recognizer) => return Some(Arc::clone(recognizer)),
            State::Missing(_, since) if since.elapsed() < RETRY_DELAY => return None,
            State::Loading | State::Missing(..) => {}
        }
        let source = Arc::clone(&self.0);
        let loaded = tokio::task::spawn_blocking(move || match &*source {
            ProviderKind::Local { load, .. } => load(),
            ProviderKind::Unavailable(_) => Err(work::transcription_disabled().into()),
        });
        let loaded = loaded.await.unwrap_or_else(|_| Err(work::recognizer_not_loaded().into()));
        let mut state = lock(state);
        match loaded {
            Ok(recognizer) => {
                let SpeechEngine { name, model } = recognizer.engine();
                tracing::info!(engine = name, model, "recognizer is ready");
                *state = State::Ready(Arc::clone(&recognizer));
                Some(recognizer)
            }
            Err(missing) => {
                // Log a missing model once, not at every retry.
                if !matches!(&*state, State::Missing(known, _) if *known == missing) {
                    tracing::warn!(reason = %missing, "recognizer is unavailable; submitted calls wait");
                }
                *state = State::Missing(missing, Instant::now());
                None
            }
        }
    }

    /// Returns the state, the engine if it is loaded, and the reason if it is missing.
    pub fn status(&self) -> (RecognizerState, Option<SpeechEngine>, Option<MissingRecognizer>) {
        match &*self.0 {
            ProviderKind::Unavailable(state) => (*state, None, None),
            ProviderKind::Local { state, .. } => match &*lock(state) {
                State::Loading => (RecognizerState::Loading, None, None),
                State::Ready(recognizer) => (RecognizerState::Ready, Some(recognizer.engine()), None),
                State::Missing(missing, _) => (RecognizerState::Missing, None, Some(missing.clone())),
            },
        }
    }
}

impl fmt::Debug for RecognizerProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RecognizerProvider").field(&self.status().0).finish()
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
