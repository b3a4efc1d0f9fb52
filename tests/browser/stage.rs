//! Server with sample data and typical user changes at a fixed time, so that pages always look the same.

use chrono::{DateTime, TimeDelta, Utc};
use leadscribe_engine::api::{RecordingSide, Segment, SpeechEngine, TranscribedSide, Word};
use leadscribe_server::config::Role;
use leadscribe_server::storage::AfterAttempt;
use leadscribe_server::transcript::NewTranscript;
use serde_json::{Value, json};

use super::login::fill_in;
use super::page::Page;
use crate::harness::{PASSWORD, Server, body};

/// E-mail address of the logged-in user: an administrator, so that every page is visible.
pub const WHO: &str = "anna.meier@example.com";

/// Time that the preparation takes on the server's clock.
const PREPARED_IN: TimeDelta = TimeDelta::minutes(30);

/// Text of a sample call: language, length in seconds, and lines with start and end.
struct Said {
    call: i64,
    language: &'static str,
    seconds: f64,
    lines: &'static [(f64, f64, RecordingSide, &'static str)],
}

/// The texts are those of the recordings, see server/demo/recordings.
const SAID: [Said; 7] = {
    use RecordingSide::{Both, Callee, Caller};
    const DASHWOOD: &str = "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his \
                            power to do for them.";
    const HELLO: &str = "Hello, thank you for calling. My name is Anna.";
    const INVOICE: &str = "I would like to change my delivery address and ask about the invoice from last month.";
    const AMIABLE: &str = "He might even have been made amiable himself.";
    [
        Said { call: 120, language: "en", seconds: 9.1, lines: &[(0.2, 3.6, Both, HELLO), (3.9, 8.9, Both, INVOICE)] },
        Said {
            call: 124,
            language: "en",
            seconds: 12.9,
            lines: &[(0.2, 3.6, Caller, HELLO), (3.9, 8.9, Caller, INVOICE), (9.8, 12.7, Callee, AMIABLE)],
        },
        Said {
            call: 127,
            language: "en",
            seconds: 16.7,
            lines: &[(0.3, 6.9, Caller, DASHWOOD), (7.8, 11.2, Callee, HELLO), (11.5, 16.5, Callee, INVOICE)],
        },
        Said {
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
        Said {
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
        Said {
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
        Said {
            call: 144,
            language: "en",
            seconds: 12.9,
            lines: &[(0.2, 3.6, Caller, HELLO), (3.9, 8.9, Caller, INVOICE), (9.8, 12.7, Callee, AMIABLE)],
        },
    ]
};

/// CSV file of leads with two invalid rows.
const LEADS: &str = "\
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
pub async fn server() -> Server {
    let server = Server::configured(|config| config.worker.role = Role::Api).await;
    server.set_clock(now() - PREPARED_IN);
    server.load_demo().await;
    add_credentials(&server).await;
    transcribe(&server).await;
    deliver(&server).await;
    import(&server).await;
    change_many(&server).await;
    server.set_clock(now());
    server
}

/// Fixes the browser's clock to the server's time in a fixed time zone, and stops animations.
pub async fn hold_still(page: &Page) {
    let script = format!(
        "{{
            const Real = Date;
            globalThis.Date = class extends Real {{
                constructor(...given) {{ given.length ? super(...given) : super({0}) }}
                static now() {{ return {0} }}
            }};
        }}",
        now().timestamp_millis()
    );
    page.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    page.command("Emulation.setTimezoneOverride", json!({ "timezoneId": "Europe/Berlin" })).await;
    page.command("Emulation.setScrollbarsHidden", json!({ "hidden": true })).await;
}

/// Logs in as [`WHO`] with a fixed clock and no animations.
pub async fn enter(page: &Page) {
    hold_still(page).await;
    page.open("/login").await;
    fill_in(page, WHO, PASSWORD).await;
    page.see("[data-test=user-menu]").await;
}

async fn add_credentials(server: &Server) {
    let admin = server.admin();
    for (email, role) in [(WHO, "admin"), ("petra.klein@example.com", "manager"), ("tom.reed@example.com", "viewer")] {
        server.user(email, role).await;
    }
    for (name, scopes, expires_at) in [
        ("Nightly export", json!(["leads:read"]), Value::Null),
        ("Telephone system", json!(["calls:read", "calls:write"]), json!("2026-12-31T23:00:00Z")),
    ] {
        let key = json!({ "name": name, "scopes": scopes, "expires_at": expires_at });
        admin.post("/api/api-keys", body(key)).await.expect(201);
    }
    server.speech_token("Complaints").await;
}

/// Transcribes calls; leaves one running, one queued and one failed.
async fn transcribe(server: &Server) {
    let token = server.speech_token("Quality team").await;
    for said in &SAID {
        server.submit(said.call, &token).await;
        let work = server.begin(said.call).await;
        server.advance(TimeDelta::seconds(6));
        server.finish_with(&work, &said.transcript()).await;
        server.advance(TimeDelta::seconds(40));
    }
    server.submit(139, &token).await;
    server.fail(139, "the recording can't be decoded").await;
    server.submit(146, &token).await;
    server.begin(146).await;
    server.submit(145, &token).await;
}

/// Orders deliveries of all transcripts to an endpoint that accepts some, rejects one, and fails temporarily.
async fn deliver(server: &Server) {
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let is_owner = |token: &&Value| token["name"] == "Quality team";
    let token = tokens["items"].as_array().unwrap().iter().find(is_owner).unwrap();
    let asked = json!({ "callback": { "callback_url": "https://crm.example.com/hooks/transcripts" } });
    let url = format!("/api/speech-tokens/{}/speech-requests", token["id"]);
    server.admin().post(&url, body(asked)).await.expect(202);
    let later = |minutes| server.now() + TimeDelta::minutes(minutes);
    let (soon, later) = (later(5), later(90));
    for (status, after) in [
        (204, AfterAttempt::Delivered),
        (204, AfterAttempt::Delivered),
        (503, AfterAttempt::Retry(soon)),
        (503, AfterAttempt::Retry(later)),
        (410, AfterAttempt::Failed),
        (204, AfterAttempt::Delivered),
        (204, AfterAttempt::Delivered),
    ] {
        server.deliver(status, after).await;
    }
    server.set_clock(soon);
    server.deliver(204, AfterAttempt::Delivered).await;
}

async fn import(server: &Server) {
    let admin = server.admin();
    let csv = admin.with_header("content-type", "text/csv");
    let begun = csv.post("/api/imports/leads?file_name=autumn-leads.csv", LEADS).await.expect(202);
    let path = format!("/api/imports/{}", begun["id"]);
    while admin.get(&path).await.expect(200)["state"] == "running" {
        tokio::task::yield_now().await;
    }
}

/// Makes two bulk changes.
async fn change_many(server: &Server) {
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

impl Said {
    fn transcript(&self) -> NewTranscript {
        let segments = self.lines.iter().map(|(start, end, side, text)| {
            let words: Vec<_> = text.split(' ').collect();
            // The duration of a word is proportional to its length.
            let all = text.chars().count() as f64;
            let mut from = *start;
            let word = |word: &&str| {
                let begin = from;
                from += (word.chars().count() + 1) as f64 / all * (end - start);
                Word { word: (*word).to_owned(), start: begin, end: from.min(*end), confidence: 0.94 }
            };
            let words = words.iter().map(word).collect();
            Segment { start: *start, end: *end, side: *side, text: (*text).to_owned(), confidence: 0.94, words }
        });
        let spoken = |side: RecordingSide| -> f64 {
            self.lines.iter().filter(|line| line.2 == side).map(|(start, end, ..)| end - start).sum()
        };
        let sides = [RecordingSide::Caller, RecordingSide::Callee, RecordingSide::Both].into_iter();
        let sides = sides.filter(|side| spoken(*side) > 0.0).map(|side| TranscribedSide {
            side,
            language: Some(self.language.to_owned()),
            language_confidence: Some(0.98),
            speech_seconds: spoken(side),
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
