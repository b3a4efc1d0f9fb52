//! The server under attack, with credentials and data of attackers and bystanders.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::harness::{
    Database, Endpoint, Installation, PASSWORD, ServerProcess, SpeechServer, create_recorded_call, eventually, log_in,
    submission_body,
};
use crate::torture::timed_requests::Request;

/// Leads in Berlin, in one campaign. Their ids begin with 1.
pub const LEAD_COUNT: u32 = 100_000;
/// Calls without recordings.
const CALL_COUNT: u32 = 100_000;
/// Email address of the bystander.
const BYSTANDER_EMAIL: &str = "bystander@example.com";
/// Email address of the attacker.
const ATTACKER_EMAIL: &str = "attacker@example.com";

/// Running server with data.
pub struct AttackedServer {
    pub process: ServerProcess,
    /// API key of the attacker.
    pub key: String,
    /// Speech token of the attacker, with a transcript.
    pub token: String,
    /// Session cookie and CSRF token of the attacker.
    pub session: (String, String),
    /// Call of the transcript.
    pub call: u64,
    /// Endpoint of the attacker, which accepts every delivery immediately.
    pub endpoint: Endpoint,
    /// API key of the bystander.
    bystander_key: String,
    /// Lead search of the bystander, without a filter.
    bystander_request: Request,
    installation: Installation,
    database: Option<leadscribe_test_postgres::Database>,
    _speech: SpeechServer,
}

impl AttackedServer {
    /// Starts the server with default limits, except that login attempts are unlimited.
    pub async fn start(database: Database) -> Self {
        let database = database.create().await;
        let mut installation = Installation::with_database(database.as_ref());
        for limit in ["LEADSCRIBE_ACCOUNT_ATTEMPTS", "LEADSCRIBE_ADDRESS_ATTEMPTS"] {
            installation.set(limit, "1000000");
        }
        installation.set("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1");
        let (key, bystander_key) = (installation.create_api_key(), installation.create_api_key());
        let campaigns = installation.write_file("campaigns.csv", "id,name,active\n1,Solar,true\n");
        installation.run_command(&["import", "campaigns", &campaigns]);
        let leads = installation.write_file("leads.csv", &lead_rows("L", "Berlin", LEAD_COUNT));
        installation.run_command(&["import", "leads", &leads]);
        let campaign_leads = (1..=LEAD_COUNT).fold("lead_id,campaign_id\n".to_owned(), |mut rows, id| {
            writeln!(rows, "{id},1").unwrap();
            rows
        });
        let campaign_leads = installation.write_file("campaign_leads.csv", &campaign_leads);
        installation.run_command(&["import", "campaign-leads", &campaign_leads]);

        let calls = (1..=CALL_COUNT).fold("id,direction,status,agent\n".to_owned(), |mut rows, id| {
            writeln!(rows, "{id},outbound,answered,Agent {id}").unwrap();
            rows
        });
        let calls = installation.write_file("calls.csv", &calls);
        installation.run_command(&["import", "calls", &calls]);

        let speech = SpeechServer::start("please send the invoice again", Duration::ZERO).await;
        let program = installation.launch(&speech, &[]).wait_until_ready().await;
        let client = program.client().with_key(&bystander_key);
        for email in [BYSTANDER_EMAIL, ATTACKER_EMAIL] {
            client.create("/api/users", json!({ "email": email, "password": PASSWORD, "role": "viewer" })).await;
        }
        let logged_in = log_in(&program.client(), ATTACKER_EMAIL, PASSWORD).await;
        let csrf_token = logged_in.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        let session = (crate::harness::session_cookie(&logged_in), csrf_token);
        let endpoint = Endpoint::start(&[]).await;
        let bystander_request = Request::with_key(Method::PUT, &program, "/api/leads/extended-data", &bystander_key);
        let mut site = Self {
            process: program,
            key,
            token: String::new(),
            session,
            call: 0,
            endpoint,
            bystander_key,
            bystander_request,
            installation,
            database,
            _speech: speech,
        };
        site.replace_token().await;
        site
    }

    /// Gives the attacker a new token, with a transcript and an unused storage quota.
    pub async fn replace_token(&mut self) {
        self.token = self.installation.create_speech_token();
        let client = self.process.client();
        self.call = create_recorded_call(&client.with_key(&self.bystander_key)).await;
        client.post("/api/speech-recognition", submission_body(&self.token, &[self.call])).await.expect(200);
        let token_client = client.with_header("x-speech-token", &self.token);
        let transcript = format!("/api/speech-recognition/{}", self.call);
        eventually("the call is transcribed", async || token_client.get(&transcript).await.status == 200).await;
    }

    /// Returns a request of the attacker with the API key.
    pub fn attacker_request_with_key(&self, method: Method, path: &str) -> Request {
        Request::with_key(method, &self.process, path, &self.key)
    }

    pub fn attacker_request_with_session(&self, method: Method, path: &str) -> Request {
        let (cookie, csrf_token) = &self.session;
        Request::new(method, &self.process, path).header("cookie", cookie).header("x-csrf-token", csrf_token)
    }

    /// Returns a request of the attacker with the speech token.
    pub fn attacker_request_with_token(&self, method: Method, path: &str) -> Request {
        Request::new(method, &self.process, path).header("x-speech-token", &self.token)
    }

    pub fn bystander_login(&self) -> Request {
        let body = json!({ "email": BYSTANDER_EMAIL, "password": PASSWORD }).to_string();
        Request::new(Method::POST, &self.process, "/api/session").body(&body)
    }

    /// Returns a lead search of the bystander, which the lead index answers.
    pub fn bystander_search(&self, filter: &Value) -> Request {
        self.bystander_request.clone().body(&filter.to_string())
    }

    /// Returns the bystander's request that creates a lead in a city.
    pub fn create_lead(&self, city: &str) -> Request {
        let request = self.bystander_request.clone().with_target(Method::POST, &self.process, "/api/leads");
        request.body(&json!({ "city": city }).to_string())
    }

    /// Returns the bystander's request that moves a lead to another city.
    pub fn change_lead(&self, lead: i64, city: &str) -> Request {
        let request =
            self.bystander_request.clone().with_target(Method::PATCH, &self.process, &format!("/api/leads/{lead}"));
        request.body(&json!({ "city": city }).to_string())
    }

    /// Returns the bystander's request for one lead, which is read from the database.
    pub fn single_lead(&self) -> Request {
        self.bystander_request.clone().with_target(Method::GET, &self.process, "/api/leads/1").body("")
    }

    pub fn health_check(&self) -> Request {
        Request::new(Method::GET, &self.process, "/healthz")
    }

    /// Returns the size of the data folder and of a PostgreSQL database in bytes.
    pub fn disk_usage(&self) -> u64 {
        let postgres_bytes = self.database.as_ref().map_or(0, |database| {
            let size_query = "SELECT pg_database_size(current_database())";
            block_in_place(|| leadscribe_test_postgres::sql(database.url(), size_query)).unwrap().parse().unwrap()
        });
        folder_size(&self.installation.data_dir()) + postgres_bytes
    }

    /// Checks that the server is ready, logs in and writes.
    pub async fn assert_healthy(&self) {
        let client = self.process.client().with_key(&self.bystander_key);
        assert_eq!(client.get("/readyz").await.status, 200);
        assert_eq!(self.bystander_login().send().await.status, 200);
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
fn folder_size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => folder_size(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}
