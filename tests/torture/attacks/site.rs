//! The server under attack, with credentials and data of attackers and bystanders.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::harness::{
    Database, Endpoint, Installation, PASSWORD, Program, SpeechServer, eventually, log_in, record_call, submission,
};
use crate::torture::probe::Request;

/// Leads in Berlin, in one campaign. Their ids begin with 1.
pub const LEADS: u32 = 100_000;
/// Calls without recordings.
const CALLS: u32 = 100_000;
/// E-mail addresses of the bystander and of the attacker.
const BYSTANDER: &str = "bystander@example.com";
const ATTACKER: &str = "attacker@example.com";

/// Running server with data.
pub struct Site {
    pub program: Program,
    /// API key of the attacker.
    pub key: String,
    /// Speech recognition token of the attacker, with a transcript.
    pub token: String,
    /// Session cookie and CSRF token of the attacker.
    pub session: (String, String),
    /// Call of the transcript.
    pub call: u64,
    /// Endpoint of the attacker, which accepts every delivery immediately.
    pub endpoint: Endpoint,
    /// API key of the bystander, and a lead search with it.
    own_key: String,
    own_request: Request,
    installation: Installation,
    database: Option<leadscribe_test_postgres::Database>,
    _speech: SpeechServer,
}

impl Site {
    /// Starts the server with default limits, except that log-in attempts are unlimited.
    pub async fn start(database: Database) -> Self {
        let database = database.make().await;
        let mut installation = Installation::on_either(database.as_ref());
        for limit in ["LEADSCRIBE_ACCOUNT_ATTEMPTS", "LEADSCRIBE_ADDRESS_ATTEMPTS"] {
            installation.set(limit, "1000000");
        }
        installation.set("LEADSCRIBE_CALLBACK_NETWORKS", "127.0.0.1");
        let (key, own_key) = (installation.key(), installation.key());
        let campaigns = installation.write("campaigns.csv", "id,name,active\n1,Solar,true\n");
        installation.run(&["import", "campaigns", &campaigns]);
        let leads = installation.write("leads.csv", &lead_rows("L", "Berlin", LEADS));
        installation.run(&["import", "leads", &leads]);
        let members = (1..=LEADS).fold("lead_id,campaign_id\n".to_owned(), |mut rows, id| {
            writeln!(rows, "{id},1").unwrap();
            rows
        });
        let members = installation.write("campaign_leads.csv", &members);
        installation.run(&["import", "campaign-leads", &members]);

        let calls = (1..=CALLS).fold("id,direction,status,agent\n".to_owned(), |mut rows, id| {
            writeln!(rows, "{id},outbound,answered,Agent {id}").unwrap();
            rows
        });
        let calls = installation.write("calls.csv", &calls);
        installation.run(&["import", "calls", &calls]);

        let speech = SpeechServer::saying("please send the invoice again", Duration::ZERO).await;
        let program = installation.launch(&speech, &[]).ready().await;
        let client = program.client().with_key(&own_key);
        for email in [BYSTANDER, ATTACKER] {
            client.create("/api/users", json!({ "email": email, "password": PASSWORD, "role": "viewer" })).await;
        }
        let logged_in = log_in(&program.client(), ATTACKER, PASSWORD).await;
        let csrf_token = logged_in.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        let session = (crate::harness::cookie(&logged_in), csrf_token);
        let endpoint = Endpoint::answering(&[]).await;
        let own_request = Request::with_key(Method::PUT, &program, "/api/leads/extended-data", &own_key);
        let mut site = Self {
            program,
            key,
            token: String::new(),
            session,
            call: 0,
            endpoint,
            own_key,
            own_request,
            installation,
            database,
            _speech: speech,
        };
        site.replace_token().await;
        site
    }

    /// Gives the attacker a new token, with a transcript and its whole storage allowance.
    pub async fn replace_token(&mut self) {
        self.token = self.installation.token();
        let client = self.program.client();
        self.call = record_call(&client.with_key(&self.own_key)).await;
        client.post("/api/speech-recognition", submission(&self.token, &[self.call])).await.expect(200);
        let holder = client.with_header("x-speech-token", &self.token);
        let transcript = format!("/api/speech-recognition/{}", self.call);
        eventually("the call is transcribed", async || holder.get(&transcript).await.status == 200).await;
    }

    /// Returns a request of the attacker with the API key.
    pub fn by_key(&self, method: Method, path: &str) -> Request {
        Request::with_key(method, &self.program, path, &self.key)
    }

    /// Returns a request of the attacker with the session.
    pub fn by_session(&self, method: Method, path: &str) -> Request {
        let (cookie, csrf_token) = &self.session;
        Request::new(method, &self.program, path).header("cookie", cookie).header("x-csrf-token", csrf_token)
    }

    /// Returns a request of the attacker with the speech recognition token.
    pub fn by_token(&self, method: Method, path: &str) -> Request {
        Request::new(method, &self.program, path).header("x-speech-token", &self.token)
    }

    /// Returns the bystander's log-in request.
    pub fn log_in(&self) -> Request {
        let body = json!({ "email": BYSTANDER, "password": PASSWORD }).to_string();
        Request::new(Method::POST, &self.program, "/api/session").body(&body)
    }

    /// Returns a lead search of the bystander, which the lead index answers.
    pub fn look_up(&self, filter: &Value) -> Request {
        self.own_request.clone().body(&filter.to_string())
    }

    /// Returns the bystander's request that creates a lead in a city.
    pub fn create(&self, city: &str) -> Request {
        let request = self.own_request.clone().to(Method::POST, &self.program, "/api/leads");
        request.body(&json!({ "city": city }).to_string())
    }

    /// Returns the bystander's request that moves a lead to another city.
    pub fn change(&self, lead: i64, city: &str) -> Request {
        let request = self.own_request.clone().to(Method::PATCH, &self.program, &format!("/api/leads/{lead}"));
        request.body(&json!({ "city": city }).to_string())
    }

    /// Returns a health check.
    pub fn health(&self) -> Request {
        Request::new(Method::GET, &self.program, "/healthz")
    }

    /// Returns the size of the data folder and of a PostgreSQL database in bytes.
    pub fn disk(&self) -> u64 {
        let in_postgres = self.database.as_ref().map_or(0, |database| {
            let size = "SELECT pg_database_size(current_database())";
            block_in_place(|| leadscribe_test_postgres::sql(database.url(), size)).unwrap().parse().unwrap()
        });
        bytes_below(&self.installation.data()) + in_postgres
    }

    /// Checks that the server is ready, logs in and writes.
    pub async fn expect_healthy(&self) {
        let client = self.program.client().with_key(&self.own_key);
        assert_eq!(client.get("/readyz").await.status, 200);
        assert_eq!(self.log_in().send().await.status, 200);
        client.create("/api/leads", json!({ "city": "Bonn" })).await;
    }
}

/// Returns a CSV file of leads in one city, whose identifiers have this prefix.
pub fn lead_rows(prefix: &str, city: &str, count: u32) -> String {
    let header = "original_identifier,first_name,last_name,email,city,phone\n".to_owned();
    (1..=count).fold(header, |mut rows, number| {
        let lead = format!("{prefix}{number},Ada{number},Lovelace{number},ada{number}@example.com");
        writeln!(rows, "{lead},{city},+4930{number:07}").unwrap();
        rows
    })
}

/// Returns the total size of the files. A file may be deleted while its folder is read.
fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}
