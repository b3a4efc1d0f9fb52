DROP TABLE IF EXISTS campaign_leads, leads, campaigns CASCADE;
CREATE TABLE campaigns (
  id int NOT NULL, name text NOT NULL, status text NOT NULL, max_calls int NOT NULL,
  created_at timestamp(0) NOT NULL, updated_at timestamp(0) NOT NULL);
CREATE TABLE leads (
  id bigint NOT NULL, first_name text NOT NULL, last_name text NOT NULL, phone text, email text,
  country text, city text, postal_code text, language text, status text NOT NULL, source text,
  owner_id int, score int, created_at timestamp(0) NOT NULL, updated_at timestamp(0) NOT NULL,
  global_updated_at timestamp(0) NOT NULL);
CREATE TABLE campaign_leads (
  lead_id bigint NOT NULL, campaign_id int NOT NULL, status text NOT NULL, calls_count int NOT NULL,
  last_call_at timestamp(0), frozen_until timestamp(0), priority int NOT NULL,
  updated_at timestamp(0) NOT NULL);
