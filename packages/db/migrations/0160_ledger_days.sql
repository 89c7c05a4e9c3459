-- The ledger folded by day, so that no balance is added up from its beginning. Data tables: customer_id first in every key; no
-- foreign key, trigger, sequence or volatile default. Written by a job, for days that no entry is dated on any more.
set local citus.multi_shard_modify_mode = 'sequential';

-- Sums of a day (UTC) of a customer.
create table ledger_day (
  customer_id uuid not null,
  day date not null,
  -- topUp, adjustment, or charge with the corrections of charges
  kind text not null check (kind in ('topUp', 'charge', 'adjustment')),
  -- '': none
  app_id text not null,
  -- zeros: none
  task_id uuid not null,
  -- day in which the batch was accepted, from 2025-01-01 on; -1: no batch
  batch_day integer not null,
  -- 1/10,000 PHP, as in the ledger; the same weighted by batch
  amount bigint not null,
  weighted numeric not null,
  segments bigint not null,
  entries bigint not null,
  primary key (customer_id, day, kind, app_id, task_id, batch_day)
);

-- What all entries up to the end of a day come to. A row for each day with entries; days after a customer's last are not folded.
create table ledger_snapshot (
  customer_id uuid not null,
  day date not null,
  -- 1/10,000 PHP
  amount bigint not null,
  entries bigint not null,
  -- of them, charges that name no batch
  loose bigint not null,
  primary key (customer_id, day)
);

alter table ledger_day enable row level security;
create policy ledger_day_tenant on ledger_day to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke all on ledger_day from pahatid_tenant;

alter table ledger_snapshot enable row level security;
create policy ledger_snapshot_tenant on ledger_snapshot to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on ledger_snapshot from pahatid_tenant;
