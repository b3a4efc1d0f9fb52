//! Uploads recordings to the calls of an import one by one, after its rows are imported.

use std::time::Duration;

use leadscribe_engine::api::{Call, ImportId, ImportState, RecordingState};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::{AbortController, File};

use crate::api::{Api, ApiError, ApiResult};
use crate::browser::scheduler::sleep;
use crate::i18n::texts::imports;

/// Interval between checks whether the rows are imported.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of attempts for a recording if each of them loses the connection.
const MAX_ATTEMPTS: u32 = 3;

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
pub struct SelectedRecordings {
    /// Files that match a call.
    pub recordings: Vec<Recording>,
    /// Files that can't be uploaded although they belong to calls, each with the reason.
    pub rejected: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadStage {
    /// The rows aren't imported yet.
    Waiting,
    Running,
    Finished,
    /// The user stopped the upload, or the import was cancelled or failed.
    Stopped,
}

#[derive(Clone, Debug, PartialEq)]
pub struct UploadProgress {
    pub stage: UploadStage,
    /// Number of recordings that the server has.
    pub uploaded: u64,
    pub total: u64,
    /// Share of the bytes that is uploaded, in percent.
    pub percent: u64,
    /// Reason why the upload is paused.
    pub pause_reason: Option<String>,
    /// Files that failed, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// Recording uploads that a page has started. A `Copy` handle.
#[derive(Clone, Copy, Default)]
pub struct RecordingUploads {
    progress: RwSignal<Option<UploadProgress>>,
    /// Number of the current run: a stopped run may still be waiting when the next one starts.
    run_number: StoredValue<u32>,
    abort_controller: StoredValue<Option<AbortController>, LocalStorage>,
}

impl RecordingUploads {
    /// Progress of the current run; `None` if there was nothing to upload.
    pub fn progress(self) -> Option<UploadProgress> {
        self.progress.get()
    }

    pub fn is_busy(self) -> bool {
        self.progress.with(is_busy)
    }

    /// Stops the upload. Recordings that the server has are kept.
    pub fn stop(self) {
        self.update(|progress| (progress.stage, progress.pause_reason) = (UploadStage::Stopped, None));
        if let Some(abort_controller) = self.abort_controller.try_get_value().flatten() {
            abort_controller.abort();
        }
    }

    /// Starts the upload; it waits until the import has ended. Does nothing if an upload is running.
    pub fn start(self, api: Api, import: ImportId, selected: SelectedRecordings) {
        let SelectedRecordings { recordings, rejected } = selected;
        if untrack(|| self.is_busy()) {
            return;
        }
        if recordings.is_empty() && rejected.is_empty() {
            self.progress.set(None);
            return;
        }
        let total = recordings.len() as u64;
        let initial = UploadProgress {
            stage: UploadStage::Waiting,
            uploaded: 0,
            total,
            percent: 0,
            pause_reason: None,
            failed: rejected,
        };
        self.progress.set(Some(initial));
        self.abort_controller.set_value(AbortController::new().ok());
        self.run_number.update_value(|run| *run += 1);
        let run = UploadRun { uploads: self, number: self.run_number.get_value() };
        spawn_local(async move {
            run.upload_all(api, import, recordings).await;
        });
    }

    fn update(self, update: impl FnOnce(&mut UploadProgress)) {
        // The page may have been closed.
        _ = self.progress.try_update(|state| state.as_mut().filter(|progress| is_active(progress.stage)).map(update));
    }
}

/// One run of uploads after an import.
#[derive(Clone, Copy)]
struct UploadRun {
    uploads: RecordingUploads,
    number: u32,
}

impl UploadRun {
    async fn upload_all(self, api: Api, import: ImportId, recordings: Vec<Recording>) {
        let mut state = ImportState::Running;
        while state == ImportState::Running && self.is_active() {
            sleep(POLL_INTERVAL).await;
            state = match api.import(import).await {
                Ok(import) => import.state,
                Err(error) if self.wait_for_retry(&error).await => ImportState::Running,
                Err(_) => ImportState::Failed,
            };
        }
        let stage = if state == ImportState::Completed { UploadStage::Running } else { UploadStage::Stopped };
        self.update(|progress_state| progress_state.stage = stage);
        let bytes: f64 = recordings.iter().map(|recording| recording.file.size()).sum();
        let mut bytes_sent = 0.0;
        for recording in recordings {
            if !self.is_active() {
                return;
            }
            let size = recording.file.size();
            let progress = move |fraction: f64| {
                self.update(|progress_state| {
                    progress_state.percent = ((bytes_sent + fraction * size) / bytes * 100.0) as u64
                });
            };
            match self.upload_with_retries(api, &recording, progress).await {
                Ok(Some(())) => self.update(|progress_state| progress_state.uploaded += 1),
                Ok(None) => return,
                Err(reason) => self.update(|progress_state| progress_state.failed.push((recording.path, reason))),
            }
            bytes_sent += size;
        }
        self.update(|progress_state| (progress_state.stage, progress_state.percent) = (UploadStage::Finished, 100));
    }

    /// Uploads one recording; `None` if the upload was stopped.
    async fn upload_with_retries(
        self,
        api: Api,
        recording: &Recording,
        progress: impl Fn(f64) + Copy + 'static,
    ) -> Result<Option<()>, String> {
        let mut connection_losses = 0;
        loop {
            let error = match self.upload_once(api, recording, progress).await {
                Ok(UploadOutcome::Stored) => return Ok(Some(())),
                Ok(UploadOutcome::NoCall) => return Err(imports::call_not_imported().to_owned()),
                Ok(UploadOutcome::Aborted) => return Ok(None),
                Err(error) => error,
            };
            // The file itself may break the connection, so attempts are limited. Looking up the call waits until the
            // server can be reached again.
            connection_losses += u32::from(error == ApiError::Offline);
            if connection_losses == MAX_ATTEMPTS || !self.wait_for_retry(&error).await {
                return Err(error.advice());
            }
        }
    }

    /// Waits for the retry delay of the server. Returns whether to retry: false if a retry can't help or the upload was
    /// stopped.
    async fn wait_for_retry(self, error: &ApiError) -> bool {
        let Some(delay) = error.retry_delay() else { return false };
        self.update(|progress| progress.pause_reason = Some(error.title()));
        sleep(delay).await;
        self.update(|progress| progress.pause_reason = None);
        self.is_active()
    }

    async fn upload_once(
        self,
        api: Api,
        recording: &Recording,
        progress: impl Fn(f64) + 'static,
    ) -> ApiResult<UploadOutcome> {
        let Some(call) = api.call_by_identifier(&recording.identifier).await? else { return Ok(UploadOutcome::NoCall) };
        if has_recording(&call, &recording.file) {
            return Ok(UploadOutcome::Stored);
        }
        let abort_controller = self.uploads.abort_controller.try_get_value().flatten();
        let response = api.upload_recording(call.id, &recording.file, progress, abort_controller.as_ref()).await?;
        Ok(if response.is_some() { UploadOutcome::Stored } else { UploadOutcome::Aborted })
    }

    /// True if the run wasn't stopped or replaced, and the page is open.
    fn is_active(self) -> bool {
        self.is_current() && self.uploads.progress.try_with_untracked(is_busy) == Some(true)
    }

    fn update(self, change: impl FnOnce(&mut UploadProgress)) {
        if self.is_current() {
            self.uploads.update(change);
        }
    }

    fn is_current(self) -> bool {
        self.uploads.run_number.try_get_value() == Some(self.number)
    }
}

/// Result of an upload attempt.
enum UploadOutcome {
    Stored,
    NoCall,
    Aborted,
}

fn is_busy(state: &Option<UploadProgress>) -> bool {
    state.as_ref().is_some_and(|progress| is_active(progress.stage))
}

fn is_active(stage: UploadStage) -> bool {
    matches!(stage, UploadStage::Waiting | UploadStage::Running)
}

/// True if the call already has a recording of this size, from an earlier run.
fn has_recording(call: &Call, file: &File) -> bool {
    call.recording.state == RecordingState::Ready
        && call.recording.bytes.is_some_and(|bytes| bytes as f64 == file.size())
}
