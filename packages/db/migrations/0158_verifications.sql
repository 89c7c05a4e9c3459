-- Codes that are made here and checked here, for customers' software. Data tables: customer_id first in every key; no foreign
-- key, trigger, sequence or volatile default.
set local citus.multi_shard_modify_mode = 'sequential';

create table verification (
  customer_id uuid not null,
  -- its time is that of the first code
  verification_id uuid not null,
  app_id text not null,
  -- '': erased
  msisdn text not null,
  area_code text not null,
  status text not null check (status in ('pending', 'approved', 'failed', 'expired', 'cancelled')),
  -- keyed, of the last code alone
  code_hash bytea not null,
  -- wrong codes so far
  attempts smallint not null default 0,
  sends smallint not null default 1,
  -- with the last code; null: its acceptance is in progress, or its process died
  message_id bigint,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (customer_id, verification_id)
);
-- Two concurrent calls for one phone share one.
create unique index verification_pending on verification (customer_id, app_id, msisdn) where status = 'pending';
create index verification_msisdn on verification (customer_id, msisdn);

-- Codes that were sent and entered, by the hour (UTC) in which their verification began.
create table verification_hour (
  customer_id uuid not null,
  hour timestamptz not null,
  app_id text not null,
  area_code text not null,
  -- the first five digits of the numbers
  prefix text not null,
  writer smallint not null,
  started bigint not null,
  sent bigint not null,
  approved bigint not null,
  primary key (customer_id, hour, app_id, area_code, prefix, writer)
);

-- for staff, over all customers
create index verification_hour_hour on verification_hour (hour);

alter table verification enable row level security;
create policy verification_tenant on verification to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));

alter table verification_hour enable row level security;
create policy verification_hour_tenant on verification_hour to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke delete on verification_hour from pahatid_tenant;
create policy verification_application on verification as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
create policy verification_hour_application on verification_hour as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
