-- Idempotency keys of records have an array of their ids. Earlier keys had the whole record, also after it was deleted. Those of
-- submissions and searches of speech tokens stay: they have an object without data of records.
DELETE FROM idempotency_keys
WHERE json_type(response, '$[0]') IS NOT 'integer'
    AND NOT (owner LIKE 'speech_token:%' AND json_type(response) = 'object' AND json_type(response, '$.callback') IS NULL);
