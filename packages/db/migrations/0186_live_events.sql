-- Events of customers' software as they happen, for streams: written only while someone of the customer listens, kept for an
-- hour.
set local citus.multi_shard_modify_mode = 'sequential';

-- Someone of the customer listens, or may come back and ask for what happened meanwhile.
create table live_listener (
  customer_id uuid primary key,
  listens_until timestamptz not null
);

create table live_event (
  event_id uuid primary key,
  -- who listens: in test mode the live customer, and its live application
  customer_id uuid not null,
  -- whose message or task it is about
  source_id uuid not null,
  -- null: of all applications
  app_id text,
  type text not null,
  message_id bigint,
  sequence integer not null default 0,
  subject_id uuid,
  facts jsonb not null,
  at timestamptz not null,
  -- Streams read in the order of transactions, up to the oldest that has not ended: so none is passed over that commits late.
  xid xid8 not null
);
create index live_event_order on live_event (customer_id, xid, event_id);
create index live_event_message on live_event (customer_id, message_id) where message_id is not null;

alter table live_listener enable row level security;
create policy live_listener_tenant on live_listener to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke delete on live_listener from pahatid_tenant;

alter table live_event enable row level security;
create policy live_event_tenant on live_event to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
create policy live_event_application on live_event as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
revoke update, delete on live_event from pahatid_tenant;
