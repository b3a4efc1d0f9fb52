//! API reference page: searching operations, trying them, their requests as code, and the filter playground.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::access::permit_clipboard;
use super::journey;
use super::leads::{found, sent_by};
use super::login::log_in;
use super::page::Page;

const SEARCH: &str = "[data-test=operation-search]";
const PATH: &str = "[data-test=operation-path]";
const SEND: &str = "[data-test=send]";
const STATUS: &str = "[data-test=reply-status]";
const BODY: &str = "[data-test=try-body]";
const READ_LEAD: &str = "/api-reference?operation=get_leads_lead_id";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operation_is_found_by_search_and_link() {
    journey("api_search", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.press("g").await;
        page.press("a").await;
        page.is_at("/api-reference").await;
        page.see("[data-test=group]").await;

        page.fill(SEARCH, "no such operation").await;
        page.see("[data-test=no-operation]").await;
        page.fill(SEARCH, "get lead_id").await;
        page.see_gone("[data-id=get_users]").await;
        page.press(&Key::Down).await;
        page.press(&Key::Down).await;
        page.press(&Key::Up).await;
        page.press(&Key::Enter).await;
        page.is_at(READ_LEAD).await;
        page.shows(PATH, "/api/leads/{lead_id}").await;
        page.see("[data-test=operation][data-id=get_leads_lead_id][aria-current=page]").await;

        // Enter opens the first result.
        page.fill(SEARCH, "openapi").await;
        page.press(&Key::Enter).await;
        page.is_at("/api-reference?operation=get_openapi_json").await;
        page.run("history.back()", Value::Null).await;
        page.is_at(READ_LEAD).await;
        page.shows(PATH, "/api/leads/{lead_id}").await;
        page.reload().await;
        page.shows(PATH, "/api/leads/{lead_id}").await;

        page.open("/api-reference?operation=get_nothing").await;
        page.shows("[data-test=empty] h2", "Operation not found").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operation_shows_parameters_and_responses() {
    journey("api_read", async |page, server| {
        log_in(page, server, Role::Viewer, "/api-reference?operation=post_speech_recognition").await;
        page.shows(PATH, "/api/speech-recognition").await;
        let members = page.texts("[aria-label=Body] .schema-members > li").await;
        let ids = members.iter().find(|member| member.starts_with("call_ids")).expect("it has call_ids");
        for part in ["list of integer", "required", "1 to 1,000 entries"] {
            assert!(ids.contains(part), "{part:?} is missing in {ids:?}");
        }
        let sides = members.iter().find(|member| member.starts_with("recording_side")).expect("it has recording_side");
        assert!(["caller", "callee", "both"].iter().all(|side| sides.contains(side)), "{sides:?}");

        page.click("[data-test=answer][data-status='401'] summary").await;
        let codes = page.text("[data-test=answer][data-status='401'] [data-test=codes]").await;
        assert!(codes.contains("invalid_token"), "{codes}");
        // A nested schema opens on click.
        let good = "[data-test=answer][data-status='200']";
        page.click(&format!("{good} .schema-more > summary")).await;
        page.see(&format!("{good} .schema-more .schema-members > li")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn request_can_be_sent_with_session_or_api_key() {
    journey("api_try", async |page, server| {
        let lead = server.admin().create("/api/leads", json!({ "first_name": "Zebulon" })).await;
        log_in(page, server, Role::Viewer, READ_LEAD).await;
        page.click(SEND).await;
        page.shows(".parameter [data-test=fault]", "Expected a value, found none.").await;
        assert!(!page.sees("[data-test=reply]").await);
        // The missing parameter gets the focus. Its fault disappears while it is filled in, and Enter sends the
        // request.
        let focused = async || page.run("return document.activeElement.dataset.test", Value::Null).await;
        page.until_equal("what is missing has the focus", json!("param-lead_id"), focused).await;
        page.press(&lead.to_string()).await;
        page.see_gone(".parameter [data-test=fault]").await;
        page.press(&Key::Enter).await;
        page.shows(STATUS, "200 OK").await;
        assert!(page.text("[data-test=reply-body]").await.contains("\"first_name\": \"Zebulon\""));
        assert!(page.text("[data-test=reply-time]").await.ends_with(" ms"));
        assert!(page.text("[data-test=reply-headers]").await.contains("x-request-id"));
        page.see("[data-test=save-reply][href^='blob:']").await;

        // The server's error is shown at its parameter.
        page.fill("[data-test=param-lead_id]", "none").await;
        page.click(SEND).await;
        page.shows(STATUS, "400 Bad Request").await;
        page.see(".parameter [data-test=fault]").await;

        page.fill("[data-test=param-lead_id]", &lead.to_string()).await;
        page.click("[data-test=with-key]").await;
        page.see("[data-test=try-key][type=password]").await;
        page.fill("[data-test=try-key]", "ls_key_wrong").await;
        page.click(SEND).await;
        page.shows(STATUS, "401 Unauthorized").await;
        page.shows("[data-test=reply] [data-test=error] strong", "Invalid API key").await;
        // The focus stays on the button, and the response is scrolled into view.
        page.until_equal("the button has the focus", json!("send"), focused).await;
        let is_in_sight = "const reply = document.querySelector('[data-test=reply]').getBoundingClientRect();
            return reply.top >= 0 && reply.top < innerHeight && (reply.bottom <= innerHeight || reply.top < 200)";
        let in_sight = async || page.run(is_in_sight, Value::Null).await;
        page.until_equal("the answer is in sight", json!(true), in_sight).await;
        page.fill("[data-test=try-key]", server.admin_key()).await;
        page.click(SEND).await;
        page.shows(STATUS, "200 OK").await;

        // The key applies to the next operation, and to no other page.
        page.fill(SEARCH, "get /api/users").await;
        page.press(&Key::Enter).await;
        page.shows(PATH, "/api/users").await;
        page.click(SEND).await;
        page.shows(STATUS, "200 OK").await;
        let kept = "return JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href
            + document.body.innerText";
        let kept = page.run(kept, Value::Null).await;
        assert!(!kept.as_str().unwrap().contains(server.admin_key()), "{kept}");
        page.click("[data-test=with-session]").await;
        page.see("[data-test=not-permitted]").await;
        page.click(SEND).await;
        page.shows(STATUS, "403 Forbidden").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_are_confirmed_once_and_faults_show_in_place() {
    journey("api_fault", async |page, server| {
        log_in(page, server, Role::Manager, "/api-reference?operation=post_leads").await;
        page.see(BODY).await;
        page.fill(BODY, r#"{"frist_name": "Zebulon"}"#).await;
        page.click(SEND).await;
        page.click("[data-test=confirm-dialog] .dialog-foot .button:first-child").await;
        page.see_gone("[data-test=confirm-dialog]").await;
        assert!(!page.sees("[data-test=reply]").await, "nothing is sent unasked");

        page.click(SEND).await;
        page.click("[data-test=confirm]").await;
        page.shows(STATUS, "400 Bad Request").await;
        assert!(page.text("[data-test=reply-body]").await.contains("\"pointer\": \"/frist_name\""));
        let marked = "return [...document.querySelectorAll('.json-copy mark')].map(mark => mark.textContent)";
        let expected = json!(["\"frist_name\""]);
        page.until_equal("the fault is marked", expected, async || page.run(marked, Value::Null).await).await;

        page.click("[data-test=use-suggestion]").await;
        page.see_gone("[data-test=fault]").await;
        page.click(SEND).await;
        page.shows(STATUS, "201 Created").await;
        let headers = page.text("[data-test=reply-headers]").await;
        let id = headers.lines().find_map(|line| line.split("/api/leads/").nth(1)).expect("a location").to_owned();

        // Each deletion needs its own confirmation.
        page.open("/api-reference?operation=delete_leads_lead_id").await;
        page.fill("[data-test=param-lead_id]", &id).await;
        page.click(SEND).await;
        page.click("[data-test=confirm]").await;
        page.shows(STATUS, "204 No Content").await;
        page.see("[data-test=reply-empty]").await;
        page.click(SEND).await;
        page.click("[data-test=confirm]").await;
        page.shows(STATUS, "404 Not Found").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_binary_and_streamed_responses_are_abridged() {
    journey("api_answers", async |page, server| {
        log_in(page, server, Role::Admin, "/api-reference?operation=get_openapi_json").await;
        page.click(SEND).await;
        page.see("[data-test=reply-cut]").await;
        page.see("[data-test=save-reply][download='openapi.json']").await;

        page.open("/api-reference?operation=get_calls_call_id_recording").await;
        page.fill("[data-test=param-call_id]", "148").await;
        page.click(SEND).await;
        page.shows(STATUS, "200 OK").await;
        page.see("[data-test=reply-binary]").await;
        page.see("[data-test=save-reply][download^='recording.']").await;

        page.open("/api-reference?operation=get_events").await;
        page.click(SEND).await;
        page.click("[data-test=stop]").await;
        page.see(":is([data-test=reply], [data-test=stopped])").await;
        page.see_gone("[data-test=stop]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copied_request_code_works() {
    journey("api_code", async |page, server| {
        permit_clipboard(page, server).await;
        log_in(page, server, Role::Viewer, "/api-reference?operation=put_leads_extended_data").await;
        page.see(BODY).await;
        let filter = json!({ "last_name": { "starts_with": "S" }, "limit": "3;0" });
        let total = found(&server.admin(), &filter).await["total_leads"].clone();
        page.fill(BODY, &filter.to_string()).await;
        let line = page.text("[data-test=curl]").await;
        assert_eq!(sent_by(&line, server).await["total_leads"], total, "{line}");

        page.click("[data-test=code-python]").await;
        let code = page.text("[data-test=python]").await;
        assert!(code.contains("os.environ['LEADSCRIBE_API_KEY']") && code.contains("json={"), "{code}");

        page.click("[data-test=code-javascript]").await;
        let code = page.text("[data-test=javascript]").await;
        page.click(".curl [data-test=copy]").await;
        page.shows(".curl [data-test=copy]", "Copied").await;
        let read = "const done = arguments[arguments.length - 1]; navigator.clipboard.readText().then(done, error => done(`${error}`))";
        assert_eq!(page.run_async(read, Vec::new()).await, json!(code));
        // Run as a program outside of the panel.
        let key = server.admin_key();
        let program = format!(
            "const done = arguments[arguments.length - 1];
            const process = {{ env: {{ LEADSCRIBE_API_KEY: '{key}' }} }};
            (async () => {{
                const console = {{ log: (status, text) => done([status, text]) }};
                {code}
            }})().catch(error => done([`${{error}}`]))"
        );
        let told = page.run_async(&program, Vec::new()).await;
        assert_eq!(told[0], 200, "{told}");
        let answer: Value = serde_json::from_str(told[1].as_str().unwrap()).unwrap();
        assert_eq!(answer["total_leads"], total);
        // The selected language is remembered.
        page.reload().await;
        page.see("[data-test=javascript]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filter_playground_runs_filters() {
    journey("api_playground", async |page, server| {
        log_in(page, server, Role::Viewer, "/api-reference").await;
        page.click("#api-tab-playground").await;
        page.is_at("/api-reference?tab=playground").await;
        page.shows("[data-test=reading]", "Leads with status New or Callback, with calls below 3; at most 10.").await;
        page.fill_filter(r#"{"last_name":{"starts_with":"S"},"limit":"5;0"}"#).await;
        page.shows("[data-test=reading]", "Leads with last name starting with S; at most 5.").await;
        let filter = json!({ "last_name": { "starts_with": "S" }, "limit": "5;0" });
        let expected = found(&server.admin(), &filter).await;
        let line = page.text("[data-test=curl]").await;
        assert_eq!(sent_by(&line, server).await["total_leads"], expected["total_leads"], "{line}");

        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", &format!("{} leads", expected["total_leads"])).await;
        let ids: Vec<_> = expected["leads"].as_array().unwrap().iter().map(|lead| lead["id"].to_string()).collect();
        page.lists("[data-test=lead-row]", "data-id", &ids).await;

        // The link restores the filter, and Back the previous state.
        page.fill_filter(r#"{"id":1,"limit":"5;0"}"#).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "1 lead").await;
        page.run("history.back()", Value::Null).await;
        page.lists("[data-test=lead-row]", "data-id", &ids).await;
        page.reload().await;
        page.lists("[data-test=lead-row]", "data-id", &ids).await;

        page.fill_filter(r#"{"ctiy":"Bonn"}"#).await;
        page.see("[data-test=fault]").await;
        assert!(!page.see("[data-test=apply]").await.is_enabled().await.unwrap());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_documented_operation_can_be_opened() {
    journey("api_all", async |page, server| {
        let document = server.admin().get("/api/openapi.json").await.expect(200);
        let items = document["paths"].as_object().unwrap();
        let count: usize = items.values().map(|item| item.as_object().unwrap().len()).sum();
        log_in(page, server, Role::Admin, "/api-reference").await;
        page.click(SEARCH).await;
        let mut opened = Vec::new();
        for _ in 0..count {
            // Moves from one operation to the next by keyboard.
            page.press(&Key::Down).await;
            page.press(&Key::Enter).await;
            let id = opened_next(page, opened.last()).await;
            let operation = items
                .iter()
                .flat_map(|(path, item)| item.as_object().unwrap().values().map(move |said| (path, said)))
                .find(|(_, said)| said["operationId"] == id.as_str());
            let (path, said) = operation.unwrap_or_else(|| panic!("{id} is not in the document"));
            page.shows(PATH, path).await;
            let unfold = "document.querySelectorAll('[data-test=answer]').forEach(answer => { answer.open = true; })";
            page.run(unfold, Value::Null).await;
            let answers = said["responses"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            page.lists("[data-test=answer]", "data-status", &answers).await;
            opened.push(id);
        }
        opened.sort();
        opened.dedup();
        assert_eq!(opened.len(), count);
    })
    .await;
}

/// Waits until another operation than `before` is shown, and returns its id.
async fn opened_next(page: &Page, before: Option<&String>) -> String {
    page.until("the next operation is opened", async || {
        let script = "return document.querySelector('[data-test=operation-sheet]')?.dataset.id ?? null";
        let id = page.run(script, Value::Null).await.as_str()?.to_owned();
        (before != Some(&id)).then_some(id)
    })
    .await
}
