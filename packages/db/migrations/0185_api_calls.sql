-- Calls of customers' software, for its developers: written in batches by the processes that answered them, kept for a week.
-- A data table: customer_id first in every key; no foreign key, trigger, sequence or volatile default.
set local citus.multi_shard_modify_mode = 'sequential';

create table api_call (
  -- in test mode the live customer, and its live application
  customer_id uuid not null,
  -- its time is that of the response
  call_id uuid not null,
  app_id text not null,
  -- null: the password of the application
  key_id uuid,
  request_id text not null,
  method text not null,
  -- of the contract, with the names of its parameters
  route text not null,
  -- as it was called, without its query; numbers of phones are masked
  path text not null,
  status smallint not null,
  -- of the catalogue of errors
  error_code text,
  duration_ms integer not null,
  ip inet not null,
  -- masked, and only where the customer wants them; the first octets of long ones
  request_body text,
  response_body text,
  primary key (customer_id, call_id)
);
create index api_call_request on api_call (customer_id, request_id);
create index api_call_key on api_call (customer_id, key_id, call_id);
create index api_call_route on api_call (customer_id, route, call_id);
-- of objects, which the path names
create index api_call_path on api_call (customer_id, path, call_id) where path <> route;
create index api_call_errors on api_call (customer_id, call_id) where status >= 400;

-- Calls that were not recorded, because too many waited to be written.
create table api_call_dropped (
  customer_id uuid not null,
  hour timestamptz not null,
  dropped_count bigint not null,
  primary key (customer_id, hour)
);

-- Bodies of calls are recorded; null: they are not.
alter table customer add column call_bodies boolean;

alter table api_call enable row level security;
create policy api_call_tenant on api_call to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
create policy api_call_application on api_call as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
revoke insert, update, delete on api_call from pahatid_tenant;

alter table api_call_dropped enable row level security;
create policy api_call_dropped_tenant on api_call_dropped to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on api_call_dropped from pahatid_tenant;
