-- Idempotency keys of every operation that creates something. They belong to the caller: a user, an API key or a speech token.
ALTER TABLE idempotency_keys ADD COLUMN owner TEXT COLLATE "C";
UPDATE idempotency_keys SET owner = 'speech_token:' || token_id;
ALTER TABLE idempotency_keys DROP COLUMN token_id;
ALTER TABLE idempotency_keys ALTER COLUMN owner SET NOT NULL;
ALTER TABLE idempotency_keys ADD PRIMARY KEY (owner, key);
