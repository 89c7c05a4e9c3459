set local citus.multi_shard_modify_mode = 'sequential';

-- Short codes and long numbers that staff assigned to an application: sources that phones can answer. A number has one
-- owner; one that is withdrawn goes, and may be assigned again.
create table assigned_number (
  number_id uuid primary key,
  customer_id uuid not null references customer,
  app_id text not null references application,
  -- digits only: a short code of up to 8, or an international number
  number text not null unique check (number ~ '^[0-9]{3,15}$'),
  remark_info text not null default '',
  use_state smallint not null default 1 check (use_state in (0, 1)),
  assigned_at timestamptz not null default now(),
  assigned_by uuid references app_user
);
create index assigned_number_list on assigned_number (customer_id, number);
create index assigned_number_app on assigned_number (app_id);

alter table assigned_number enable row level security;
create policy assigned_number_tenant on assigned_number to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on assigned_number from pahatid_tenant;

create index sender_name on sender (lower(sender_id));

-- Texts of phones to an address that no customer owns: for staff alone.
create table unowned_reply (
  inbound_id uuid primary key,
  supplier_id uuid not null,
  msisdn text not null,
  destination text not null,
  content text not null,
  -- the whole text is a word of refusal: staff find out whom it refuses
  is_opt_out boolean not null,
  received_at timestamptz not null
);
create index unowned_reply_received on unowned_reply (received_at);
alter table unowned_reply enable row level security;
revoke all on unowned_reply from pahatid_tenant;

-- A text whose owner is not known has no customer; one to an assigned number need not answer a message.
alter table inbound_part
  alter column customer_id drop not null,
  alter column message_id drop not null,
  alter column app_id drop not null;
