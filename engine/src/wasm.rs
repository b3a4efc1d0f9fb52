//! The JavaScript API: binds the functions of [`crate::js_api`] with wasm-bindgen. Except for `host`, only this file uses wasm-bindgen.

use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::js_api;
use crate::wording::Language;

/// TypeScript types of the results. Keep them in sync with [`crate::js_api`].
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A half-open range of UTF-16 code units of the text, as JavaScript's strings count. */
export interface TextRange {
  start: number;
  end: number;
}

/** A message as data: its id in the catalog, and its arguments by name. */
export interface MessageData {
  id: string;
  args?: Record<string, string | MessageData>;
}

/** A suggested correction. */
export interface Suggestion {
  /** What to do, in the requested language. */
  detail: string;
  message?: MessageData;
  /** The name or value that replaces the wrong one, if the correction is a replacement. */
  replacement?: string;
}

/** An error in the text. */
export interface Diagnostic {
  /** JSON Pointer to the wrong value; empty for the text as a whole. */
  pointer: string;
  /** Range of the wrong characters. */
  range: TextRange;
  /** Stable code, such as `unknown_key`. */
  code: string;
  /** What is wrong, in the requested language. */
  detail: string;
  message?: MessageData;
  /** How to correct it, if known. */
  suggestion?: Suggestion;
  /** The permitted values, if they are a closed list. */
  permitted?: string[];
}

/** A valid submission, without its token. */
export interface Submission {
  /** The calls, each once. They are text, because numbers lose digits of ids over 2^53. */
  call_ids: string[];
  /** Canonical BCP 47 codes, each once. */
  languages: string[];
  recording_side: "caller" | "callee" | "both";
  /** Minimum length of a recording, in seconds. */
  min_duration: number;
  /** Only calls created at or after this time, in RFC 3339. */
  from?: string;
  /** Only calls created at or before this time, in RFC 3339. */
  till?: string;
  /** Receives each accepted call when its transcription ends. Its address is checked by the server. */
  callback_url?: string;
  callback_method?: "POST" | "PUT";
  /** Template of the body. */
  callback_data?: string;
}

export interface SubmissionResult {
  ok: boolean;
  /** The submission, if it is valid. */
  submission?: Submission;
  errors: Diagnostic[];
}

export interface FilterResult {
  ok: boolean;
  /** The filter in canonical form, if it is valid. */
  canonical?: string;
  /** The requested page, if the filter is valid. */
  limit?: { count: number; offset: number };
  errors: Diagnostic[];
}

export interface ExplanationResult {
  ok: boolean;
  /** Description of the filter in plain words, if it is valid. */
  text?: string;
  errors: Diagnostic[];
}

export interface TemplateResult {
  ok: boolean;
  /** The body for a sample call, as JSON text, if the template is valid. */
  preview?: string;
  errors: Diagnostic[];
}

/** Words that are spoken one after another. */
export interface Term {
  /** The words, without accents and in lower case. */
  words: string[];
  /** True if the last one is only the start of a word. */
  is_prefix: boolean;
}

export interface SearchResult {
  ok: boolean;
  /** The search terms, if the search is valid; all of them must be spoken. */
  terms?: Term[];
  errors: Diagnostic[];
}
"#;

/// Checks the body of `POST /api/speech-recognition`. `languages` are the recognizer's codes, as returned by
/// `GET /api/speech-recognition/languages`; without them, any well-formed code is accepted. `language` is the language
/// tag for messages, `en` or `de`, with or without a region; any other value means English.
#[wasm_bindgen(js_name = checkSubmission, unchecked_return_type = "SubmissionResult")]
pub fn check_submission(
    text: &str,
    languages: Option<Vec<String>>,
    language: Option<String>,
) -> Result<JsValue, JsError> {
    to_js_value(&js_api::check_submission(text, languages.as_deref(), parse_language(language)))
}

/// Parses and checks the body of `PUT /api/leads/extended-data`. `language` is the language of the messages, as in `checkSubmission`.
#[wasm_bindgen(js_name = parseFilter, unchecked_return_type = "FilterResult")]
pub fn parse_filter(text: &str, language: Option<String>) -> Result<JsValue, JsError> {
    to_js_value(&js_api::parse_filter(text, parse_language(language)))
}

/// Describes the body of `PUT /api/leads/extended-data` in plain words. `language` is the language of the description and of the messages,
/// as in `checkSubmission`.
#[wasm_bindgen(js_name = explainFilter, unchecked_return_type = "ExplanationResult")]
pub fn explain_filter(text: &str, language: Option<String>) -> Result<JsValue, JsError> {
    to_js_value(&js_api::explain_filter(text, parse_language(language)))
}

/// Checks the template of a callback's body, `callback_data`, and fills it in for a sample call. `language` is the language of the
/// messages, as in `checkSubmission`.
#[wasm_bindgen(js_name = checkTemplate, unchecked_return_type = "TemplateResult")]
pub fn check_template(text: &str, language: Option<String>) -> Result<JsValue, JsError> {
    to_js_value(&js_api::check_template(text, parse_language(language)))
}

/// Parses the parameter `search` of a transcript search. `language` is the language of the messages, as in `checkSubmission`.
#[wasm_bindgen(js_name = parseSearch, unchecked_return_type = "SearchResult")]
pub fn parse_search(text: &str, language: Option<String>) -> Result<JsValue, JsError> {
    to_js_value(&js_api::parse_search(text, parse_language(language)))
}

/// Returns the language of this tag; English if it isn't supported.
fn parse_language(tag: Option<String>) -> Language {
    tag.as_deref().and_then(Language::from_tag).unwrap_or_default()
}

/// Converts to plain JavaScript objects and arrays, as `JSON.parse` would; no `Map`.
fn to_js_value(result: &impl Serialize) -> Result<JsValue, JsError> {
    Ok(result.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}
