-- How often something was tried: sign-ins, codes, second factors. The counts hold over restarts and over processes. Keys
-- (accounts, addresses, phones) are kept as SHA-256 only.
create table attempt (
  what text not null,
  key_hash bytea not null check (length(key_hash) = 32),
  attempt_count integer not null check (attempt_count >= 0),
  started_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (what, key_hash)
);
create index attempt_end on attempt (ends_at);

-- Browsers in which a person has signed in before. The cookie is kept as SHA-256 only.
create table known_device (
  device_hash bytea not null check (length(device_hash) = 32),
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);

-- Puzzles shown to visitors and not yet answered, and passes that a right answer gave. What is asked for and what is
-- right is known here alone; the visitor holds an id, and is bound by a cookie (as SHA-256) and an address.
create table captcha (
  captcha_id uuid primary key,
  kind text not null check (kind in ('slider', 'words')),
  visitor_hash bytea not null check (length(visitor_hash) = 32),
  ip inet not null,
  answer jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz
);
create index captcha_end on captcha (expires_at);

create table captcha_pass (
  pass_hash bytea primary key check (length(pass_hash) = 32),
  visitor_hash bytea not null check (length(visitor_hash) = 32),
  ip inet not null,
  expires_at timestamptz not null
);
create index captcha_pass_end on captcha_pass (expires_at);

revoke all on attempt, known_device, captcha, captcha_pass from pahatid_tenant;

-- Counted in `attempt` from now on.
drop table sign_in_failure;
