set local citus.multi_shard_modify_mode = 'sequential';

-- What goes out and comes back, as it happens: ten seconds of one sender in a row. Says how the house runs now and for
-- nothing else: it is counted after the commit, at most a second late, and gone after an hour. Statistics are report_minute.
create table traffic (
  -- beginning of the ten seconds, by the database's clock
  at timestamptz not null,
  -- UUID of the sender's process
  owner uuid not null,
  customer_id uuid not null,
  route_id uuid not null,
  carrier text not null,
  accepted integer not null default 0,
  refused integer not null default 0,
  -- receipts, whatever they say
  receipts integer not null default 0,
  primary key (at, owner, customer_id, route_id, carrier)
);
alter table traffic enable row level security;
create policy traffic_tenant on traffic to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke all on traffic from pahatid_tenant;

-- Over all customers the last minutes and days are asked for, and the key begins with the customer.
create index report_minute_minute on report_minute (minute);

-- Since when a bind is missing; null while it is bound. `since` begins anew with every try.
alter table bind_state add column lost_at timestamptz;

-- Jobs that fail in a row, as the process whose job it is says it after each try; gone after the first that succeeds.
create table job_failure (
  job text not null,
  owner uuid not null,
  failures integer not null,
  failing_since timestamptz not null,
  seen_at timestamptz not null,
  primary key (job, owner)
);

-- What comparing counters with what they count found last.
create table verify_run (
  run_id uuid primary key,
  at timestamptz not null,
  differences integer not null,
  -- how many of each check
  totals jsonb not null
);
create index verify_run_at on verify_run (at);
revoke all on job_failure, verify_run from pahatid_tenant;
