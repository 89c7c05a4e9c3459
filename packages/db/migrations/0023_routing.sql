set local citus.multi_shard_modify_mode = 'sequential';

-- How busy a bind is, as its sender says it once a second, and when the next try is due.
alter table bind_state add column window_used integer not null default 0;
-- submit_sm written in the last second
alter table bind_state add column rate integer not null default 0;
alter table bind_state add column retry_at timestamptz;

-- Staff edit ranges: who changes one says which version was seen.
alter table prefix add column version integer not null default 1;
alter table prefix add column updated_at timestamptz not null default now();

-- What prices were, are and will be. `price` holds those in force; what is to be later waits here until its time.
create table price_change (
  change_id uuid primary key,
  area_code text not null,
  carrier text,
  sms_type smallint check (sms_type between 1 and 3),
  customer_id uuid references customer,
  -- 1/10,000 PHP a segment; null: the price ended, the next more general one counts
  price integer check (price >= 0),
  effective_at timestamptz not null,
  -- null: planned
  applied_at timestamptz,
  account text,
  created_at timestamptz not null default now()
);
create index price_change_planned on price_change (effective_at) where applied_at is null;
create unique index price_change_once on price_change (area_code, carrier, sms_type, customer_id, effective_at)
  nulls not distinct where applied_at is null;
-- Those in force now: since when is not known, so since this moment.
insert into price_change (change_id, area_code, carrier, sms_type, customer_id, price, effective_at, applied_at)
  select gen_random_uuid(), area_code, carrier, sms_type, customer_id, price, now(), now() from price;
revoke all on price_change from pahatid_tenant;
-- Shut by the grant already; a customer's own row, should it ever be opened.
alter table price_change enable row level security;
create policy price_change_tenant on price_change for select to pahatid_tenant
  using (customer_id = (select current_customer()));
