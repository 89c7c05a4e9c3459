set local citus.multi_shard_modify_mode = 'sequential';

-- How the customer's software submitted the message by SMPP, for its receipts (`sending/smpp-terms.ts`); null: it came
-- another way. Never a number: the destination is the row's, in the form that the software wrote.
alter table message add column smpp text;

-- When software bound first: receipts are written for customers whose software has.
alter table application add column smpp_bound_at timestamptz;
-- Send types by service_type, such as {"OTP": 1}; others are notifications.
alter table application add column smpp_service_types jsonb;
-- Texts that come whole must match an approved template of the application.
alter table customer add column template_required boolean;

-- Processes of the SMPP server. The binds of one whose lease has ended count no more.
create table smpp_process (
  owner uuid primary key,
  -- where it runs: one that follows it there frees its binds at once
  machine text not null,
  pid integer not null,
  lease_until timestamptz not null
);
revoke all on smpp_process from pahatid_tenant;

-- Live binds of customers' software: a slot of max_connect_num each, taken under the lock of the application's row.
create table smpp_bind (
  bind_id uuid primary key,
  customer_id uuid not null references customer,
  app_id text not null references application on delete cascade,
  owner uuid not null,
  mode text not null check (mode in ('transmitter', 'receiver', 'transceiver')),
  client_ip inet not null,
  client_port integer not null,
  is_tls boolean not null,
  bound_at timestamptz not null,
  -- as last reported by its process
  window_used integer not null default 0,
  -- submit_sm a second
  submit_rate integer not null default 0,
  last_status integer,
  last_status_at timestamptz,
  -- a user wants it closed
  end_requested boolean not null default false
);
create index smpp_bind_app on smpp_bind (app_id);
create index smpp_bind_owner on smpp_bind (owner);

-- Binds that were refused, of known applications: each reason and address once, with how often.
create table smpp_refusal (
  customer_id uuid not null references customer,
  app_id text not null references application on delete cascade,
  client_ip inet not null,
  reason text not null check (reason in ('password', 'address', 'noAddresses', 'disabled', 'noAccess', 'connections', 'tooOften')),
  refused_count integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (app_id, client_ip, reason)
);
create index smpp_refusal_age on smpp_refusal (last_at);

-- What is to be delivered by deliver_sm: the state of a message, or a phone's text. A row is deleted once the software has
-- taken it; one that it refused for good stays with the status. Rows have neither numbers nor texts.
create table smpp_delivery (
  customer_id uuid not null,
  delivery_id uuid not null,
  app_id text not null,
  -- of a receipt
  message_id bigint,
  -- the id that the software knows: that of a part, or of the message
  issued_id bigint,
  -- of a phone's text
  inbound_id uuid,
  -- place among those of the message, counted under the lock of the message's row
  sequence integer not null default 0,
  client_status smallint,
  carrier_code text,
  report_at timestamptz,
  at timestamptz not null,
  next_at timestamptz not null,
  attempts smallint not null default 0,
  last_status integer,
  refused_at timestamptz,
  primary key (customer_id, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
create index smpp_delivery_waiting on smpp_delivery (app_id, delivery_id) where refused_at is null;
create index smpp_delivery_message on smpp_delivery (customer_id, message_id) where refused_at is null;
create index smpp_delivery_age on smpp_delivery (at);

-- Which process delivers to an application: one at a time, so that the receipts of a message keep their order.
create table smpp_delivery_lease (
  app_id text primary key references application on delete cascade,
  owner uuid not null,
  lease_until timestamptz not null
);
revoke all on smpp_delivery_lease from pahatid_tenant;

do $$
declare
  t text;
begin
  foreach t in array array['smpp_bind', 'smpp_refusal', 'smpp_delivery']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke insert, delete on smpp_bind from pahatid_tenant;
revoke insert, update, delete on smpp_refusal, smpp_delivery from pahatid_tenant;
