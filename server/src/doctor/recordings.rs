//! Checks of the recordings: missing files, owner, and files that the database doesn't reference.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use futures::TryStreamExt;
use leadscribe_engine::api::Timestamp;
use object_store::ObjectStore;

use super::{Finding, Setup, counted};
use crate::recording::{files, owner};
use crate::storage::survey::Rows;
use crate::storage::{InstallationId, RecordingKey};

const CHECK: &str = "recordings";

/// Minimum age of unreferenced files to be reported. Newer ones may belong to a running upload, and a running server deletes older ones.
const UNNAMED_KEPT: TimeDelta = TimeDelta::days(1);

/// Suffix of the waveform file next to a recording.
const OUTLINE: &str = ".outline";

/// Size and time of stored files, by name.
type Stored = BTreeMap<String, (u64, Timestamp)>;

pub(super) async fn check(setup: &Setup) -> Vec<Finding> {
    let is_bucket = setup.config.recordings.url != "none";
    let rows = match &setup.survey {
        Ok(Some(survey)) => survey.rows.as_ref(),
        _ => None,
    };
    let store = match (&setup.recordings, rows) {
        (Err(error), _) => {
            let remedy = "do what the message says; until then uploads and playback are refused";
            return vec![Finding::fault(CHECK, error.clone(), remedy)];
        }
        (Ok(None), Some(rows)) if !rows.recordings.is_empty() => {
            let found = format!("{} named, but their folder isn't there", named(rows));
            let remedy = "bring the folder recordings back into the data folder, from a backup if need be";
            return vec![Finding::fault(CHECK, found, remedy)];
        }
        (Ok(None), _) => return vec![Finding::ok(CHECK, "there are none yet")],
        (Ok(Some(store)), _) => store,
    };
    let Some(rows) = rows else {
        return vec![Finding::ok(CHECK, "the store answers; without the database nothing can be compared")];
    };
    let unreadable =
        |what| vec![Finding::fault(CHECK, what, "let the user or the key of the server read and list their store")];
    let Ok(owner) = owner::read(store).await else { return unreadable("their store can't be read") };
    if is_bucket && !setup.full {
        let found = format!("the bucket answers; {} named; --full looks at each", named(rows));
        return vec![Finding::ok(CHECK, found), owned(rows, owner, None)];
    }
    match list(&**store).await {
        Ok(stored) => {
            vec![present(rows, &stored), owned(rows, owner, Some(&stored)), unnamed(setup, rows, &stored)]
        }
        Err(_) => unreadable("their store can't be listed"),
    }
}

fn named(rows: &Rows) -> String {
    counted(rows.recordings.len() as u64, "recording is", "recordings are")
}

async fn list(store: &dyn ObjectStore) -> Result<Stored, object_store::Error> {
    let all = store.list(None).map_ok(|found| (String::from(found.location), (found.size, found.last_modified)));
    all.try_collect().await
}

fn present(rows: &Rows, stored: &Stored) -> Finding {
    let missing: Vec<_> = rows.recordings.iter().filter(|(key, _)| !stored.contains_key(&key.0)).collect();
    let other_size = |(key, bytes): &&(RecordingKey, Option<u64>)| {
        stored.get(&key.0).zip(*bytes).is_some_and(|((found, _), bytes)| *found != bytes)
    };
    let damaged: Vec<_> = rows.recordings.iter().filter(other_size).collect();
    let all = counted(rows.recordings.len() as u64, "recording", "recordings");
    let remedy = "bring them back from a backup; calls whose recording is gone for good can be given another";
    if let Some((first, _)) = missing.first() {
        let found = format!("{} of {all} missing, such as {}", missing.len(), first.0);
        return Finding::fault(CHECK, found, remedy);
    }
    if let Some((first, _)) = damaged.first() {
        let found = format!("{} of {all} of another size than when stored, such as {}", damaged.len(), first.0);
        return Finding::fault(CHECK, found, remedy);
    }
    Finding::ok(CHECK, format!("{} there", named(rows)))
}

/// Checks the owner: recordings of another installation are never deleted.
fn owned(rows: &Rows, owner: Option<InstallationId>, stored: Option<&Stored>) -> Finding {
    const CHECK: &str = "owner";
    let InstallationId(ours) = &rows.installation;
    let remedy = format!(
        "check the options of the database and of the recordings; if the two belong together, let {ours} be the first line of \
         {} beside the recordings",
        owner::NOTE
    );
    match (owner, stored) {
        (Some(owner), _) if owner == rows.installation => {
            Finding::ok(CHECK, "the recordings are those of this installation")
        }
        (Some(InstallationId(other)), _) => {
            let found = format!(
                "{} beside the recordings names the installation {other}, and the database is that of {ours}: none is taken away",
                owner::NOTE
            );
            Finding::fault(CHECK, found, remedy)
        }
        (None, Some(stored)) if !is_plain(rows, stored) => {
            Finding::fault(CHECK, "of most recordings the database names none: none is taken away", remedy)
        }
        (None, Some(_)) => Finding::ok(CHECK, "the first worker notes whose the recordings are"),
        (None, None) => {
            let found =
                format!("no note says whose the recordings are, and the database is that of {ours}; --full tells more");
            Finding::ok(CHECK, found)
        }
    }
}

fn is_plain(rows: &Rows, stored: &Stored) -> bool {
    let names = names(rows);
    let recordings: BTreeSet<_> = stored.keys().map(|name| recording(name)).filter(|name| is_ours(name)).collect();
    let (named, unnamed): (Vec<_>, Vec<_>) = recordings.into_iter().partition(|name| names.contains(name));
    owner::is_plain(named.len(), unnamed.len())
}

/// Returns the name of the recording for its own name or that of its waveform.
fn recording(name: &str) -> &str {
    name.strip_suffix(OUTLINE).unwrap_or(name)
}

/// True if a server created this name.
fn is_ours(name: &str) -> bool {
    files::call_of(&RecordingKey(name.to_owned())).is_some()
}

/// Returns the names that the database references.
fn names(rows: &Rows) -> BTreeSet<&str> {
    rows.recordings.iter().map(|(key, _)| key.0.as_str()).collect()
}

fn unnamed(setup: &Setup, rows: &Rows, stored: &Stored) -> Finding {
    let names = names(rows);
    let before = setup.now - UNNAMED_KEPT;
    let old = stored.iter().filter(|(name, (_, stored))| {
        *stored < before && !names.contains(recording(name)) && name.as_str() != owner::NOTE
    });
    let (left, foreign): (Vec<_>, Vec<_>) = old.partition(|(name, _)| is_ours(recording(name)));
    if let Some((first, _)) = foreign.first() {
        let found = format!(
            "{} there that no server stored, such as {first}",
            counted(foreign.len() as u64, "file is", "files are")
        );
        return Finding::warning("unnamed files", found, "they are left alone; keep them elsewhere");
    }
    let is_bucket = setup.config.recordings.url != "none";
    let half_stored = match is_bucket {
        true => 0,
        false => files::half_stored_before(&setup.config.recordings_dir(), before).len(),
    };
    let found = match (left.len(), half_stored) {
        (0, 0) => return Finding::ok("unnamed files", "none"),
        (0, half) => format!("{} left of storing a recording", counted(half as u64, "file is", "files are")),
        (left, _) => format!("{} of no call", counted(left as u64, "recording is", "recordings are")),
    };
    Finding::warning("unnamed files", found, "a running server takes away what is older than a day, once a day")
}
