-- Calls that each api process counted against a rate limit, so that the limits hold over all processes. A row is replaced
-- twice a second while its caller is busy, and deleted a minute after. Nothing here is worth keeping over a crash of the
-- database.
create unlogged table call_count (
  -- The limit and whose it is: people:<customer or user>, application:<key or application>, address:<address or network>.
  key text not null,
  process_id uuid not null,
  -- Of the process, since the row exists.
  counted bigint not null,
  -- The part of it that was added last.
  added bigint not null,
  at timestamptz not null,
  primary key (key, process_id)
) with (fillfactor = 50);
create index call_count_at on call_count (at);
alter table call_count enable row level security;
revoke all on call_count from pahatid_tenant;
