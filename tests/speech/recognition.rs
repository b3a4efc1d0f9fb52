//! Real speech with the embedded recognizer and its smallest model.

use super::submit_and_wait;
use crate::harness::{ServerProcess, run, sample_recording, wav};

/// Returns the options of the smallest model, in the folder that the test runner sets.
fn model_options() -> [(&'static str, &'static str); 1] {
    assert!(
        std::env::var_os("LEADSCRIBE_MODELS_DIR").is_some(),
        "LEADSCRIBE_MODELS_DIR is not set; run `cargo xtask test system`"
    );
    [("LEADSCRIBE_MODEL", "tiny")]
}

#[tokio::test]
async fn spoken_words_are_recognized() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    let program = ServerProcess::start_with(temp_dir.path(), &model_options()).await;
    let client = program.client().with_key(&key);

    let call = client.create_recorded_call(sample_recording("jfk.wav")).await;
    let transcript = submit_and_wait(&program, &token, call, &["en", "de"]).await;
    let segments = transcript["segments"].as_array().unwrap();
    let text =
        segments.iter().filter_map(|segment| segment["text"].as_str()).collect::<Vec<_>>().join(" ").to_lowercase();
    assert!(text.contains("ask not what your country can do for you"), "{transcript}");
    assert_eq!((&transcript["language"], &transcript["engine"]["model"]), (&"en".into(), &"tiny".into()));
    let confidence = transcript["sides"][0]["language_confidence"].as_f64().unwrap();
    assert!((0.5..=1.0).contains(&confidence), "{confidence}");
    // Kennedy says "country" for the first time between four and seven seconds.
    let words = segments.iter().flat_map(|segment| segment["words"].as_array().unwrap());
    let country = words.clone().find(|word| word["word"].as_str().unwrap().starts_with("country")).unwrap();
    assert!((4.0..7.0).contains(&country["start"].as_f64().unwrap()), "{country}");
    for word in words {
        assert!(word["start"].as_f64() <= word["end"].as_f64(), "{word}");
    }

    let token_client = program.client().with_header("x-speech-token", &token);
    let result = token_client.get("/api/speech-recognition?phrase=your%20country").await.expect(200);
    assert_eq!((&result["total"], &result["items"][0]["call_id"]), (&1.into(), &call.into()));
    let subtitles =
        token_client.with_header("accept", "text/vtt").get(&format!("/api/speech-recognition/{call}")).await;
    assert!(subtitles.body.starts_with(b"WEBVTT"), "{}", String::from_utf8_lossy(&subtitles.body));
}

#[tokio::test]
async fn silence_has_no_words() {
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    let program = ServerProcess::start_with(temp_dir.path(), &model_options()).await;

    let call = program.client().with_key(&key).create_recorded_call(wav(2, 60.0)).await;
    let transcript = submit_and_wait(&program, &token, call, &["en", "fr"]).await;
    assert_eq!((&transcript["segments"], &transcript["language"]), (&serde_json::json!([]), &serde_json::Value::Null));
    assert_eq!(transcript["dropped"][0]["reason"], "no_speech");
}
