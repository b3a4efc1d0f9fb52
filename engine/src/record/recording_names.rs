//! Which file of a folder is the recording of which call, told by its name: Asterisk writes the `uniqueid` of the call into it.

use std::collections::BTreeMap;

use super::CallRecord;
use super::asterisk::{uniqueid, uniqueids};
use crate::api::CallStatus;
use crate::fault::{Fault, Place};
use crate::message::expected;
use crate::message::texts::record as texts;

/// The files of a folder by the `uniqueid`s in their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordingNames(BTreeMap<String, Vec<String>>);

impl RecordingNames {
    /// Adds the file at this path, with `/` between folders.
    pub fn add(&mut self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        for uniqueid in uniqueids(name) {
            self.0.entry(uniqueid.to_owned()).or_default().push(path.to_owned());
        }
    }

    /// The files that a call has, by its `original_identifier`; one that wasn't answered has none.
    pub fn of(&self, call: &CallRecord) -> &[String] {
        let Some(Some(identifier)) = &call.original_identifier else { return &[] };
        if call.status != Some(CallStatus::Answered) {
            return &[];
        }
        self.0.get(uniqueid(identifier)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The recording of a call.
    ///
    /// # Errors
    /// Several files could be it.
    pub fn find(&self, call: &CallRecord) -> Result<Option<&str>, Fault> {
        match self.of(call) {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            several => {
                let identifier = call.original_identifier.clone().flatten().unwrap_or_default();
                let one = texts::one_recording(uniqueid(&identifier));
                let ambiguous = expected("ambiguous", one, several.join(", "));
                Err(Fault { place: Place::Column("recording".to_owned()), ..ambiguous })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(identifier: &str, status: CallStatus) -> CallRecord {
        let original_identifier = Some(Some(identifier.to_owned()));
        CallRecord { original_identifier, status: Some(status), ..CallRecord::default() }
    }

    #[test]
    fn recordings_are_found_by_their_names() {
        let mut names = RecordingNames::default();
        let first = "monitor/2026/05/out-202-101-1777627800.1.wav";
        for path in [first, "1777627800.2-in.wav", "1777627800.2-out.wav", "1777627800.3/x.wav", "x.wav"] {
            names.add(path);
        }
        let answered = CallStatus::Answered;
        assert_eq!(names.find(&call("1777627800.1 SIP/202-1", answered)), Ok(Some(first)));
        assert_eq!(names.find(&call("1777627800.1", CallStatus::NoAnswer)), Ok(None));
        assert_eq!(names.find(&call("1777627800.9", answered)), Ok(None));
        // The names of folders say nothing.
        assert_eq!(names.find(&call("1777627800.3", answered)), Ok(None));
        assert_eq!(names.find(&CallRecord::default()), Ok(None));
        let several = call("1777627800.2", answered);
        assert_eq!(names.of(&several), ["1777627800.2-in.wav", "1777627800.2-out.wav"]);
        let fault = names.find(&several).unwrap_err();
        assert_eq!(
            (fault.code.as_str(), fault.detail.to_string().as_str()),
            ("ambiguous", "expected one recording of 1777627800.2, found 1777627800.2-in.wav, 1777627800.2-out.wav")
        );
    }
}
