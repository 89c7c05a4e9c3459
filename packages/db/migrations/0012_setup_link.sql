-- The one link by which the first admin comes in. Its token is kept as SHA-256 only: a copy of the table opens nothing.
create table setup_link (
  only_one boolean primary key default true check (only_one),
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
revoke all on setup_link from pahatid_tenant;

-- What the round under way repeats: recipients that failed, or those of whom nothing was ever heard.
alter table task add column retry_what text not null default 'failed' check (retry_what in ('failed', 'unconfirmed'));
