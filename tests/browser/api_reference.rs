//! API reference page: searching operations, trying them, their requests as code, and the filter playground.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::access::grant_clipboard;
use super::leads::{run_curl_command, search_leads};
use super::login::log_in;
use super::page::Page;
use super::run_journey;

const SEARCH_INPUT: &str = "[data-test=operation-search]";
const OPERATION_PATH: &str = "[data-test=operation-path]";
const SEND_BUTTON: &str = "[data-test=send]";
const RESPONSE_STATUS: &str = "[data-test=reply-status]";
const BODY_EDITOR: &str = "[data-test=try-body]";
const READ_LEAD_PATH: &str = "/api-reference?operation=get_leads_lead_id";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operation_is_found_by_search_and_link() {
    run_journey("operation_is_found_by_search_and_link", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.wait_for("[data-test=lead-row]").await;
        page.type_keys("g").await;
        page.type_keys("a").await;
        page.expect_location("/api-reference").await;
        page.wait_for("[data-test=group]").await;

        page.fill(SEARCH_INPUT, "no such operation").await;
        page.wait_for("[data-test=no-operation]").await;
        page.fill(SEARCH_INPUT, "get lead_id").await;
        page.wait_until_gone("[data-id=get_users]").await;
        page.type_keys(&Key::Down).await;
        page.type_keys(&Key::Down).await;
        page.type_keys(&Key::Up).await;
        page.type_keys(&Key::Enter).await;
        page.expect_location(READ_LEAD_PATH).await;
        page.expect_text(OPERATION_PATH, "/api/leads/{lead_id}").await;
        page.wait_for("[data-test=operation][data-id=get_leads_lead_id][aria-current=page]").await;

        // Enter opens the first result.
        page.fill(SEARCH_INPUT, "openapi").await;
        page.type_keys(&Key::Enter).await;
        page.expect_location("/api-reference?operation=get_openapi_json").await;
        page.run_script("history.back()", Value::Null).await;
        page.expect_location(READ_LEAD_PATH).await;
        page.expect_text(OPERATION_PATH, "/api/leads/{lead_id}").await;
        page.reload().await;
        page.expect_text(OPERATION_PATH, "/api/leads/{lead_id}").await;

        page.open("/api-reference?operation=get_nothing").await;
        page.expect_text("[data-test=empty-state] h2", "Operation not found").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operation_shows_parameters_and_responses() {
    run_journey("operation_shows_parameters_and_responses", async |page, server| {
        log_in(page, server, Role::Viewer, "/api-reference?operation=post_speech_recognition").await;
        page.expect_text(OPERATION_PATH, "/api/speech-recognition").await;
        let members = page.texts("[aria-label=Body] .schema-members > li").await;
        let ids = members.iter().find(|member| member.starts_with("call_ids")).expect("no member call_ids");
        for part in ["list of integer", "required", "1 to 1,000 entries"] {
            assert!(ids.contains(part), "{part:?} is missing in {ids:?}");
        }
        let sides =
            members.iter().find(|member| member.starts_with("recording_side")).expect("no member recording_side");
        assert!(["caller", "callee", "both"].iter().all(|side| sides.contains(side)), "{sides:?}");

        page.click("[data-test=answer][data-status='401'] summary").await;
        let codes = page.text("[data-test=answer][data-status='401'] [data-test=codes]").await;
        assert!(codes.contains("invalid_token"), "{codes}");
        // A nested schema opens on click.
        let success_response = "[data-test=answer][data-status='200']";
        page.click(&format!("{success_response} .schema-more > summary")).await;
        page.wait_for(&format!("{success_response} .schema-more .schema-members > li")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn request_can_be_sent_with_session_or_api_key() {
    run_journey("request_can_be_sent_with_session_or_api_key", async |page, server| {
        let lead = server.admin().create("/api/leads", json!({ "first_name": "Zebulon" })).await;
        log_in(page, server, Role::Viewer, READ_LEAD_PATH).await;
        page.click(SEND_BUTTON).await;
        page.expect_text(".parameter [data-test=diagnostic]", "Expected a value, found none.").await;
        assert!(!page.is_visible("[data-test=reply]").await);
        // The missing parameter gets the focus. Its error disappears while it is filled in, and Enter sends the
        // request.
        let focused_element = async || page.run_script("return document.activeElement.dataset.test", Value::Null).await;
        page.wait_until_equal("the missing input has the focus", json!("param-lead_id"), focused_element).await;
        page.type_keys(&lead.to_string()).await;
        page.wait_until_gone(".parameter [data-test=diagnostic]").await;
        page.type_keys(&Key::Enter).await;
        page.expect_text(RESPONSE_STATUS, "200 OK").await;
        assert!(page.text("[data-test=reply-body]").await.contains("\"first_name\": \"Zebulon\""));
        assert!(page.text("[data-test=reply-time]").await.ends_with(" ms"));
        assert!(page.text("[data-test=reply-headers]").await.contains("x-request-id"));
        page.wait_for("[data-test=save-reply][href^='blob:']").await;

        // The server's error is shown at its parameter.
        page.fill("[data-test=param-lead_id]", "none").await;
        page.click(SEND_BUTTON).await;
        page.expect_text(RESPONSE_STATUS, "400 Bad Request").await;
        page.wait_for(".parameter [data-test=diagnostic]").await;

        page.fill("[data-test=param-lead_id]", &lead.to_string()).await;
        page.click("[data-test=with-key]").await;
        page.wait_for("[data-test=try-key][type=password]").await;
        page.fill("[data-test=try-key]", "ls_key_wrong").await;
        page.click(SEND_BUTTON).await;
        page.expect_text(RESPONSE_STATUS, "401 Unauthorized").await;
        page.expect_text("[data-test=reply] [data-test=error] strong", "Invalid API key").await;
        // The focus stays on the button, and the response is scrolled into view.
        page.wait_until_equal("the button has the focus", json!("send"), focused_element).await;
        let is_in_view_script = "const reply = document.querySelector('[data-test=reply]').getBoundingClientRect();
            return reply.top >= 0 && reply.top < innerHeight && (reply.bottom <= innerHeight || reply.top < 200)";
        let is_in_view = async || page.run_script(is_in_view_script, Value::Null).await;
        page.wait_until_equal("the response is in view", json!(true), is_in_view).await;
        page.fill("[data-test=try-key]", server.admin_key()).await;
        page.click(SEND_BUTTON).await;
        page.expect_text(RESPONSE_STATUS, "200 OK").await;

        // The key applies to the next operation, and to no other page.
        page.fill(SEARCH_INPUT, "get /api/users").await;
        page.type_keys(&Key::Enter).await;
        page.expect_text(OPERATION_PATH, "/api/users").await;
        page.click(SEND_BUTTON).await;
        page.expect_text(RESPONSE_STATUS, "200 OK").await;
        let stored_data =
            "return JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href
            + document.body.innerText";
        let stored_data = page.run_script(stored_data, Value::Null).await;
        assert!(!stored_data.as_str().unwrap().contains(server.admin_key()), "{stored_data}");
        page.click("[data-test=with-session]").await;
        page.wait_for("[data-test=not-permitted]").await;
        page.click(SEND_BUTTON).await;
        page.expect_text(RESPONSE_STATUS, "403 Forbidden").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_are_confirmed_and_errors_shown_at_their_input() {
    run_journey("changes_are_confirmed_and_errors_shown_at_their_input", async |page, server| {
        log_in(page, server, Role::Manager, "/api-reference?operation=post_leads").await;
        page.wait_for(BODY_EDITOR).await;
        page.fill(BODY_EDITOR, r#"{"frist_name": "Zebulon"}"#).await;
        page.click(SEND_BUTTON).await;
        page.click("[data-test=confirm-dialog] .dialog-footer .button:first-child").await;
        page.wait_until_gone("[data-test=confirm-dialog]").await;
        assert!(!page.is_visible("[data-test=reply]").await, "nothing is sent without confirmation");

        page.click(SEND_BUTTON).await;
        page.click("[data-test=confirm]").await;
        page.expect_text(RESPONSE_STATUS, "400 Bad Request").await;
        assert!(page.text("[data-test=reply-body]").await.contains("\"pointer\": \"/frist_name\""));
        let marked_script = "return [...document.querySelectorAll('.json-copy mark')].map(mark => mark.textContent)";
        let expected = json!(["\"frist_name\""]);
        page.wait_until_equal("the error is highlighted", expected, async || {
            page.run_script(marked_script, Value::Null).await
        })
        .await;

        page.click("[data-test=use-suggestion]").await;
        page.wait_until_gone("[data-test=diagnostic]").await;
        page.click(SEND_BUTTON).await;
        page.expect_text(RESPONSE_STATUS, "201 Created").await;
        let headers = page.text("[data-test=reply-headers]").await;
        let id =
            headers.lines().find_map(|line| line.split("/api/leads/").nth(1)).expect("no Location header").to_owned();

        // Each deletion needs its own confirmation.
        page.open("/api-reference?operation=delete_leads_lead_id").await;
        page.fill("[data-test=param-lead_id]", &id).await;
        page.click(SEND_BUTTON).await;
        page.click("[data-test=confirm]").await;
        page.expect_text(RESPONSE_STATUS, "204 No Content").await;
        page.wait_for("[data-test=reply-empty]").await;
        page.click(SEND_BUTTON).await;
        page.click("[data-test=confirm]").await;
        page.expect_text(RESPONSE_STATUS, "404 Not Found").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_binary_and_streamed_responses_are_shortened() {
    run_journey("long_binary_and_streamed_responses_are_shortened", async |page, server| {
        log_in(page, server, Role::Admin, "/api-reference?operation=get_openapi_json").await;
        page.click(SEND_BUTTON).await;
        page.wait_for("[data-test=reply-cut]").await;
        page.wait_for("[data-test=save-reply][download='openapi.json']").await;

        page.open("/api-reference?operation=get_calls_call_id_recording").await;
        page.fill("[data-test=param-call_id]", "148").await;
        page.click(SEND_BUTTON).await;
        page.expect_text(RESPONSE_STATUS, "200 OK").await;
        page.wait_for("[data-test=reply-binary]").await;
        page.wait_for("[data-test=save-reply][download^='recording.']").await;

        page.open("/api-reference?operation=get_events").await;
        page.click(SEND_BUTTON).await;
        page.click("[data-test=stop]").await;
        page.wait_for(":is([data-test=reply], [data-test=stopped])").await;
        page.wait_until_gone("[data-test=stop]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copied_request_code_works() {
    run_journey("copied_request_code_works", async |page, server| {
        grant_clipboard(page, server).await;
        log_in(page, server, Role::Viewer, "/api-reference?operation=put_leads_extended_data").await;
        page.wait_for(BODY_EDITOR).await;
        let filter = json!({ "last_name": { "starts_with": "S" }, "limit": "3;0" });
        let total = search_leads(&server.admin(), &filter).await["total_leads"].clone();
        page.fill(BODY_EDITOR, &filter.to_string()).await;
        let curl_command = page.text("[data-test=curl]").await;
        assert_eq!(run_curl_command(&curl_command, server).await["total_leads"], total, "{curl_command}");

        page.click("[data-test=code-python]").await;
        let code = page.text("[data-test=python]").await;
        assert!(code.contains("os.environ['LEADSCRIBE_API_KEY']") && code.contains("json={"), "{code}");

        page.click("[data-test=code-javascript]").await;
        let code = page.text("[data-test=javascript]").await;
        page.click(".curl [data-test=copy]").await;
        page.expect_text(".curl [data-test=copy]", "Copied").await;
        let clipboard_script = "const done = arguments[arguments.length - 1]; navigator.clipboard.readText().then(done, error => done(`${error}`))";
        assert_eq!(page.run_async_script(clipboard_script, Vec::new()).await, json!(code));
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
        let result = page.run_async_script(&program, Vec::new()).await;
        assert_eq!(result[0], 200, "{result}");
        let response: Value = serde_json::from_str(result[1].as_str().unwrap()).unwrap();
        assert_eq!(response["total_leads"], total);
        // The selected language is remembered.
        page.reload().await;
        page.wait_for("[data-test=javascript]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filter_playground_runs_filters() {
    run_journey("filter_playground_runs_filters", async |page, server| {
        log_in(page, server, Role::Viewer, "/api-reference").await;
        page.click("#api-tab-playground").await;
        page.expect_location("/api-reference?tab=playground").await;
        page.expect_text(
            "[data-test=filter-explanation]",
            "Leads with status New or Callback, with calls below 3; at most 10.",
        )
        .await;
        page.fill_filter(r#"{"last_name":{"starts_with":"S"},"limit":"5;0"}"#).await;
        page.expect_text("[data-test=filter-explanation]", "Leads with last name starting with S; at most 5.").await;
        let filter = json!({ "last_name": { "starts_with": "S" }, "limit": "5;0" });
        let expected = search_leads(&server.admin(), &filter).await;
        let curl_command = page.text("[data-test=curl]").await;
        assert_eq!(
            run_curl_command(&curl_command, server).await["total_leads"],
            expected["total_leads"],
            "{curl_command}"
        );

        page.click("[data-test=apply]").await;
        page.expect_text("[data-test=total]", &format!("{} leads", expected["total_leads"])).await;
        let ids: Vec<_> = expected["leads"].as_array().unwrap().iter().map(|lead| lead["id"].to_string()).collect();
        page.expect_attributes("[data-test=lead-row]", "data-id", &ids).await;

        // The link restores the filter, and Back the previous state.
        page.fill_filter(r#"{"id":1,"limit":"5;0"}"#).await;
        page.click("[data-test=apply]").await;
        page.expect_text("[data-test=total]", "1 lead").await;
        page.run_script("history.back()", Value::Null).await;
        page.expect_attributes("[data-test=lead-row]", "data-id", &ids).await;
        page.reload().await;
        page.expect_attributes("[data-test=lead-row]", "data-id", &ids).await;

        page.fill_filter(r#"{"ctiy":"Bonn"}"#).await;
        page.wait_for("[data-test=diagnostic]").await;
        assert!(!page.wait_for("[data-test=apply]").await.is_enabled().await.unwrap());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_documented_operation_can_be_opened() {
    run_journey("every_documented_operation_can_be_opened", async |page, server| {
        let document = server.admin().get("/api/openapi.json").await.expect(200);
        let items = document["paths"].as_object().unwrap();
        let count: usize = items.values().map(|item| item.as_object().unwrap().len()).sum();
        log_in(page, server, Role::Admin, "/api-reference").await;
        page.click(SEARCH_INPUT).await;
        let mut opened = Vec::new();
        for _ in 0..count {
            // Moves from one operation to the next by keyboard.
            page.type_keys(&Key::Down).await;
            page.type_keys(&Key::Enter).await;
            let id = wait_for_next_operation(page, opened.last()).await;
            let operation = items
                .iter()
                .flat_map(|(path, item)| item.as_object().unwrap().values().map(move |description| (path, description)))
                .find(|(_, description)| description["operationId"] == id.as_str());
            let (path, description) = operation.unwrap_or_else(|| panic!("{id} is not in the document"));
            page.expect_text(OPERATION_PATH, path).await;
            let expand_script =
                "document.querySelectorAll('[data-test=answer]').forEach(answer => { answer.open = true; })";
            page.run_script(expand_script, Value::Null).await;
            let statuses = description["responses"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            page.expect_attributes("[data-test=answer]", "data-status", &statuses).await;
            opened.push(id);
        }
        opened.sort();
        opened.dedup();
        assert_eq!(opened.len(), count);
    })
    .await;
}

/// Waits until another operation than `previous` is shown, and returns its id.
async fn wait_for_next_operation(page: &Page, previous: Option<&String>) -> String {
    page.wait_until("the next operation is opened", async || {
        let script = "return document.querySelector('[data-test=operation-sheet]')?.dataset.id ?? null";
        let id = page.run_script(script, Value::Null).await.as_str()?.to_owned();
        (previous != Some(&id)).then_some(id)
    })
    .await
}
