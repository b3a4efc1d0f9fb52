//! Plants faults and checks that each one is found, without false positives.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime};

use chrono::{Datelike, TimeDelta};
use leadscribe_engine::api::CallId;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::config::unknown_variables;
use crate::recording::files::{Digest, fresh_key};
use crate::recording::{RecordingFiles, owner};
use crate::storage::sqlite::{SqliteStore, survey};
use crate::storage::survey::Server;
use crate::telemetry::causes;

/// Checks whose result depends on the machine that runs the tests.
const OF_THE_MACHINE: [&str; 3] = ["disk", "file handles", "time zones"];

/// A healthy installation with an admin and a call with a recording.
struct Installation {
    home: TempDir,
    config: Config,
    file: Option<PathBuf>,
    /// An environment variable that is set, if any.
    variable: Option<&'static str>,
    now: Timestamp,
    recording: PathBuf,
}

impl Installation {
    fn well() -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = home.path().join("data");
        DirBuilder::new().mode(0o700).create(&config.storage.data_dir).unwrap();
        config.http.listen = "127.0.0.1:0".parse().unwrap();
        for folder in [config.recordings_dir().join("7"), config.spool_dir()] {
            fs::create_dir_all(folder).unwrap();
        }
        drop(SqliteStore::open(&config.database_file()).unwrap());
        let key = fresh_key(CallId(7), &Digest::new([7; 32]), "wav");
        let recording = config.recordings_dir().join(&key.0);
        fs::write(&recording, "sound").unwrap();
        // File times come from the machine's clock.
        let now = Timestamp::from(fs::metadata(&recording).unwrap().modified().unwrap()) + TimeDelta::seconds(1);
        let well = Self { home, config, file: None, variable: None, now, recording };
        let id = Connection::open(well.config.database_file()).and_then(|connection| {
            connection.query_row("SELECT id FROM installation", [], |row| row.get::<_, String>(0))
        });
        fs::write(well.note(), id.unwrap()).unwrap();
        well.sql(&format!(
            "INSERT INTO users (id, email, password_hash, role, created_at) VALUES (1, 'a@example.com', 'x', 'admin', 0);
             INSERT INTO speech_tokens (id, name, prefix, hash, created_at) VALUES (1, 't', 't', zeroblob(32), 0);
             INSERT INTO audit_log (at, actor, action, subject) VALUES ({}, 'test', 'test', 'test');
             INSERT INTO calls (id, direction, status, created_at, recording_state, bytes, recording_key)
                 VALUES (7, 'inbound', 'answered', 0, 'ready', 5, '{}')",
            now.timestamp_micros(),
            key.0
        ));
        well
    }

    /// The data folder, inside a temporary folder.
    fn folder(&self) -> &Path {
        &self.config.storage.data_dir
    }

    /// The file that names the owner of the recordings.
    fn note(&self) -> PathBuf {
        self.config.recordings_dir().join(owner::NOTE)
    }

    fn sql(&self, statements: &str) {
        let connection = Connection::open(self.config.database_file()).unwrap();
        connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {statements}")).unwrap();
    }

    /// Enables TLS with a certificate that expires in `days` days.
    fn speak_tls(&mut self, days: i64) {
        let end = (self.now + TimeDelta::days(days)).date_naive();
        let key = KeyPair::generate().unwrap();
        let mut wanted = CertificateParams::new(["localhost".to_owned()]).unwrap();
        wanted.not_after = date_time_ymd(end.year(), end.month().try_into().unwrap(), end.day().try_into().unwrap());
        let (chain, secret) = (self.home.path().join("chain.pem"), self.home.path().join("key.pem"));
        fs::write(&chain, wanted.self_signed(&key).unwrap().pem()).unwrap();
        fs::write(&secret, key.serialize_pem()).unwrap();
        self.config.http.tls_cert = chain.display().to_string();
        self.config.http.tls_key = secret.display().to_string();
    }

    fn setup(&self) -> Setup {
        let file = self.config.database_file();
        let survey = match file.exists() {
            true => survey::survey(&file, false).map(Some).map_err(|error| causes(&error)),
            false => Ok(None),
        };
        let folder = self.config.recordings_dir();
        let recordings = match folder.is_dir() {
            true => RecordingFiles::local(&folder).map(Some).map_err(|error| error.to_string()),
            false => Ok(None),
        };
        Setup {
            config: self.config.clone(),
            file: self.file.clone(),
            unknown_variables: unknown_variables(self.variable.map(|name| (name.into(), "hidden".into())).into_iter()),
            now: self.now,
            full: false,
            survey,
            replica: None,
            recordings,
            recognizer: Ok("base".to_owned()),
        }
    }

    /// Returns check, verdict and text of all findings except `ok`.
    async fn ills(&self) -> Vec<(&'static str, Verdict, String)> {
        ills(&self.setup()).await
    }
}

async fn ills(setup: &Setup) -> Vec<(&'static str, Verdict, String)> {
    let findings = check(setup).await;
    let is_meant = |finding: &Finding| finding.verdict != Verdict::Ok && !OF_THE_MACHINE.contains(&finding.check);
    assert!(findings.iter().all(|finding| (finding.verdict == Verdict::Ok) == finding.remedy.is_none()));
    findings.into_iter().filter(is_meant).map(|finding| (finding.check, finding.verdict, finding.found)).collect()
}

#[tokio::test]
async fn healthy_installation_has_no_findings() {
    let well = Installation::well();
    assert_eq!(well.ills().await, []);
    let findings = check(&well.setup()).await;
    for check in [
        "options",
        "log filter",
        "environment",
        "data folder",
        "permissions",
        "disk",
        "uploads",
        "backups",
        "database",
        "schema",
        "staff",
        "transcriptions",
        "deliveries",
        "recordings",
        "owner",
        "unnamed files",
        "recogniser",
        "languages",
        "address",
        "encryption",
        "file handles",
        "clock",
    ] {
        assert!(findings.iter().any(|finding| finding.check == check), "{check} was not checked");
    }
    // The first worker to start creates the file.
    fs::remove_file(well.note()).unwrap();
    assert_eq!(well.ills().await, []);
}

#[tokio::test]
async fn finds_each_planted_fault() {
    use Verdict::{Fault, Warning};
    type Plant = fn(&mut Installation);
    let cases: &[(Plant, &str, Verdict, &str)] = &[
        (
            |at| fs::set_permissions(at.folder(), fs::Permissions::from_mode(0o755)).unwrap(),
            "permissions",
            Warning,
            "has mode 755",
        ),
        (
            |at| {
                let old = fs::File::create(at.config.spool_dir().join(".tmpold")).unwrap();
                old.set_modified(SystemTime::from(at.now) - Duration::from_hours(30)).unwrap();
            },
            "uploads",
            Warning,
            "1 file older than a day",
        ),
        (
            |at| {
                let left = fs::File::create(at.folder().join(".leadscribe-backup-x1Y2z3")).unwrap();
                left.set_modified(SystemTime::from(at.now) - Duration::from_hours(2)).unwrap();
            },
            "backups",
            Warning,
            "1 leftover of killed backups and restores",
        ),
        (
            |at| {
                let left = fs::File::create(at.home.path().join(".leadscribe-backup-x1Y2z3")).unwrap();
                left.set_modified(SystemTime::from(at.now) - Duration::from_hours(2)).unwrap();
            },
            "backups",
            Warning,
            "/.leadscribe-backup-x1Y2z3",
        ),
        (
            |at| {
                let left = at.home.path().join(".data.restoring-x1Y2z3");
                fs::create_dir(&left).unwrap();
                let left = fs::File::open(left).unwrap();
                left.set_modified(SystemTime::from(at.now) - Duration::from_hours(2)).unwrap();
            },
            "backups",
            Warning,
            "/.data.restoring-x1Y2z3",
        ),
        (
            |at| {
                at.sql("INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at) VALUES (zeroblob(32), 99, 'x', 0, 0)")
            },
            "database",
            Fault,
            "rows of sessions refer to missing rows",
        ),
        (
            |at| at.sql("UPDATE refinery_schema_history SET version = 99 WHERE version = 11"),
            "schema",
            Fault,
            "the database has schema version 99, but this program supports versions up to",
        ),
        (
            |at| at.sql("DELETE FROM refinery_schema_history WHERE version > 10"),
            "schema",
            Warning,
            "the database has schema version 10; the next start upgrades it to",
        ),
        (|at| at.sql("UPDATE users SET deactivated_at = 1"), "staff", Warning, "no admin can log in"),
        (
            |at| {
                at.sql(
                    "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, state, queued_at)
                         VALUES (7, 1, '[]', 'both', 1, 'failed', 0)",
                )
            },
            "transcriptions",
            Warning,
            "1 failed, 0 queued or running",
        ),
        (
            |at| {
                at.sql(
                    "INSERT INTO speech_requests (id, token_id, method, template, created_at) VALUES (1, 1, 'POST', '{}', 0);
                     INSERT INTO callback_endpoints (id, url) VALUES (1, 'https://example.com');
                     INSERT INTO deliveries (request_id, token_id, call_id, endpoint_id, state, ready_at, changed_at, created_at)
                         VALUES (1, 1, 7, 1, 'failed', 0, 0, 0)",
                )
            },
            "deliveries",
            Warning,
            "1 delivery failed",
        ),
        (|at| fs::remove_file(&at.recording).unwrap(), "recordings", Fault, "1 of 1 recording missing, such as 7/0707"),
        (|at| fs::remove_dir_all(at.config.recordings_dir()).unwrap(), "recordings", Fault, "their folder is missing"),
        (
            |at| fs::write(&at.recording, "other size").unwrap(),
            "recordings",
            Fault,
            "have a different size than when stored",
        ),
        (
            |at| fs::write(at.note(), "0815\n").unwrap(),
            "owner",
            Fault,
            "names installation 0815, but the database belongs to",
        ),
        (
            |at| {
                at.sql("UPDATE calls SET recording_key = NULL, recording_state = 'none'");
                fs::remove_file(at.note()).unwrap();
            },
            "owner",
            Fault,
            "the database doesn't reference most of the recordings",
        ),
        (
            |at| {
                at.sql("UPDATE calls SET recording_key = NULL, recording_state = 'none'");
                let old = fs::File::options().write(true).open(&at.recording).unwrap();
                old.set_modified(SystemTime::from(at.now) - Duration::from_hours(30)).unwrap();
            },
            "unnamed files",
            Warning,
            "1 recording is not referenced by a call",
        ),
        (
            |at| {
                let old = fs::File::create(at.config.recordings_dir().join("holiday.jpg")).unwrap();
                old.set_modified(SystemTime::from(at.now) - Duration::from_hours(30)).unwrap();
            },
            "unnamed files",
            Warning,
            "1 file is present that no server stored, such as holiday.jpg",
        ),
        (
            |at| {
                let half = fs::File::create(format!("{}#1", at.recording.display())).unwrap();
                half.set_modified(SystemTime::from(at.now) - Duration::from_hours(30)).unwrap();
            },
            "unnamed files",
            Warning,
            "1 file is left over from an interrupted upload",
        ),
        (|at| at.now -= TimeDelta::days(30), "clock", Warning, "but the database was last written at"),
        (
            |at| at.config.http.listen = "0.0.0.0:0".parse().unwrap(),
            "encryption",
            Warning,
            "is reachable from other machines without TLS",
        ),
        (
            |at| at.config.http.listen = "192.0.2.1:8080".parse().unwrap(),
            "address",
            Fault,
            "can't listen on 192.0.2.1:8080",
        ),
        (|at| at.speak_tls(8), "certificate", Warning, "chain.pem expires at "),
        (|at| at.speak_tls(-2), "certificate", Fault, "chain.pem expired at "),
        (
            |at| {
                at.speak_tls(300);
                fs::remove_file(at.home.path().join("key.pem")).unwrap();
            },
            "certificate",
            Fault,
            "key.pem: No such file",
        ),
        (
            |at| {
                at.config.speech.model = "base.en".to_owned();
                at.config.speech.languages = "whisper".parse().unwrap();
            },
            "languages",
            Warning,
            "supports only English",
        ),
        (
            |at| {
                let file = at.home.path().join("leadscribe.toml");
                fs::write(&file, "[speech]\nkey = \"sk-hidden\"\n").unwrap();
                fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
                at.file = Some(file);
            },
            "options",
            Warning,
            "contains secrets and is readable by other users of this machine",
        ),
        (
            |at| at.config.log.filter = "nonsense=x=y".to_owned(),
            "log filter",
            Fault,
            "in the log filter \"nonsense=x=y\": ",
        ),
        (
            |at| at.variable = Some("LEADSCRIBE_TRANSCRIPTS_DAYS"),
            "environment",
            Warning,
            "unknown environment variable LEADSCRIBE_TRANSCRIPTS_DAYS is ignored; did you mean LEADSCRIBE_TRANSCRIPT_DAYS?",
        ),
    ];
    for (plant, check, verdict, found) in cases {
        let mut ill = Installation::well();
        plant(&mut ill);
        // An address open to all may also be in use by another program; only the planted fault counts.
        let ills: Vec<_> = ill
            .ills()
            .await
            .into_iter()
            .filter(|(check, ..)| *check != "encryption" || found.contains("TLS"))
            .collect();
        let [(its_check, its_verdict, its_words)] = &ills[..] else { panic!("{check}: {ills:?}") };
        assert_eq!((its_check, its_verdict), (check, verdict), "{ills:?}");
        assert!(its_words.contains(found), "{its_words}");
        assert!(!its_words.contains("hidden"), "{its_words}");
    }
}

#[tokio::test]
async fn reports_damaged_and_foreign_databases() {
    let ill = Installation::well();
    let file = ill.config.database_file();
    // Moves the content from the log to the file.
    ill.sql("PRAGMA wal_checkpoint(TRUNCATE)");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2 / 4_096 * 4_096;
    bytes[middle..middle + 4_096].fill(0x5a);
    fs::write(&file, bytes).unwrap();
    let ills = ill.ills().await;
    assert!(matches!(&ills[..], [("database", Verdict::Fault, found), ..] if found.contains("damaged")), "{ills:?}");

    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", file.display()));
    }
    fs::write(&file, "a letter to the editor, quite long ".repeat(99)).unwrap();
    let ills = ill.ills().await;
    let expected = ("database", Verdict::Fault, "the file is not a Leadscribe database".to_owned());
    assert_eq!(ills, [expected]);
    assert_eq!(fs::read_to_string(&file).unwrap().len(), 35 * 99, "it was left as it is");

    fs::remove_file(&file).unwrap();
    assert!(matches!(&ill.ills().await[..], [("database", Verdict::Warning, found)] if found == "doesn't exist yet"));
    fs::remove_dir_all(ill.folder()).unwrap();
    let ills = ill.ills().await;
    assert!(matches!(&ills[..], [("data folder", Verdict::Warning, _), ("database", Verdict::Warning, _)]), "{ills:?}");
    fs::write(ill.folder(), "no folder").unwrap();
    let ills = ill.ills().await;
    assert!(matches!(&ills[..], [("data folder", Verdict::Fault, _), ..]), "{ills:?}");
}

#[tokio::test]
async fn distinguishes_free_own_and_taken_address() {
    let mut at = Installation::well();
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    at.config.http.listen = taken.local_addr().unwrap();
    // Accepts connections and closes them.
    let other = tokio::spawn(async move {
        while let Ok(accepted) = taken.accept().await {
            drop(accepted)
        }
    });
    let ills = at.ills().await;
    assert_eq!(ills, [("address", Verdict::Fault, format!("another program is using {}", at.config.http.listen))]);
    other.abort();
}

#[tokio::test]
async fn warns_of_low_file_limit() {
    let mut at = Installation::well();
    // More than any system permits.
    at.config.http.max_connections = u32::MAX as usize;
    let findings = check(&at.setup()).await;
    let handles = findings.iter().find(|finding| finding.check == "file handles").unwrap();
    assert_eq!(handles.verdict, Verdict::Warning, "{handles:?}");
}

#[tokio::test]
async fn unreadable_rows_are_a_fault() {
    let at = Installation::well();
    let mut setup = at.setup();
    let Ok(Some(survey)) = &mut setup.survey else { panic!("no database") };
    survey.rows = None;
    let ills = ills(&setup).await;
    assert!(matches!(&ills[..], [("rows", Verdict::Fault, _)]), "{ills:?}");
}

#[tokio::test]
async fn reports_faults_of_remote_services() {
    let at = Installation::well();
    let mut setup = at.setup();
    let Ok(Some(survey)) = &mut setup.survey else { panic!("no database") };
    survey.server = Some(Server { version: "15.1".to_owned(), max_connections: 10, connections: 1 });
    setup.replica = Some(Err(ReplicaFault::Away("connection refused".to_owned())));
    setup.recognizer = Err("the model base is missing".to_owned());
    let ills = ills(&setup).await;
    let found: Vec<_> = ills.iter().map(|(check, verdict, _)| (*check, *verdict)).collect();
    let expected = [("connections", Verdict::Fault), ("replica", Verdict::Warning), ("recogniser", Verdict::Fault)];
    assert_eq!(found, expected, "{ills:?}");
    let words = "PostgreSQL allows 10, 1 are open, and each Leadscribe process uses up to 17";
    assert_eq!(ills[0].2, words);

    setup.replica = Some(Err(ReplicaFault::Wrong("a replica of another one".to_owned())));
    let verdicts: Vec<_> = self::ills(&setup).await.into_iter().map(|(_, verdict, _)| verdict).collect();
    assert_eq!(verdicts, [Verdict::Fault; 3]);
}

#[tokio::test]
async fn warns_of_old_time_zone_data() {
    let mut installation = Installation::well();
    installation.config.leads.time_zones = "builtin".to_owned();
    let found = async |installation: &Installation| {
        let findings = check(&installation.setup()).await;
        findings.into_iter().find(|finding| finding.check == "time zones").unwrap()
    };
    let version = leadscribe_engine::zone::built_in_version();
    let released = version.released_about().and_time(chrono::NaiveTime::MIN).and_utc();
    installation.now = released + TimeDelta::days(300);
    let current = found(&installation).await;
    assert_eq!((current.verdict, current.found), (Verdict::Ok, format!("IANA {version}, built in")));
    installation.now = released + TimeDelta::days(400);
    let old = found(&installation).await;
    let month = released.format("%B %Y");
    assert_eq!(
        (old.verdict, old.found),
        (Verdict::Warning, format!("IANA {version}, built in, released around {month}"))
    );
    installation.config.leads.time_zones = "/nowhere".to_owned();
    assert_eq!(found(&installation).await.verdict, Verdict::Fault);
}
