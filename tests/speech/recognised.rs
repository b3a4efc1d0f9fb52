//! Real speech with the embedded recogniser and its smallest model.

use super::{recorded_call, sample, transcribed};
use crate::harness::{Program, run, wav};

/// Returns the options of the smallest model, in the folder that the test runner sets.
fn options() -> [(&'static str, &'static str); 1] {
    assert!(
        std::env::var_os("LEADSCRIBE_MODELS_DIR").is_some(),
        "LEADSCRIBE_MODELS_DIR doesn't name the folder of the models; `cargo xtask test system` brings them"
    );
    [("LEADSCRIBE_MODEL", "tiny")]
}

#[tokio::test]
async fn spoken_words_are_recognised() {
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(home.path(), &["token", "create", "--name", "test"]);
    let program = Program::start_with(home.path(), &options()).await;
    let client = program.client().with_key(&key);

    let call = recorded_call(&client, sample("jfk.wav")).await;
    let transcript = transcribed(&program, &token, call, &["en", "de"]).await;
    let segments = transcript["segments"].as_array().unwrap();
    let text = segments.iter().filter_map(|one| one["text"].as_str()).collect::<Vec<_>>().join(" ").to_lowercase();
    assert!(text.contains("ask not what your country can do for you"), "{transcript}");
    assert_eq!((&transcript["language"], &transcript["engine"]["model"]), (&"en".into(), &"tiny".into()));
    let confidence = transcript["sides"][0]["language_confidence"].as_f64().unwrap();
    assert!((0.5..=1.0).contains(&confidence), "{confidence}");
    // Kennedy says "country" for the first time between four and seven seconds.
    let words = segments.iter().flat_map(|one| one["words"].as_array().unwrap());
    let country = words.clone().find(|word| word["word"].as_str().unwrap().starts_with("country")).unwrap();
    assert!((4.0..7.0).contains(&country["start"].as_f64().unwrap()), "{country}");
    for word in words {
        assert!(word["start"].as_f64() <= word["end"].as_f64(), "{word}");
    }

    let owner = program.client().with_header("x-speech-token", &token);
    let found = owner.get("/api/speech-recognition?phrase=your%20country").await.expect(200);
    assert_eq!((&found["total"], &found["items"][0]["call_id"]), (&1.into(), &call.into()));
    let subtitles = owner.with_header("accept", "text/vtt").get(&format!("/api/speech-recognition/{call}")).await;
    assert!(subtitles.body.starts_with(b"WEBVTT"), "{}", String::from_utf8_lossy(&subtitles.body));
}

#[tokio::test]
async fn silence_has_no_words() {
    let home = tempfile::tempdir().unwrap();
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(home.path(), &["token", "create", "--name", "test"]);
    let program = Program::start_with(home.path(), &options()).await;

    let call = recorded_call(&program.client().with_key(&key), wav(2, 60.0)).await;
    let transcript = transcribed(&program, &token, call, &["en", "fr"]).await;
    assert_eq!((&transcript["segments"], &transcript["language"]), (&serde_json::json!([]), &serde_json::Value::Null));
    assert_eq!(transcript["dropped"][0]["reason"], "no_speech");
}
