-- Control tables: who may sign in, and what belongs to whom.
set local citus.multi_shard_modify_mode = 'sequential';

create table customer (
  customer_id uuid primary key,
  customer_name text not null unique check (length(customer_name) between 1 and 100),
  -- 0 suspended: its sends stop, its data stays
  use_state smallint not null default 1 check (use_state in (0, 1)),
  -- the provider's own messages (codes of the sign-in) are sent by an internal, uncharged customer
  internal boolean not null default false,
  review_policy text not null default 'firstTask'
    check (review_policy in ('always', 'never', 'aboveCount', 'firstTask', 'marketing')),
  review_above integer check (review_above > 0),
  -- send types whose templates need no review
  exempt_sms_types smallint[] not null default '{}',
  quiet_hours_exempt boolean not null default false,
  low_balance bigint not null default 10000000,
  created_at timestamptz not null default now()
);

create table app_user (
  user_id uuid primary key,
  customer_id uuid references customer,
  account text not null check (account = lower(account)),
  email text not null check (email = lower(email)),
  name text not null,
  role text not null check (role in ('owner', 'member', 'viewer', 'reviewer', 'operator', 'admin')),
  password_hash text not null,
  use_state smallint not null default 1 check (use_state in (0, 1)),
  zone text not null default 'Asia/Manila',
  created_at timestamptz not null default now(),
  last_sign_in_at timestamptz,
  check ((customer_id is null) = (role in ('reviewer', 'operator', 'admin')))
);
create unique index app_user_account on app_user (account);
create unique index app_user_email on app_user (email);
create index app_user_customer on app_user (customer_id);

-- Opaque ids are kept as their SHA-256 only: a copy of the table opens nothing.
create table session (
  session_hash bytea primary key check (length(session_hash) = 32),
  user_id uuid not null references app_user on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ip inet,
  user_agent text
);
create index session_of_user on session (user_id);

-- Counted for names that exist and for names that don't, so that the count tells nothing.
create table sign_in_failure (
  account text primary key,
  failure_count integer not null,
  last_failed_at timestamptz not null
);

create table application (
  app_id text primary key check (app_id ~ '^[A-Za-z0-9_-]{3,15}$'),
  customer_id uuid not null references customer,
  app_name text not null,
  remark_info text not null,
  use_state smallint not null default 1 check (use_state in (0, 1)),
  charge_type text not null default 'SenderPays' check (charge_type in ('SenderPays', 'ReceiverPays')),
  access_type smallint not null default 3 check (access_type between 1 and 3),
  -- SMPP system_id, at most 15 characters (SMPP 3.4 section 5.2.1)
  account text not null unique check (length(account) <= 15),
  max_connect_num integer not null default 2 check (max_connect_num between 1 and 20),
  tps integer not null default 100 check (tps > 0),
  white_list_ip text[] not null default '{}',
  callback_url text,
  doubt_policy jsonb not null default '{"verification":"hold","notification":"hold","marketing":"hold"}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index application_name on application (customer_id, lower(app_name));

-- HTTP secrets as SHA-256 (256 random bits need no slow hash), SMPP passwords as HMAC under the master key.
create table application_secret (
  secret_id uuid primary key,
  customer_id uuid not null references customer,
  app_id text not null references application on delete cascade,
  kind text not null check (kind in ('http', 'smpp')),
  secret_hash bytea not null check (length(secret_hash) = 32),
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index application_secret_app on application_secret (app_id, kind);

create table audit_log (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  customer_id uuid,
  user_id uuid,
  account text,
  ip inet,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_customer on audit_log (customer_id, audit_id);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

create table idempotency_key (
  customer_id uuid not null,
  key text not null check (length(key) between 1 and 100),
  request_hash bytea not null,
  status smallint,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (customer_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);
