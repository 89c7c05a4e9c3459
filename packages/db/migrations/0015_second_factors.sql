set local citus.multi_shard_modify_mode = 'sequential';

-- How the console looks to a person, on whatever device; null: as the device has it.
alter table app_user
  add column locale text check (locale ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'),
  add column theme text check (theme in ('light', 'dark', 'system'));

-- Set by the owner: who has no second factor enrols one at the next sign-in, before anything else.
alter table customer add column require_two_factor boolean not null default false;

alter table session
  -- The name a session is listed and ended by; the hash is what it is opened by.
  add column session_id uuid not null default gen_random_uuid(),
  -- Opens nothing but the enrolment of a second factor, until there is one.
  add column enrol_first boolean not null default false;
create unique index session_name on session (session_id);

-- Authenticator app. The seed is sealed under the master key; without confirmed_at nobody has shown a code of it yet.
create table totp (
  user_id uuid primary key references app_user on delete cascade,
  seed_sealed text not null,
  -- The time step of the last code that was taken: a code works once, and none before it any more.
  last_counter bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz
);

-- Kept as HMAC under the master key. A used one stays, so that it is told from one that never was.
create table recovery_code (
  user_id uuid not null references app_user on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkey (
  passkey_id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  name text not null check (length(name) between 1 and 60),
  credential_id text not null,
  public_key bytea not null,
  -- Counts up where the authenticator counts at all; one that falls back is a copy.
  sign_count bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkey_credential on passkey (credential_id);
create index passkey_of_user on passkey (user_id);

-- A step of a sign-in or of an enrolment that waits for its answer: single use, five minutes, for the very browser that
-- began it. Both the name and the browser's token are kept as SHA-256.
create table sign_in_challenge (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  browser_hash bytea not null check (length(browser_hash) = 32),
  purpose text not null check (purpose in ('secondFactor', 'passkeySignIn', 'passkeyAdd')),
  -- null: whoever the passkey turns out to be
  user_id uuid references app_user on delete cascade,
  first_factor text,
  webauthn_challenge text,
  failure_count smallint not null default 0,
  expires_at timestamptz not null,
  check ((user_id is null) = (purpose = 'passkeySignIn'))
);
create index sign_in_challenge_age on sign_in_challenge (expires_at);

revoke all on totp, recovery_code, passkey, sign_in_challenge from pahatid_tenant;
