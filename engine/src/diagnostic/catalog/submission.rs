//! Errors in submissions.

super::messages! {
    pub;
    call_ids(max): "1 to {max} call ids" | "1 bis {max} Anruf-IDs";
    languages(max): "1 to {max} languages" | "1 bis {max} Sprachen";
    language_codes: "an array of language codes" | "eine Liste von Sprachcodes";
    language_code: "a language code in a string" | "ein Sprachcode als Text";
    language_form: "a BCP 47 language code such as `en` or `pt-BR`" | "ein Sprachcode nach BCP 47 wie `en` oder `pt-BR`";
    unsupported_language(code):
        "the recognizer doesn't support the language `{code}`" |
        "die Spracherkennung unterstützt die Sprache `{code}` nicht";
    token_in_string: "the token in a string" | "das Token als Text";
    token_length(max): "a token of 1 to {max} characters" | "ein Token mit 1 bis {max} Zeichen";
    token_characters:
        "the token can only contain visible ASCII characters" |
        "das Token darf nur sichtbare ASCII-Zeichen enthalten";
    till_before_from: "the end must not be before the start" | "das Ende darf nicht vor dem Anfang liegen";
    unknown_submission_field(field): "a submission has no field {field}" | "beim Senden gibt es kein Feld {field}";
    token_in_path:
        "remove it; the URL of this request already names the token" |
        "lassen Sie es weg; das Token steht schon in der Adresse";
    template_in_string: "JSON text in a string" | "JSON als Text";
    omit_field: "leave the field out instead" | "lassen Sie das Feld stattdessen weg";
    unquoted_word: "a word without double quotes" | "ein Wort ohne doppelte Anführungszeichen";
    in_quotes: "write keys and strings in double quotes" | "setzen Sie Schlüssel und Texte in doppelte Anführungszeichen";
}
