-- Requests whose deliveries were forgotten are forgotten by their age.
CREATE INDEX speech_requests_created ON speech_requests (created_at);
