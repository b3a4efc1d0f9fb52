//! Breaks installations and checks that each problem is found, without false positives.

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
use crate::recording::files::{Digest, new_key};
use crate::recording::{RecordingFiles, owner};
use crate::storage::inspection::ServerInfo;
use crate::storage::sqlite::{SqliteStore, inspection};
use crate::telemetry::error_chain;

/// Checks whose result depends on the machine that runs the tests.
const MACHINE_DEPENDENT_CHECKS: [&str; 3] = ["disk", "file descriptors", "time zones"];

/// A healthy installation with an admin and a call with a recording.
struct Installation {
    home: TempDir,
    config: Config,
    options_file: Option<PathBuf>,
    /// An environment variable that is set, if any.
    variable: Option<&'static str>,
    now: Timestamp,
    recording: PathBuf,
}

impl Installation {
    fn healthy() -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = home.path().join("data");
        DirBuilder::new().mode(0o700).create(&config.storage.data_dir).unwrap();
        config.http.listen = "127.0.0.1:0".parse().unwrap();
        for folder in [config.recordings_dir().join("7"), config.spool_dir()] {
            fs::create_dir_all(folder).unwrap();
        }
        drop(SqliteStore::open(&config.database_file()).unwrap());
        let key = new_key(CallId(7), &Digest::new([7; 32]), "wav");
        let recording = config.recordings_dir().join(&key.0);
        fs::write(&recording, "sound").unwrap();
        // File times come from the machine's clock.
        let now = Timestamp::from(fs::metadata(&recording).unwrap().modified().unwrap()) + TimeDelta::seconds(1);
        let installation = Self { home, config, options_file: None, variable: None, now, recording };
        let id = Connection::open(installation.config.database_file()).and_then(|connection| {
            connection.query_row("SELECT id FROM installation", [], |row| row.get::<_, String>(0))
        });
        fs::write(installation.owner_file(), id.unwrap()).unwrap();
        installation.execute_sql(&format!(
            "INSERT INTO users (id, email, password_hash, role, created_at) VALUES (1, 'a@example.com', 'x', 'admin', 0);
             INSERT INTO speech_tokens (id, name, prefix, hash, created_at) VALUES (1, 't', 't', zeroblob(32), 0);
             INSERT INTO audit_log (at, actor, action, subject) VALUES ({}, 'test', 'test', 'test');
             INSERT INTO calls (id, direction, status, created_at, recording_state, bytes, recording_key)
                 VALUES (7, 'inbound', 'answered', 0, 'ready', 5, '{}')",
            now.timestamp_micros(),
            key.0
        ));
        installation
    }

    /// The data folder, inside a temporary folder.
    fn folder(&self) -> &Path {
        &self.config.storage.data_dir
    }

    /// The file that names the owner of the recordings.
    fn owner_file(&self) -> PathBuf {
        self.config.recordings_dir().join(owner::OWNER_FILE_NAME)
    }

    fn execute_sql(&self, statements: &str) {
        let connection = Connection::open(self.config.database_file()).unwrap();
        connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {statements}")).unwrap();
    }

    /// Creates a file that was last changed `hours` hours ago.
    fn create_old_file(&self, path: impl AsRef<Path>, hours: u64) {
        let file = fs::File::create(path).unwrap();
        file.set_modified(SystemTime::from(self.now) - Duration::from_hours(hours)).unwrap();
    }

    /// Enables TLS with a certificate that expires in `days` days.
    fn enable_tls(&mut self, days: i64) {
        let expiry = (self.now + TimeDelta::days(days)).date_naive();
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.not_after =
            date_time_ymd(expiry.year(), expiry.month().try_into().unwrap(), expiry.day().try_into().unwrap());
        let (chain, secret) = (self.home.path().join("chain.pem"), self.home.path().join("key.pem"));
        fs::write(&chain, params.self_signed(&key).unwrap().pem()).unwrap();
        fs::write(&secret, key.serialize_pem()).unwrap();
        self.config.http.tls_cert = chain.display().to_string();
        self.config.http.tls_key = secret.display().to_string();
    }

    fn check_context(&self) -> CheckContext {
        let file = self.config.database_file();
        let inspection = match file.exists() {
            true => inspection::inspect(&file, false).map(Some).map_err(|error| error_chain(&error)),
            false => Ok(None),
        };
        let folder = self.config.recordings_dir();
        let recordings = match folder.is_dir() {
            true => RecordingFiles::local(&folder).map(Some).map_err(|error| error.to_string()),
            false => Ok(None),
        };
        CheckContext {
            config: self.config.clone(),
            options_file: self.options_file.clone(),
            unknown_variables: unknown_variables(self.variable.map(|name| (name.into(), "hidden".into())).into_iter()),
            now: self.now,
            is_full_check: false,
            inspection,
            replica: None,
            recordings,
            recognizer: Ok("base".to_owned()),
        }
    }

    /// Returns check, status and text of all results except `ok`.
    async fn find_problems(&self) -> Vec<(&'static str, CheckStatus, String)> {
        find_problems(&self.check_context()).await
    }
}

async fn find_problems(context: &CheckContext) -> Vec<(&'static str, CheckStatus, String)> {
    let results = check(context).await;
    let is_problem =
        |result: &CheckResult| result.status != CheckStatus::Ok && !MACHINE_DEPENDENT_CHECKS.contains(&result.check);
    assert!(results.iter().all(|result| (result.status == CheckStatus::Ok) == result.remedy.is_none()));
    results.into_iter().filter(is_problem).map(|result| (result.check, result.status, result.message)).collect()
}

#[tokio::test]
async fn healthy_installation_has_no_findings() {
    let installation = Installation::healthy();
    assert_eq!(installation.find_problems().await, []);
    let results = check(&installation.check_context()).await;
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
        "unreferenced files",
        "recognizer",
        "languages",
        "listen address",
        "encryption",
        "file descriptors",
        "clock",
    ] {
        assert!(results.iter().any(|result| result.check == check), "{check} was not checked");
    }
    // The first worker to start creates the file.
    fs::remove_file(installation.owner_file()).unwrap();
    assert_eq!(installation.find_problems().await, []);
}

/// Check that must find a fault, with its status and part of its text, and the function that plants the fault.
type TestCase = (&'static str, CheckStatus, &'static str, fn(&mut Installation));

fn case(check: &'static str, status: CheckStatus, text: &'static str, plant_fault: fn(&mut Installation)) -> TestCase {
    (check, status, text, plant_fault)
}

#[tokio::test]
async fn finds_each_planted_fault() {
    use CheckStatus::{Error, Warning};
    let cases = [
        case("permissions", Warning, "has mode 755", |installation| {
            fs::set_permissions(installation.folder(), fs::Permissions::from_mode(0o755)).unwrap()
        }),
        case("uploads", Warning, "1 file older than a day", |installation| {
            installation.create_old_file(installation.config.spool_dir().join(".tmpold"), 30);
        }),
        case("backups", Warning, "1 leftover of killed backups and restores", |installation| {
            installation.create_old_file(installation.folder().join(".leadscribe-backup-x1Y2z3"), 2);
        }),
        case("backups", Warning, "/.leadscribe-backup-x1Y2z3", |installation| {
            installation.create_old_file(installation.home.path().join(".leadscribe-backup-x1Y2z3"), 2);
        }),
        case("backups", Warning, "/.data.restoring-x1Y2z3", |installation| {
            let leftover = installation.home.path().join(".data.restoring-x1Y2z3");
            fs::create_dir(&leftover).unwrap();
            let leftover = fs::File::open(leftover).unwrap();
            leftover.set_modified(SystemTime::from(installation.now) - Duration::from_hours(2)).unwrap();
        }),
        case("database", Error, "rows of sessions refer to missing rows", |installation| {
            installation.execute_sql("INSERT INTO sessions (hash, user_id, csrf_token, created_at, expires_at) VALUES (zeroblob(32), 99, 'x', 0, 0)")
        }),
        case(
            "schema",
            Error,
            "the database has schema version 99, but this program supports versions up to",
            |installation| {
                installation.execute_sql("UPDATE refinery_schema_history SET version = 99 WHERE version = 11")
            },
        ),
        case("schema", Warning, "the database has schema version 10; the next start upgrades it to", |installation| {
            installation.execute_sql("DELETE FROM refinery_schema_history WHERE version > 10")
        }),
        case("staff", Warning, "no admin can log in", |installation| {
            installation.execute_sql("UPDATE users SET deactivated_at = 1")
        }),
        case("transcriptions", Warning, "1 failed, 0 queued or running", |installation| {
            installation.execute_sql(
                "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, state, queued_at)
                         VALUES (7, 1, '[]', 'both', 1, 'failed', 0)",
                )
        }),
        case("deliveries", Warning, "1 delivery failed", |installation| {
            installation.execute_sql(
                    "INSERT INTO speech_requests (id, token_id, method, template, created_at) VALUES (1, 1, 'POST', '{}', 0);
                     INSERT INTO callback_endpoints (id, url) VALUES (1, 'https://example.com');
                     INSERT INTO deliveries (request_id, token_id, call_id, endpoint_id, state, claimable_at, changed_at, created_at)
                         VALUES (1, 1, 7, 1, 'failed', 0, 0, 0)",
                )
        }),
        case("recordings", Error, "1 of 1 recording missing, such as 7/0707", |installation| {
            fs::remove_file(&installation.recording).unwrap()
        }),
        case("recordings", Error, "their folder is missing", |installation| {
            fs::remove_dir_all(installation.config.recordings_dir()).unwrap()
        }),
        case("recordings", Error, "have a different size than when stored", |installation| {
            fs::write(&installation.recording, "other size").unwrap()
        }),
        case("owner", Error, "names installation 0815, but the database belongs to", |installation| {
            fs::write(installation.owner_file(), "0815\n").unwrap()
        }),
        case("owner", Error, "the database doesn't reference most of the recordings", |installation| {
            installation.execute_sql("UPDATE calls SET recording_key = NULL, recording_state = 'none'");
            fs::remove_file(installation.owner_file()).unwrap();
        }),
        case("unreferenced files", Warning, "1 recording is not referenced by a call", |installation| {
            installation.execute_sql("UPDATE calls SET recording_key = NULL, recording_state = 'none'");
            let old_file = fs::File::options().write(true).open(&installation.recording).unwrap();
            old_file.set_modified(SystemTime::from(installation.now) - Duration::from_hours(30)).unwrap();
        }),
        case(
            "unreferenced files",
            Warning,
            "1 file is present that no server stored, such as holiday.jpg",
            |installation| {
                installation.create_old_file(installation.config.recordings_dir().join("holiday.jpg"), 30);
            },
        ),
        case("unreferenced files", Warning, "1 file is left over from an interrupted upload", |installation| {
            installation.create_old_file(format!("{}#1", installation.recording.display()), 30);
        }),
        case("clock", Warning, "but the database was last written at", |installation| {
            installation.now -= TimeDelta::days(30)
        }),
        case("encryption", Warning, "is reachable from other machines without TLS", |installation| {
            installation.config.http.listen = "0.0.0.0:0".parse().unwrap()
        }),
        case("listen address", Error, "can't listen on 192.0.2.1:8080", |installation| {
            installation.config.http.listen = "192.0.2.1:8080".parse().unwrap()
        }),
        case("certificate", Warning, "chain.pem expires at ", |installation| installation.enable_tls(8)),
        case("certificate", Error, "chain.pem expired at ", |installation| installation.enable_tls(-2)),
        case("certificate", Error, "key.pem: No such file", |installation| {
            installation.enable_tls(300);
            fs::remove_file(installation.home.path().join("key.pem")).unwrap();
        }),
        case("languages", Warning, "supports only English", |installation| {
            installation.config.speech.model = "base.en".to_owned();
            installation.config.speech.languages = "whisper".parse().unwrap();
        }),
        case("options", Warning, "contains secrets and is readable by other users of this machine", |installation| {
            let file = installation.home.path().join("leadscribe.toml");
            fs::write(&file, "[speech]\nkey = \"sk-hidden\"\n").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
            installation.options_file = Some(file);
        }),
        case("log filter", Error, "in the log filter \"nonsense=x=y\": ", |installation| {
            installation.config.log.filter = "nonsense=x=y".to_owned()
        }),
        case(
            "environment",
            Warning,
            "unknown environment variable LEADSCRIBE_TRANSCRIPTS_DAYS is ignored; did you mean LEADSCRIBE_TRANSCRIPT_DAYS?",
            |installation| installation.variable = Some("LEADSCRIBE_TRANSCRIPTS_DAYS"),
        ),
    ];
    for (check, status, expected, plant_fault) in cases {
        let mut broken_installation = Installation::healthy();
        plant_fault(&mut broken_installation);
        // An address other than loopback is also reported as unencrypted.
        let problems: Vec<_> = broken_installation
            .find_problems()
            .await
            .into_iter()
            .filter(|(check, ..)| *check != "encryption" || expected.contains("TLS"))
            .collect();
        let [(actual_check, actual_status, description)] = &problems[..] else { panic!("{check}: {problems:?}") };
        assert_eq!((*actual_check, *actual_status), (check, status), "{problems:?}");
        assert!(description.contains(expected), "{description}");
        assert!(!description.contains("hidden"), "{description}");
    }
}

#[tokio::test]
async fn reports_damaged_and_foreign_databases() {
    let installation = Installation::healthy();
    let file = installation.config.database_file();
    // Moves the content from the log to the file.
    installation.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2 / 4_096 * 4_096;
    bytes[middle..middle + 4_096].fill(0x5a);
    fs::write(&file, bytes).unwrap();
    let problems = installation.find_problems().await;
    assert!(
        matches!(&problems[..], [("database", CheckStatus::Error, message), ..] if message.contains("damaged")),
        "{problems:?}"
    );

    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", file.display()));
    }
    fs::write(&file, "a letter to the editor, quite long ".repeat(99)).unwrap();
    let problems = installation.find_problems().await;
    let expected = ("database", CheckStatus::Error, "the file is not a Leadscribe database".to_owned());
    assert_eq!(problems, [expected]);
    assert_eq!(fs::read_to_string(&file).unwrap().len(), 35 * 99, "the file is unchanged");

    fs::remove_file(&file).unwrap();
    assert!(
        matches!(&installation.find_problems().await[..], [("database", CheckStatus::Warning, message)] if message == "doesn't exist yet")
    );
    fs::remove_dir_all(installation.folder()).unwrap();
    let problems = installation.find_problems().await;
    assert!(
        matches!(&problems[..], [("data folder", CheckStatus::Warning, _), ("database", CheckStatus::Warning, _)]),
        "{problems:?}"
    );
    fs::write(installation.folder(), "no folder").unwrap();
    let problems = installation.find_problems().await;
    assert!(matches!(&problems[..], [("data folder", CheckStatus::Error, _), ..]), "{problems:?}");
}

#[tokio::test]
async fn reports_address_used_by_another_program() {
    let mut installation = Installation::healthy();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    installation.config.http.listen = listener.local_addr().unwrap();
    // Accepts connections and closes them.
    let other = tokio::spawn(async move {
        while let Ok(accepted) = listener.accept().await {
            drop(accepted)
        }
    });
    let problems = installation.find_problems().await;
    assert_eq!(
        problems,
        [(
            "listen address",
            CheckStatus::Error,
            format!("another program is using {}", installation.config.http.listen)
        )]
    );
    other.abort();
}

#[tokio::test]
async fn warns_of_low_file_limit() {
    let mut installation = Installation::healthy();
    // More than any system permits.
    installation.config.http.max_connections = u32::MAX as usize;
    let results = check(&installation.check_context()).await;
    let limit_result = results.iter().find(|result| result.check == "file descriptors").unwrap();
    assert_eq!(limit_result.status, CheckStatus::Warning, "{limit_result:?}");
}

#[tokio::test]
async fn unreadable_rows_are_a_fault() {
    let installation = Installation::healthy();
    let mut context = installation.check_context();
    let Ok(Some(inspection)) = &mut context.inspection else { panic!("no database") };
    inspection.row_stats = None;
    let problems = find_problems(&context).await;
    assert!(matches!(&problems[..], [("rows", CheckStatus::Error, _)]), "{problems:?}");
}

#[tokio::test]
async fn reports_identifiers_of_several_leads() {
    let installation = Installation::healthy();
    let insert = |id: i64, identifier: &str| {
        installation.execute_sql(&format!(
            "INSERT INTO leads (id, original_identifier, do_not_call, blacklisted, custom_fields, created_at, updated_at,
                 global_updated_at) VALUES ({id}, {identifier}, 0, 0, '{{}}', 0, 0, 0)"
        ));
    };
    for (id, identifier) in [(1, "NULL"), (2, "NULL"), (3, "'a'"), (4, "'b'")] {
        insert(id, identifier);
    }
    assert_eq!(find_problems(&installation.check_context()).await, []);
    insert(5, "'a'");
    let message = "1 identifier is used by several leads, such as leads 3 and 5".to_owned();
    let problems = find_problems(&installation.check_context()).await;
    assert_eq!(problems, [("identifiers", CheckStatus::Warning, message)]);
}

#[tokio::test]
async fn reports_faults_of_remote_services() {
    let installation = Installation::healthy();
    let mut context = installation.check_context();
    let Ok(Some(inspection)) = &mut context.inspection else { panic!("no database") };
    inspection.server = Some(ServerInfo { version: "15.1".to_owned(), max_connections: 10, connections: 1 });
    context.replica = Some(Err(ReplicaError::Unavailable("connection refused".to_owned())));
    context.recognizer = Err("the model `base` is missing".to_owned());
    let problems = find_problems(&context).await;
    let statuses: Vec<_> = problems.iter().map(|(check, status, _)| (*check, *status)).collect();
    let expected =
        [("connections", CheckStatus::Error), ("replica", CheckStatus::Warning), ("recognizer", CheckStatus::Error)];
    assert_eq!(statuses, expected, "{problems:?}");
    let description = "PostgreSQL allows 10, 1 are open, and each Leadscribe process uses up to 17";
    assert_eq!(problems[0].2, description);

    context.replica = Some(Err(ReplicaError::Misconfigured("a replica of another one".to_owned())));
    let statuses: Vec<_> = find_problems(&context).await.into_iter().map(|(_, status, _)| status).collect();
    assert_eq!(statuses, [CheckStatus::Error; 3]);
}

#[tokio::test]
async fn warns_of_old_time_zone_data() {
    let mut installation = Installation::healthy();
    installation.config.leads.time_zones = "builtin".to_owned();
    let time_zone_result = async |installation: &Installation| {
        let results = check(&installation.check_context()).await;
        results.into_iter().find(|result| result.check == "time zones").unwrap()
    };
    let version = leadscribe_engine::zone::built_in_version();
    let released = version.approximate_release_date().and_time(chrono::NaiveTime::MIN).and_utc();
    installation.now = released + TimeDelta::days(300);
    let current = time_zone_result(&installation).await;
    assert_eq!((current.status, current.message), (CheckStatus::Ok, format!("IANA {version}, built in")));
    installation.now = released + TimeDelta::days(400);
    let outdated = time_zone_result(&installation).await;
    let month = released.format("%B %Y");
    assert_eq!(
        (outdated.status, outdated.message),
        (CheckStatus::Warning, format!("IANA {version}, built in, released around {month}"))
    );
    installation.config.leads.time_zones = "/nowhere".to_owned();
    assert_eq!(time_zone_result(&installation).await.status, CheckStatus::Error);
}
