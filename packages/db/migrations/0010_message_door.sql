set local citus.multi_shard_modify_mode = 'sequential';

-- What a batch of no task may still cost, 1/10,000 PHP: held back of the balance until the batch is done. A task's
-- batches are held by the task's reservation.
alter table batch add column cost bigint not null default 0;
create index batch_held on batch (customer_id) include (cost) where task_id is null and state < 2;

-- Limits that a customer sets on itself, per phone (frequency) or in all (volume). Null in the scope: any.
create table threshold (
  threshold_id uuid primary key,
  customer_id uuid not null references customer,
  kind text not null check (kind in ('frequency', 'volume')),
  app_id text references application,
  area_code text check (area_code ~ '^[A-Z]{2}$'),
  carrier text,
  sms_type smallint check (sms_type between 1 and 3),
  use_state smallint not null default 1 check (use_state in (0, 1)),
  -- frequency: messages to one phone, at most
  same_content_per_30s integer check (same_content_per_30s > 0),
  per_minute integer check (per_minute > 0),
  per_hour integer check (per_hour > 0),
  per_day integer check (per_day > 0),
  exempt text[] not null default '{}',
  -- volume: in a Manila hour, day or month
  period text check (period in ('hour', 'day', 'month')),
  unit text check (unit in ('messages', 'segments', 'cost')),
  limit_at bigint check (limit_at >= 0),
  created_at timestamptz not null default now(),
  check (kind <> 'frequency' or coalesce(same_content_per_30s, per_minute, per_hour, per_day) is not null),
  check (kind <> 'volume' or (period is not null and unit is not null and limit_at is not null))
);
create index threshold_customer on threshold (customer_id) where use_state = 1;

-- What was accepted in a period, exact: moved in the transaction that accepts, under the lock on the customer's funds.
create table volume_count (
  customer_id uuid not null,
  threshold_id uuid not null,
  period_start timestamptz not null,
  used bigint not null default 0,
  primary key (customer_id, threshold_id, period_start)
);

do $$
declare
  t text;
begin
  foreach t in array array['threshold', 'volume_count']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke insert, update, delete on volume_count from pahatid_tenant;
