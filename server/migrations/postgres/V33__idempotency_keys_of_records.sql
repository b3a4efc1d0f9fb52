-- Idempotency keys of records have an array of their ids. Earlier keys had the whole record, also after it was deleted. Those of
-- submissions and searches of speech tokens stay: they have an object without data of records.
DELETE FROM idempotency_keys
WHERE json_typeof(response -> 0) IS DISTINCT FROM 'number'
    AND NOT (owner LIKE 'speech_token:%' AND json_typeof(response) = 'object' AND response -> 'callback' IS NULL);
