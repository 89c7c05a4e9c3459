-- Event streams that are open, so that a session and a customer have an end of them over all api processes. A row is a
-- lease: a process renews those of its own while it lives, and what it left behind ends by itself. Nothing here is worth
-- keeping over a crash of the database.
create unlogged table event_stream (
  stream_id uuid primary key,
  process_id uuid not null,
  session_hash bytea not null check (length(session_hash) = 32),
  -- null: of the staff
  customer_id uuid,
  expires_at timestamptz not null
);
create index event_stream_session on event_stream (session_hash);
create index event_stream_customer on event_stream (customer_id);
create index event_stream_process on event_stream (process_id);
alter table event_stream enable row level security;
create policy event_stream_tenant on event_stream to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke all on event_stream from pahatid_tenant;
