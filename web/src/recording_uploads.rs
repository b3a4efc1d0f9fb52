//! Uploads recordings to the calls of an import one by one, after its rows are imported.

use std::time::Duration;

use js_sys::Promise;
use leadscribe_engine::api::{Call, ImportId, ImportState, RecordingState};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use crate::api::{Answer, Api, ApiError, Stopper};
use crate::texts::imports;

/// Interval between checks whether the rows are imported.
const POLL: Duration = Duration::from_secs(1);

/// Maximum number of attempts for a recording after lost connections.
const TRIES: u32 = 3;

/// A file of the user's folder that is the recording of a call.
#[derive(Clone)]
pub struct Recording {
    /// The call's identifier in the source system.
    pub identifier: String,
    pub path: String,
    pub file: File,
}

/// Recordings from the user's folder.
#[derive(Clone, Default)]
pub struct Chosen {
    /// Files that match a call.
    pub recordings: Vec<Recording>,
    /// Files that can't be uploaded although they belong to calls, each with the reason.
    pub left: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Until the rows are imported.
    Waiting,
    Running,
    Over,
    /// The user stopped the upload or the import.
    Stopped,
}

/// Progress of the upload.
#[derive(Clone, Debug, PartialEq)]
pub struct Uploading {
    pub stage: Stage,
    /// Number of recordings that the server has.
    pub kept: u64,
    pub total: u64,
    /// Share of the bytes that are uploaded.
    pub percent: u64,
    /// Reason why the upload is paused.
    pub held_up: Option<String>,
    /// Files that failed, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// Uploads of a page. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct RecordingUploads {
    state: RwSignal<Option<Uploading>>,
    /// Number of the current run: a stopped run may still be waiting when the next one starts.
    run: StoredValue<u32>,
    stopper: StoredValue<Option<Stopper>, LocalStorage>,
}

impl RecordingUploads {
    pub fn new() -> Self {
        Self { state: RwSignal::new(None), run: StoredValue::new(0), stopper: StoredValue::new_local(None) }
    }

    /// Progress of the current run; `None` if there was nothing to upload.
    pub fn get(self) -> Option<Uploading> {
        self.state.get()
    }

    pub fn is_busy(self) -> bool {
        self.state.with(is_busy)
    }

    /// Stops the upload. Recordings that the server has are kept.
    pub fn stop(self) {
        self.change(|now| (now.stage, now.held_up) = (Stage::Stopped, None));
        if let Some(stopper) = self.stopper.try_get_value().flatten() {
            stopper.stop();
        }
    }

    /// Starts the upload; it waits until the import has ended. Does nothing if an upload is running.
    pub fn start(self, api: Api, import: ImportId, chosen: Chosen) {
        let Chosen { recordings, left } = chosen;
        if untrack(|| self.is_busy()) {
            return;
        }
        if recordings.is_empty() && left.is_empty() {
            self.state.set(None);
            return;
        }
        let total = recordings.len() as u64;
        let now = Uploading { stage: Stage::Waiting, kept: 0, total, percent: 0, held_up: None, failed: left };
        self.state.set(Some(now));
        self.stopper.set_value(Stopper::new());
        self.run.update_value(|run| *run += 1);
        let run = Run { uploads: self, number: self.run.get_value() };
        spawn_local(async move {
            run.upload(api, import, recordings).await;
        });
    }

    fn change(self, change: impl FnOnce(&mut Uploading)) {
        // The page may have been closed.
        _ = self.state.try_update(|state| state.as_mut().filter(|now| is_going(now.stage)).map(change));
    }
}

/// One run of uploads after an import.
#[derive(Clone, Copy)]
struct Run {
    uploads: RecordingUploads,
    number: u32,
}

impl Run {
    async fn upload(self, api: Api, import: ImportId, recordings: Vec<Recording>) {
        let mut state = ImportState::Running;
        while state == ImportState::Running && self.goes_on() {
            pause(POLL).await;
            state = match api.import(import).await {
                Ok(import) => import.state,
                Err(error) if self.waits(&error).await => ImportState::Running,
                Err(_) => ImportState::Failed,
            };
        }
        let stage = if state == ImportState::Completed { Stage::Running } else { Stage::Stopped };
        self.change(|now| now.stage = stage);
        let bytes: f64 = recordings.iter().map(|recording| recording.file.size()).sum();
        let mut sent = 0.0;
        for recording in recordings {
            if !self.goes_on() {
                return;
            }
            let size = recording.file.size();
            let progress = move |part: f64| {
                self.change(|now| now.percent = ((sent + part * size) / bytes * 100.0) as u64);
            };
            match self.send(api, &recording, progress).await {
                Ok(Some(())) => self.change(|now| now.kept += 1),
                Ok(None) => return,
                Err(why) => self.change(|now| now.failed.push((recording.path, why))),
            }
            sent += size;
        }
        self.change(|now| (now.stage, now.percent) = (Stage::Over, 100));
    }

    /// Uploads one recording; `None` if the upload was stopped.
    async fn send(
        self,
        api: Api,
        recording: &Recording,
        progress: impl Fn(f64) + Copy + 'static,
    ) -> Result<Option<()>, String> {
        let mut lost = 0;
        loop {
            let error = match self.send_once(api, recording, progress).await {
                Ok(Sent::Kept) => return Ok(Some(())),
                Ok(Sent::NoCall) => return Err(imports::no_call_of_it().to_owned()),
                Ok(Sent::Stopped) => return Ok(None),
                Err(error) => error,
            };
            // The file itself may break the connection, so attempts are limited. Looking up the call waits until the server can
            // be reached again.
            lost += u32::from(error == ApiError::Offline);
            if lost == TRIES || !self.waits(&error).await {
                return Err(error.advice());
            }
        }
    }

    /// Waits for the retry delay of the server. Returns whether to retry: false if a retry can't help or the upload was stopped.
    async fn waits(self, error: &ApiError) -> bool {
        let Some(rest) = error.cured_in() else { return false };
        self.change(|now| now.held_up = Some(error.title()));
        pause(rest).await;
        self.change(|now| now.held_up = None);
        self.goes_on()
    }

    async fn send_once(self, api: Api, recording: &Recording, progress: impl Fn(f64) + 'static) -> Answer<Sent> {
        let Some(call) = api.call_known_by(&recording.identifier).await? else { return Ok(Sent::NoCall) };
        if has(&call, &recording.file) {
            return Ok(Sent::Kept);
        }
        let stopper = self.uploads.stopper.try_get_value().flatten();
        let sent = api.upload_recording(call.id, &recording.file, progress, stopper.as_ref()).await?;
        Ok(if sent.is_some() { Sent::Kept } else { Sent::Stopped })
    }

    /// True if the run wasn't stopped or replaced, and the page is open.
    fn goes_on(self) -> bool {
        self.is_current() && self.uploads.state.try_with_untracked(is_busy) == Some(true)
    }

    fn change(self, change: impl FnOnce(&mut Uploading)) {
        if self.is_current() {
            self.uploads.change(change);
        }
    }

    fn is_current(self) -> bool {
        self.uploads.run.try_get_value() == Some(self.number)
    }
}

/// Result of an upload attempt.
enum Sent {
    Kept,
    NoCall,
    Stopped,
}

fn is_busy(state: &Option<Uploading>) -> bool {
    state.as_ref().is_some_and(|now| is_going(now.stage))
}

fn is_going(stage: Stage) -> bool {
    matches!(stage, Stage::Waiting | Stage::Running)
}

/// True if the call already has a recording of this size, from an earlier run.
fn has(call: &Call, file: &File) -> bool {
    call.recording.state == RecordingState::Ready
        && call.recording.bytes.is_some_and(|bytes| bytes as f64 == file.size())
}

async fn pause(length: Duration) {
    let over = Promise::new(&mut |resolve, _| set_timeout(move || _ = resolve.call0(&JsValue::NULL), length));
    // The promise is never rejected.
    _ = JsFuture::from(over).await;
}
