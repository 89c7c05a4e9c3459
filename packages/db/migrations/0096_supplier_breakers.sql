set local citus.multi_shard_modify_mode = 'sequential';

-- Answers of each supplier account to submit_sm, as each sender counted them in a second. Only for judging the account
-- now: gone after a few minutes.
create table supplier_answers (
  supplier_id uuid not null references supplier on delete cascade,
  at timestamptz not null,
  -- UUID of the sender's process
  owner uuid not null,
  submitted integer not null,
  accepted integer not null,
  -- because of the message
  refused integer not null,
  -- of the system or of the account
  errors integer not null,
  throttled integer not null,
  -- without an answer in time
  timeouts integer not null,
  -- sum of the times to an answer
  answer_ms bigint not null,
  primary key (supplier_id, at, owner)
);

-- Accounts that should not be used although binds are up, and those that were so a short while ago; no row: closed.
create table supplier_breaker (
  supplier_id uuid primary key references supplier on delete cascade,
  state text not null check (state in ('closed', 'open', 'halfOpen')),
  reason text check (reason in ('errors', 'throttled', 'timeouts', 'slow')),
  -- in a row
  openings integer not null,
  -- when the state was entered
  changed_at timestamptz not null,
  -- when it was closed last, so since when there is trouble
  opened_at timestamptz,
  -- answers that opened it last
  figures jsonb not null
);
revoke all on supplier_answers, supplier_breaker from pahatid_tenant;
