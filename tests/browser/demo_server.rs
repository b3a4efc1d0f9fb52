//! Server with sample data and typical user changes at a fixed time, so that pages always look the same.

use chrono::{DateTime, TimeDelta, Utc};
use leadscribe_engine::api::{RecordingSide, Segment, SpeechEngine, TranscribedSide, Word};
use leadscribe_engine::diagnostic::Message;
use leadscribe_server::config::Role;
use leadscribe_server::storage::AttemptResult;
use leadscribe_server::transcript::NewTranscript;
use serde_json::{Value, json};

use super::login::submit_login;
use super::page::Page;
use crate::harness::{PASSWORD, Server, body};

/// Email address of the logged-in user: an administrator, so that every page is visible.
pub const ADMIN_EMAIL: &str = "anna.meier@example.com";

/// Time that the preparation takes on the server's clock.
const PREPARATION_TIME: TimeDelta = TimeDelta::minutes(30);

/// Transcript of a sample call: language, length in seconds, and lines with start and end.
struct SampleTranscript {
    call: i64,
    language: &'static str,
    seconds: f64,
    lines: &'static [(f64, f64, RecordingSide, &'static str)],
}

/// The texts are those of the recordings, see server/demo/recordings.
const SAMPLE_TRANSCRIPTS: [SampleTranscript; 7] = {
    use RecordingSide::{Both, Callee, Caller};
    const DASHWOOD: &str = "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his \
                            power to do for them.";
    const HELLO: &str = "Hello, thank you for calling. My name is Anna.";
    const INVOICE: &str = "I would like to change my delivery address and ask about the invoice from last month.";
    const AMIABLE: &str = "He might even have been made amiable himself.";
    [
        SampleTranscript {
            call: 120,
            language: "en",
            seconds: 9.1,
            lines: &[(0.2, 3.6, Both, HELLO), (3.9, 8.9, Both, INVOICE)],
        },
        SampleTranscript {
            call: 124,
            language: "en",
            seconds: 12.9,
            lines: &[(0.2, 3.6, Caller, HELLO), (3.9, 8.9, Caller, INVOICE), (9.8, 12.7, Callee, AMIABLE)],
        },
        SampleTranscript {
            call: 127,
            language: "en",
            seconds: 16.7,
            lines: &[(0.3, 6.9, Caller, DASHWOOD), (7.8, 11.2, Callee, HELLO), (11.5, 16.5, Callee, INVOICE)],
        },
        SampleTranscript {
            call: 141,
            language: "en",
            seconds: 23.5,
            lines: &[
                (0.5, 7.6, Caller, DASHWOOD),
                (8.5, 11.8, Callee, AMIABLE),
                (14.0, 19.3, Caller, "Unless to be rather cold-hearted and rather selfish is to be ill-disposed."),
                (20.5, 23.4, Callee, "He was not an ill-disposed young man."),
            ],
        },
        SampleTranscript {
            call: 142,
            language: "en",
            seconds: 11.0,
            lines: &[(
                0.3,
                10.6,
                Both,
                "And so, my fellow Americans: ask not what your country can do for you, ask what you can do for your country.",
            )],
        },
        SampleTranscript {
            call: 143,
            language: "de",
            seconds: 8.6,
            lines: &[
                (0.2, 3.1, Both, "Guten Tag, mein Name ist Anna Schmidt."),
                (
                    3.3,
                    8.4,
                    Both,
                    "Ich möchte meine Lieferadresse ändern und habe eine Frage zu der Rechnung vom letzten Monat.",
                ),
            ],
        },
        SampleTranscript {
            call: 144,
            language: "en",
            seconds: 12.9,
            lines: &[(0.2, 3.6, Caller, HELLO), (3.9, 8.9, Caller, INVOICE), (9.8, 12.7, Callee, AMIABLE)],
        },
    ]
};

/// CSV file of leads with two invalid rows.
const LEADS_CSV: &str = "\
original_identifier,first_name,last_name,phone,country,city,birthdate,do_not_call,custom.tier
shop-1,Ada,Winter,+49 30 901820,DE,Berlin,1985-12-10,false,gold
shop-2,Bea,Sommer,,DE,Berlin,2026-02-30,false,gold
shop-3,Cyd,Marsh,020 7946 0018,GB,London,,true,
shop-4,Dov,Peretz,,IL,Haifa,,perhaps,silver
shop-5,Eva,Lind,,SE,Lund,1990-02-28,,silver
";

/// Fixed time of the server and the browser.
pub fn now() -> DateTime<Utc> {
    "2026-05-01T09:30:00Z".parse().unwrap()
}

/// Starts the server with role `api`, as in an installation with separate workers: it neither transcribes nor warns
/// about it.
pub async fn start_server() -> Server {
    let server = Server::start_configured(|config| config.worker.role = Role::Api).await;
    server.set_clock(now() - PREPARATION_TIME);
    server.load_demo().await;
    add_credentials(&server).await;
    add_transcripts(&server).await;
    add_deliveries(&server).await;
    server.admin().import_leads("autumn-leads.csv", LEADS_CSV).await;
    make_bulk_changes(&server).await;
    server.set_clock(now());
    server
}

/// Sets the browser's clock to the server's time and to a fixed time zone whenever a page loads, and hides scrollbars.
/// The clock runs, because Swagger UI waits for it.
pub async fn fix_clock_and_hide_scrollbars(page: &Page) {
    let script = format!(
        "{{
            const Real = Date;
            globalThis.Date = class extends Real {{
                constructor(...given) {{ given.length ? super(...given) : super(Date.now()) }}
                static now() {{ return {0} + Math.floor(performance.now()) }}
            }};
        }}",
        now().timestamp_millis()
    );
    page.devtools_command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    page.devtools_command("Emulation.setTimezoneOverride", json!({ "timezoneId": "Europe/Berlin" })).await;
    page.devtools_command("Emulation.setScrollbarsHidden", json!({ "hidden": true })).await;
}

/// Logs in as [`ADMIN_EMAIL`] with a fixed clock and without scrollbars.
pub async fn log_in(page: &Page) {
    fix_clock_and_hide_scrollbars(page).await;
    page.open("/login").await;
    submit_login(page, ADMIN_EMAIL, PASSWORD).await;
    page.wait_for("[data-test=user-menu]").await;
}

async fn add_credentials(server: &Server) {
    let admin = server.admin();
    for (email, role) in
        [(ADMIN_EMAIL, "admin"), ("petra.klein@example.com", "manager"), ("tom.reed@example.com", "viewer")]
    {
        server.create_user(email, role).await;
    }
    for (name, scopes, expires_at) in [
        ("Nightly export", json!(["leads:read"]), Value::Null),
        ("Telephone system", json!(["calls:read", "calls:write"]), json!("2026-12-31T23:00:00Z")),
    ] {
        let key = json!({ "name": name, "scopes": scopes, "expires_at": expires_at });
        admin.post("/api/api-keys", body(key)).await.expect(201);
    }
    server.create_speech_token("Complaints").await;
}

/// Transcribes calls; leaves one running, one queued and one failed.
async fn add_transcripts(server: &Server) {
    let token = server.create_speech_token("Quality team").await;
    for sample in &SAMPLE_TRANSCRIPTS {
        server.submit_call(sample.call, &token).await;
        let claimed = server.claim_transcription(sample.call).await;
        server.advance(TimeDelta::seconds(6));
        server.store_transcript(&claimed, &sample.transcript()).await;
        server.advance(TimeDelta::seconds(40));
    }
    server.submit_call(139, &token).await;
    server.fail_transcription(139, Message::from_stored("the recording can't be decoded".to_owned())).await;
    server.submit_call(146, &token).await;
    server.claim_transcription(146).await;
    server.submit_call(145, &token).await;
}

/// Requests deliveries of all transcripts to an endpoint that accepts some, rejects one, and fails temporarily.
async fn add_deliveries(server: &Server) {
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let is_owner = |token: &&Value| token["name"] == "Quality team";
    let token = tokens["items"].as_array().unwrap().iter().find(is_owner).unwrap();
    let request = json!({ "callback": { "callback_url": "https://crm.example.com/hooks/transcripts" } });
    let url = format!("/api/speech-tokens/{}/speech-requests", token["id"]);
    server.admin().post(&url, body(request)).await.expect(202);
    let in_minutes = |minutes| server.now() + TimeDelta::minutes(minutes);
    let (soon, later) = (in_minutes(5), in_minutes(90));
    for (status, next_state) in [
        (204, AttemptResult::Delivered),
        (204, AttemptResult::Delivered),
        (503, AttemptResult::Retry(soon)),
        (503, AttemptResult::Retry(later)),
        (410, AttemptResult::Failed),
        (204, AttemptResult::Delivered),
        (204, AttemptResult::Delivered),
    ] {
        server.finish_delivery(status, next_state).await;
    }
    server.set_clock(soon);
    server.finish_delivery(204, AttemptResult::Delivered).await;
}

/// Makes two bulk changes.
async fn make_bulk_changes(server: &Server) {
    let admin = server.admin();
    for (filter, set) in [
        (json!({ "city": "Berlin" }), json!({ "do_not_call": false, "freeze_until": "2026-05-04T07:00:00Z" })),
        (json!({ "country": "SE", "status": "new" }), json!({ "weight": 80 })),
    ] {
        let action = json!({ "filter": filter, "set": set });
        admin.post("/api/leads/actions", body(action)).await.expect(200);
        server.advance(TimeDelta::minutes(3));
    }
}

impl SampleTranscript {
    fn transcript(&self) -> NewTranscript {
        let segments = self.lines.iter().map(|(start, end, side, text)| {
            let words: Vec<_> = text.split(' ').collect();
            // The duration of a word is proportional to its length.
            let char_count = text.chars().count() as f64;
            let mut word_start = *start;
            let word = |word: &&str| {
                let this_start = word_start;
                word_start += (word.chars().count() + 1) as f64 / char_count * (end - start);
                Word { word: (*word).to_owned(), start: this_start, end: word_start.min(*end), confidence: 0.94 }
            };
            let words = words.iter().map(word).collect();
            Segment { start: *start, end: *end, side: *side, text: (*text).to_owned(), confidence: 0.94, words }
        });
        let spoken_seconds = |side: RecordingSide| -> f64 {
            self.lines.iter().filter(|line| line.2 == side).map(|(start, end, ..)| end - start).sum()
        };
        let sides = [RecordingSide::Caller, RecordingSide::Callee, RecordingSide::Both].into_iter();
        let sides = sides.filter(|side| spoken_seconds(*side) > 0.0).map(|side| TranscribedSide {
            side,
            language: Some(self.language.to_owned()),
            language_confidence: Some(0.98),
            speech_seconds: spoken_seconds(side),
        });
        NewTranscript {
            language: Some(self.language.to_owned()),
            duration: self.seconds,
            segments: segments.collect(),
            sides: sides.collect(),
            dropped: Vec::new(),
            redactions: 0,
            engine: SpeechEngine { name: "whisper.cpp".to_owned(), model: "base".to_owned() },
        }
    }
}
