//! Tests of staff, sessions, API keys, speech tokens, and the audit log.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::{FIRST_1000, TestStore, at, audit_at, audit_lines, refusal};
use crate::storage::{
    AuditContext, AuditQuery, Browser, ExportStore, NewSession, SessionSelection, Slice, UserChange, WriteError,
};

/// Sessions stay open however long they are unused.
const NO_IDLE_LIMIT: Timestamp = Timestamp::UNIX_EPOCH;

pub async fn users_have_unique_emails(store: TestStore) {
    let ada = store.create_user("ada@example.com", "hash 1", Role::Admin, &audit_at(0)).await.unwrap();
    assert_eq!((ada.email.as_str(), ada.role, ada.created_at), ("ada@example.com", Role::Admin, at(0)));
    let duplicate = store.create_user("ada@example.com", "hash 2", Role::Viewer, &audit_at(0)).await;
    assert_eq!(refusal(duplicate), ["taken", "/email"]);
    let abe = store.create_user("abe@example.com", "hash 3", Role::Viewer, &audit_at(1)).await.unwrap();
    assert_eq!(store.users(FIRST_1000).await.unwrap().items, [abe, ada.clone()]);
    assert_eq!(store.user_by_email("ada@example.com").await.unwrap(), Some((ada, "hash 1".to_owned())));
    assert_eq!(store.user_by_email("eve@example.com").await.unwrap(), None);
}

pub async fn last_admin_cannot_be_removed(store: TestStore) {
    let ada = store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(0)).await.unwrap().id;
    let demoted = store.update_user(ada, role_change(Role::Manager), &audit_at(1)).await;
    assert_eq!(refusal(demoted), ["last_admin", "/role"]);
    assert_eq!(refusal(store.delete_user(ada, &audit_at(1)).await)[0], "last_admin");
    let abe = store.create_user("abe@example.com", "hash", Role::Admin, &audit_at(2)).await.unwrap().id;
    let demoted = store.update_user(ada, role_change(Role::Manager), &audit_at(3)).await.unwrap().unwrap();
    assert_eq!(demoted.role, Role::Manager);
    assert_eq!(refusal(store.delete_user(abe, &audit_at(4)).await)[0], "last_admin");
    assert!(store.delete_user(ada, &audit_at(4)).await.unwrap());
    assert!(!store.delete_user(ada, &audit_at(5)).await.unwrap());
    assert_eq!(store.update_user(ada, password_change("hash"), &audit_at(5)).await.unwrap(), None);
}

pub async fn sessions_expire_and_are_deleted(store: TestStore) {
    let user = store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(0)).await.unwrap();
    open_session(&store, user.id, 1, 60, &unknown_browser(), 10).await.unwrap();
    let session = store.session([1; 32], at(59), NO_IDLE_LIMIT).await.unwrap().unwrap();
    assert_eq!((session.csrf_token.as_str(), session.expires_at), ("csrf", at(60)));
    assert_eq!(session.user.last_login_at, Some(at(10)));
    assert_eq!(store.session([1; 32], at(60), NO_IDLE_LIMIT).await.unwrap(), None);
    assert_eq!(store.session([2; 32], at(20), NO_IDLE_LIMIT).await.unwrap(), None);
    store.delete_session([1; 32]).await.unwrap();
    assert_eq!(store.session([1; 32], at(20), NO_IDLE_LIMIT).await.unwrap(), None);
    store.delete_session([1; 32]).await.unwrap();
    open_session(&store, user.id, 4, 60, &unknown_browser(), 10).await.unwrap();
    assert_eq!(store.purge_sessions(at(60)).await.unwrap(), 0);
    assert_eq!(store.purge_sessions(at(61)).await.unwrap(), 1);
    let result = open_session(&store, UserId(99), 3, 60, &unknown_browser(), 10).await;
    assert_eq!(refusal(result)[0], "unknown_user");
}

pub async fn unused_sessions_expire(store: TestStore) {
    let ada = store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(0)).await.unwrap().id;
    open_session(&store, ada, 1, 9_000, &unknown_browser(), 10).await.unwrap();
    let is_open = async |used_since| store.session([1; 32], at(4_000), at(used_since)).await.unwrap().is_some();
    assert!(is_open(10).await);
    assert!(!is_open(11).await);
    assert_eq!(store.use_session([1; 32], at(4_000), at(11)).await.unwrap(), None, "an idle session can't be used");
    assert_eq!(store.user_sessions(ada, at(4_000), at(11), 10).await.unwrap().len(), 0);
    store.use_session([1; 32], at(4_000), at(10)).await.unwrap().unwrap();
    // The last use is rounded down to five minutes.
    assert!(is_open(3_900).await);
    assert!(!is_open(3_901).await);
    assert_eq!(store.user_sessions(ada, at(4_000), at(3_900), 10).await.unwrap().len(), 1);
}

pub async fn sessions_are_listed_and_ended_one_by_one(store: TestStore) {
    let ada = store.create_user("ada@example.com", "hash", Role::Viewer, &audit_at(0)).await.unwrap().id;
    let abe = store.create_user("abe@example.com", "hash", Role::Viewer, &audit_at(0)).await.unwrap().id;
    let browser = Browser { address: Some("192.0.2.1".to_owned()), user_agent: Some("Mozilla/5.0".to_owned()) };
    open_session(&store, ada, 1, 9_000, &browser, 10).await.unwrap();
    open_session(&store, ada, 2, 9_000, &unknown_browser(), 20).await.unwrap();
    open_session(&store, ada, 3, 30, &unknown_browser(), 20).await.unwrap();
    open_session(&store, abe, 4, 9_000, &unknown_browser(), 20).await.unwrap();
    let list_sessions = async |now| {
        let sessions = store.user_sessions(ada, at(now), NO_IDLE_LIMIT, 10).await.unwrap();
        sessions
            .iter()
            .map(|session| (session.hash[0], (session.last_used_at - at(0)).num_seconds()))
            .collect::<Vec<_>>()
    };
    assert_eq!(list_sessions(25).await, [(3, 20), (2, 20), (1, 10)]);
    assert_eq!(list_sessions(60).await, [(2, 20), (1, 10)]);
    assert_eq!(store.user_sessions(ada, at(60), NO_IDLE_LIMIT, 1).await.unwrap().len(), 1);

    // Use is recorded at most every five minutes, and only by `use_session`.
    store.session([1; 32], at(800), NO_IDLE_LIMIT).await.unwrap().unwrap();
    assert_eq!(list_sessions(800).await, [(2, 20), (1, 10)]);
    for now in [800, 899] {
        store.use_session([1; 32], at(now), NO_IDLE_LIMIT).await.unwrap().unwrap();
        assert_eq!(list_sessions(now).await, [(1, 600), (2, 20)]);
    }
    store.use_session([1; 32], at(900), NO_IDLE_LIMIT).await.unwrap().unwrap();
    let sessions = store.user_sessions(ada, at(900), NO_IDLE_LIMIT, 10).await.unwrap();
    assert_eq!((&sessions[0].browser, sessions[0].last_used_at), (&browser, at(900)));
    assert_eq!((sessions[0].created_at, sessions[0].expires_at), (at(10), at(9_000)));

    let id = sessions[0].id;
    assert_eq!(store.end_sessions(abe, SessionSelection::Single(id), &audit_at(901)).await.unwrap(), 0, "another's");
    assert_eq!(store.end_sessions(ada, SessionSelection::Single(id), &audit_at(901)).await.unwrap(), 1);
    assert_eq!(store.end_sessions(ada, SessionSelection::Single(id), &audit_at(901)).await.unwrap(), 0);
    assert_eq!(store.session([1; 32], at(902), NO_IDLE_LIMIT).await.unwrap(), None);
    open_session(&store, ada, 5, 9_000, &unknown_browser(), 902).await.unwrap();
    store.end_sessions(ada, SessionSelection::AllExcept([5; 32]), &audit_at(903)).await.unwrap();
    assert_eq!(list_sessions(904).await, [(5, 902)]);
    assert_eq!(store.end_sessions(ada, SessionSelection::All, &audit_at(905)).await.unwrap(), 1);
    assert!(
        store.session([4; 32], at(906), NO_IDLE_LIMIT).await.unwrap().is_some(),
        "sessions of other users stay open"
    );
    let end_entries: Vec<_> =
        audit_lines(&store).await.into_iter().filter(|line| line.starts_with("session.end")).collect();
    assert_eq!(
        end_entries,
        [format!("session.end session:{id}"), "session.end user:1".to_owned(), "session.end user:1".to_owned()]
    );
}

pub async fn new_password_ends_sessions(store: TestStore) {
    let user = store.create_user("ada@example.com", "old", Role::Admin, &audit_at(0)).await.unwrap();
    open_session(&store, user.id, 1, 600, &unknown_browser(), 0).await.unwrap();
    store.update_user(user.id, role_change(Role::Admin), &audit_at(1)).await.unwrap().unwrap();
    assert!(store.session([1; 32], at(2), NO_IDLE_LIMIT).await.unwrap().is_some(), "nothing changed");
    store.update_user(user.id, password_change("new"), &audit_at(3)).await.unwrap().unwrap();
    assert_eq!(store.session([1; 32], at(4), NO_IDLE_LIMIT).await.unwrap(), None);
    assert_eq!(store.user_by_email("ada@example.com").await.unwrap().unwrap().1, "new");
    open_session(&store, user.id, 2, 600, &unknown_browser(), 5).await.unwrap();
    store.create_user("abe@example.com", "hash", Role::Admin, &audit_at(5)).await.unwrap();
    store.delete_user(user.id, &audit_at(6)).await.unwrap();
    assert_eq!(store.session([2; 32], at(7), NO_IDLE_LIMIT).await.unwrap(), None);
}

pub async fn changed_password_prevents_pending_logins(store: TestStore) {
    let ada = store.create_user("ada@example.com", "old", Role::Admin, &audit_at(0)).await.unwrap().id;
    // Two logins with the old password are in progress when it is changed.
    let new = new_session(1, 600, &unknown_browser());
    store.create_session(ada, "old", &new, &audit_at(1)).await.unwrap();
    store.update_user(ada, password_change("new"), &audit_at(2)).await.unwrap().unwrap();
    let late_session = new_session(2, 600, &unknown_browser());
    assert_eq!(refusal(store.create_session(ada, "old", &late_session, &audit_at(3)).await)[0], "unknown_user");
    assert_eq!(store.session([2; 32], at(4), NO_IDLE_LIMIT).await.unwrap(), None);
    assert_eq!(store.user(ada).await.unwrap().unwrap().last_login_at, Some(at(1)));
    store.create_session(ada, "new", &late_session, &audit_at(5)).await.unwrap();
    assert!(store.session([2; 32], at(6), NO_IDLE_LIMIT).await.unwrap().is_some());
}

pub async fn user_changes_end_sessions(store: TestStore) {
    let user = store.create_user("ada@example.com", "hash", Role::Viewer, &audit_at(0)).await.unwrap().id;
    let other = store.create_user("abe@example.com", "hash", Role::Viewer, &audit_at(0)).await.unwrap().id;
    open_session(&store, other, 9, 600, &unknown_browser(), 0).await.unwrap();
    let active = |active| UserChange { active: Some(active), ..UserChange::default() };
    for (number, change) in [(1, role_change(Role::Manager)), (2, active(false))] {
        open_session(&store, user, number, 600, &unknown_browser(), 1).await.unwrap();
        store.update_user(user, change, &audit_at(2)).await.unwrap().unwrap();
        assert_eq!(store.session([number; 32], at(3), NO_IDLE_LIMIT).await.unwrap(), None);
    }
    assert!(store.session([9; 32], at(3), NO_IDLE_LIMIT).await.unwrap().is_some(), "sessions of other users stay open");
    store.update_user(user, active(false), &audit_at(4)).await.unwrap().unwrap();
    store.update_user(user, active(true), &audit_at(5)).await.unwrap().unwrap();
    let user_entries: Vec<_> = audit_lines(&store).await.into_iter().filter(|line| line.ends_with("user:1")).collect();
    let sessions = "session.create user:1";
    assert_eq!(
        user_entries,
        [
            "user.create user:1",
            sessions,
            "user.update user:1",
            sessions,
            "user.deactivate user:1",
            "user.activate user:1"
        ]
    );
}

pub async fn deactivated_users_cannot_log_in(store: TestStore) {
    let ada = store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(0)).await.unwrap().id;
    let active = |active| UserChange { active: Some(active), ..UserChange::default() };
    let refused = refusal(store.update_user(ada, active(false), &audit_at(1)).await);
    assert_eq!(refused, ["last_admin", "/active"]);
    let abe = store.create_user("abe@example.com", "hash", Role::Admin, &audit_at(2)).await.unwrap().id;
    let deactivated = store.update_user(ada, active(false), &audit_at(3)).await.unwrap().unwrap();
    assert_eq!((deactivated.role, deactivated.deactivated_at), (Role::Admin, Some(at(3))));
    let repeated = store.update_user(ada, active(false), &audit_at(4)).await.unwrap().unwrap();
    assert_eq!(repeated.deactivated_at, Some(at(3)));
    assert_eq!(refusal(open_session(&store, ada, 1, 60, &unknown_browser(), 5).await)[0], "unknown_user");
    // A deactivated admin doesn't count as a remaining admin.
    assert_eq!(refusal(store.update_user(abe, role_change(Role::Viewer), &audit_at(6)).await)[0], "last_admin");
    assert_eq!(refusal(store.delete_user(abe, &audit_at(6)).await)[0], "last_admin");
    assert_eq!(store.update_user(ada, active(true), &audit_at(7)).await.unwrap().unwrap().deactivated_at, None);
    open_session(&store, ada, 1, 60, &unknown_browser(), 8).await.unwrap();
    store.update_user(abe, active(false), &audit_at(9)).await.unwrap().unwrap();
    assert!(store.delete_user(abe, &audit_at(10)).await.unwrap());
}

pub async fn changing_own_password_keeps_the_session(store: TestStore) {
    let user = store.create_user("ada@example.com", "old", Role::Viewer, &audit_at(0)).await.unwrap().id;
    for number in [1, 2] {
        open_session(&store, user, number, 600, &unknown_browser(), 0).await.unwrap();
    }
    assert!(store.change_password(user, "new", [2; 32], &audit_at(1)).await.unwrap());
    assert_eq!(store.session([1; 32], at(2), NO_IDLE_LIMIT).await.unwrap(), None);
    assert!(
        store.session([2; 32], at(2), NO_IDLE_LIMIT).await.unwrap().is_some(),
        "the session that changed the password stays open"
    );
    assert_eq!(store.user_by_email("ada@example.com").await.unwrap().unwrap().1, "new");
    assert_eq!(audit_lines(&store).await.last().unwrap(), "user.change_password user:1");
    assert!(!store.change_password(UserId(99), "new", [2; 32], &audit_at(3)).await.unwrap());
    // With an ended session, the password isn't changed.
    assert!(!store.change_password(user, "newer", [1; 32], &audit_at(4)).await.unwrap());
    assert_eq!(store.user_by_email("ada@example.com").await.unwrap().unwrap().1, "new");
}

pub async fn api_keys_are_found_by_hash(store: TestStore) {
    let request = NewApiKeyRequest {
        name: "importer".to_owned(),
        scopes: vec![Scope::LeadsRead, Scope::LeadsWrite],
        expires_at: Some(at(60)),
    };
    let key = store.create_api_key(&request, [7; 32], "lsk_ab", &audit_at(0)).await.unwrap();
    assert_eq!((key.scopes.clone(), key.prefix.as_str(), key.expires_at), (request.scopes, "lsk_ab", Some(at(60))));
    assert_eq!(store.use_api_key([8; 32], at(1)).await.unwrap(), None);
    // Expired and revoked keys are found too; the caller decides whether to accept them.
    assert_eq!(store.use_api_key([7; 32], at(120)).await.unwrap().unwrap().id, key.id);
    let revoked = store.revoke_api_key(key.id, &audit_at(130)).await.unwrap().unwrap();
    assert_eq!(revoked.revoked_at, Some(at(130)));
    let repeated = store.revoke_api_key(key.id, &audit_at(140)).await.unwrap().unwrap();
    assert_eq!(repeated.revoked_at, Some(at(130)));
    assert_eq!(store.revoke_api_key(ApiKeyId(99), &audit_at(140)).await.unwrap(), None);
    assert_eq!(store.use_api_key([7; 32], at(150)).await.unwrap().unwrap().revoked_at, Some(at(130)));
    assert_eq!(store.api_keys(FIRST_1000).await.unwrap().total, 1);
    assert_eq!(audit_lines(&store).await, ["api_key.create api_key:1", "api_key.revoke api_key:1"]);
}

pub async fn credential_use_is_recorded_to_the_minute(store: TestStore) {
    store.create_speech_token("dialer", [1; 32], "lst_ab", &audit_at(0)).await.unwrap();
    assert_eq!(store.speech_tokens(FIRST_1000).await.unwrap().items[0].last_used_at, None);
    let use_token = async |seconds| {
        let last_used_at = store.use_speech_token([1; 32], at(seconds)).await.unwrap().unwrap().last_used_at;
        assert_eq!(store.speech_tokens(FIRST_1000).await.unwrap().items[0].last_used_at, last_used_at);
        last_used_at
    };
    assert_eq!(use_token(5).await, Some(at(0)));
    assert_eq!(use_token(59).await, Some(at(0)));
    assert_eq!(use_token(61).await, Some(at(60)));
    // A clock that was set back doesn't reset the time.
    assert_eq!(use_token(10).await, Some(at(60)));
    // Actions of staff on behalf of a token also count as its use.
    let token = store.speech_tokens(FIRST_1000).await.unwrap().items[0].clone();
    for (seconds, expected) in [(100, 60), (130, 120), (70, 120)] {
        store.record_speech_token_use(&mut token.clone(), at(seconds)).await;
        assert_eq!(store.speech_token(token.id).await.unwrap().unwrap().last_used_at, Some(at(expected)));
    }
}

pub async fn speech_tokens_are_rotated_and_revoked(store: TestStore) {
    let token = store.create_speech_token("dialer", [1; 32], "lst_ab", &audit_at(0)).await.unwrap();
    assert_eq!((token.name.as_str(), token.transcriptions, token.rotated_at), ("dialer", 0, None));
    let rotated = store.rotate_speech_token(token.id, [2; 32], "lst_cd", &audit_at(10)).await.unwrap().unwrap();
    assert_eq!((rotated.id, rotated.prefix.as_str(), rotated.rotated_at), (token.id, "lst_cd", Some(at(10))));
    assert_eq!(store.use_speech_token([1; 32], at(11)).await.unwrap(), None);
    assert_eq!(store.use_speech_token([2; 32], at(11)).await.unwrap().unwrap().id, token.id);
    let second = store.create_speech_token("another", [3; 32], "lst_ef", &audit_at(12)).await.unwrap();
    let ids: Vec<_> = store.speech_tokens(FIRST_1000).await.unwrap().items.iter().map(|token| token.id).collect();
    assert_eq!(ids, [second.id, token.id]);
    let page = store.speech_tokens(Slice { count: 1, offset: 1 }).await.unwrap();
    assert_eq!((page.items[0].id, page.items.len(), page.total), (token.id, 1, 2));
    assert_eq!(store.speech_token(second.id).await.unwrap(), Some(second));
    assert_eq!(store.speech_token(TokenId(99)).await.unwrap(), None);
    assert_eq!(store.revoke_speech_token(token.id, &audit_at(13)).await.unwrap().unwrap().revoked_at, Some(at(13)));
    assert_eq!(store.revoke_speech_token(token.id, &audit_at(14)).await.unwrap().unwrap().revoked_at, Some(at(13)));
    assert_eq!(refusal(store.rotate_speech_token(token.id, [4; 32], "lst_gh", &audit_at(15)).await)[0], "revoked");
    assert_eq!(store.rotate_speech_token(TokenId(99), [4; 32], "lst_gh", &audit_at(15)).await.unwrap(), None);
    assert_eq!(store.revoke_speech_token(TokenId(99), &audit_at(15)).await.unwrap(), None);
}

pub async fn audit_log_records_changes(store: TestStore) {
    store.record_event("session.reject", "user:ada@example.com", &audit_at(1)).await.unwrap();
    let user = store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(2)).await.unwrap();
    open_session(&store, user.id, 1, 60, &unknown_browser(), 3).await.unwrap();
    // Refused writes change nothing and add no audit entry.
    refusal(store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(4)).await);
    let page = store.audit_log(&AuditQuery::default(), Slice { count: 2, offset: 0 }).await.unwrap();
    assert_eq!(page.total, 3);
    let newest = &page.items[0];
    assert_eq!((newest.action.as_str(), newest.subject.as_str()), ("session.create", "user:1"));
    assert_eq!(newest.subject_name.as_deref(), Some("ada@example.com"));
    assert_eq!(
        (newest.actor.as_str(), newest.request_id.as_deref(), newest.created_at),
        ("user:1", Some("request"), at(3))
    );
    assert!(newest.id > page.items[1].id);
    let rest = store.audit_log(&AuditQuery::default(), Slice { count: 2, offset: 2 }).await.unwrap();
    assert_eq!(rest.items[0].action, "session.reject");
    assert_eq!(store.audit_log(&AuditQuery::default(), FIRST_1000).await.unwrap().items.len(), 3);
}

pub async fn audit_subjects_show_current_names(store: TestStore) {
    let lead = LeadRecord {
        first_name: Some(Some("Ann".to_owned())),
        last_name: Some(Some("Lee".to_owned())),
        ..LeadRecord::default()
    };
    let lead = store.create_lead(lead, &audit_at(1)).await.unwrap().id;
    let deleted_lead = store
        .create_lead(LeadRecord { last_name: Some(Some("Poe".to_owned())), ..LeadRecord::default() }, &audit_at(1))
        .await
        .unwrap()
        .id;
    let unnamed_lead = store.create_lead(LeadRecord::default(), &audit_at(1)).await.unwrap().id;
    store.delete_lead(deleted_lead, None, &audit_at(2)).await.unwrap();
    let campaign = CampaignRecord { name: Some("Solar".to_owned()), ..CampaignRecord::default() };
    let campaign = store.create_campaign(campaign, &audit_at(3)).await.unwrap().id;
    let campaign_lead =
        CampaignLeadRecord { lead_id: Some(lead), campaign_id: Some(campaign), ..CampaignLeadRecord::default() };
    let campaign_lead = store.create_campaign_lead(campaign_lead, &audit_at(4)).await.unwrap().id;
    let token = store.create_speech_token("Acme", [1; 32], "lst_ab", &audit_at(5)).await.unwrap().id;
    let subjects = [
        (lead.subject(), Some("Ann Lee")),
        (deleted_lead.subject(), None),
        (unnamed_lead.subject(), None),
        (campaign.subject(), Some("Solar")),
        (campaign_lead.subject(), Some("Ann Lee, Solar")),
        (token.subject(), Some("Acme")),
        ("lead".to_owned(), None),
        ("lead:all".to_owned(), None),
    ];
    for (subject, _) in &subjects[6..] {
        store.record_event("lead.export", subject, &audit_at(6)).await.unwrap();
    }
    let page = store.audit_log(&AuditQuery::default(), FIRST_1000).await.unwrap();
    let entries: Vec<_> = page.items.iter().map(|entry| entry.id.0).collect();
    let exported = ExportStore::entries(&*store, &AuditQuery::default(), &entries).await.unwrap();
    assert_eq!(exported, page.items);
    for (subject, name) in subjects {
        let entry = page.items.iter().find(|entry| entry.subject == subject).unwrap();
        assert_eq!(entry.subject_name.as_deref(), name, "{subject}");
    }
    let history = store.lead_history(lead, FIRST_1000).await.unwrap();
    assert!(history.items.iter().all(|entry| entry.subject_name.is_some()));
}

pub async fn audit_log_is_filtered(store: TestStore) {
    let audit = |actor: &str, seconds| AuditContext { actor: actor.to_owned(), ..audit_at(seconds) };
    for (seconds, (actor, action, subject)) in (0..).zip([
        ("user:1", "lead.create", "lead:1"),
        ("user:12", "lead.update", "lead:1"),
        ("user_import", "lead_action.create", "lead_action:1"),
        ("api_key:1", "lead.update", "lead:17"),
        ("user:1", "call.create", "call:1"),
    ]) {
        store.record_event(action, subject, &audit(actor, seconds)).await.unwrap();
    }
    let default_query = AuditQuery::default;
    let value = |text: &str| Some(text.to_owned());
    let cases: [(AuditQuery, &[i64]); 9] = [
        (default_query(), &[4, 3, 2, 1, 0]),
        (AuditQuery { actor: value("user:1"), ..default_query() }, &[4, 0]),
        (AuditQuery { actor: value("user"), ..default_query() }, &[4, 1, 0]),
        (AuditQuery { action: value("lead"), ..default_query() }, &[3, 1, 0]),
        (AuditQuery { action: value("lead.update"), ..default_query() }, &[3, 1]),
        (AuditQuery { subject: value("lead:1"), ..default_query() }, &[1, 0]),
        (AuditQuery { subject: value("lead"), actor: value("user"), ..default_query() }, &[1, 0]),
        (AuditQuery { from: Some(at(1)), till: Some(at(3)), ..default_query() }, &[3, 2, 1]),
        (AuditQuery { actor: value("nobody' OR TRUE --"), ..default_query() }, &[]),
    ];
    for (query, expected) in cases {
        let page = store.audit_log(&query, FIRST_1000).await.unwrap();
        let found: Vec<_> = page.items.iter().map(|entry| (entry.created_at - at(0)).num_seconds()).collect();
        assert_eq!((found.as_slice(), page.total), (expected, expected.len() as u64), "{query:?}");
    }
    let query = AuditQuery { action: value("lead"), ..default_query() };
    let second = store.audit_log(&query, Slice { count: 1, offset: 1 }).await.unwrap();
    assert_eq!((second.total, second.items[0].actor.as_str()), (3, "user:12"));
}

/// Opens the session with this number at `opened_at`, with the user's current password. It ends at `expires`. Times are in seconds
/// after noon.
pub(super) async fn open_session(
    store: &TestStore,
    user: UserId,
    number: u8,
    expires: i64,
    browser: &Browser,
    opened_at: i64,
) -> Result<(), WriteError> {
    let password_hash = match store.user(user).await.unwrap() {
        Some(user) => store.user_by_email(&user.email).await.unwrap().unwrap().1,
        None => String::new(),
    };
    store.create_session(user, &password_hash, &new_session(number, expires, browser), &audit_at(opened_at)).await
}

fn new_session(number: u8, expires: i64, browser: &Browser) -> NewSession {
    NewSession { hash: [number; 32], csrf_token: "csrf".to_owned(), expires_at: at(expires), browser: browser.clone() }
}

/// A browser without address and user agent.
fn unknown_browser() -> Browser {
    Browser::default()
}

fn role_change(role: Role) -> UserChange {
    UserChange { role: Some(role), ..UserChange::default() }
}

fn password_change(hash: &str) -> UserChange {
    UserChange { password_hash: Some(hash.to_owned()), ..UserChange::default() }
}
