set local citus.multi_shard_modify_mode = 'sequential';

-- A user's own charts of statistics, tab by tab. Staff have no customer.
create table chart (
  chart_id uuid primary key,
  customer_id uuid references customer,
  user_id uuid not null references app_user on delete cascade,
  tab_name text not null,
  chart_type text not null check (chart_type in ('line', 'bar', 'pie')),
  selected_metrics text[] not null check (cardinality(selected_metrics) > 0),
  dimensions text[] not null default '{}',
  filters jsonb not null default '{}',
  preset text,
  range_from timestamptz,
  range_to timestamptz,
  unit smallint not null check (unit between 0 and 2),
  compare smallint not null default 0 check (compare in (0, 1)),
  is_default boolean not null default false,
  place integer not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  check (preset is not null or (range_from < range_to))
);
create index chart_user on chart (user_id, place, chart_id);
create unique index chart_default on chart (user_id) where is_default;

alter table chart enable row level security;
create policy chart_tenant on chart to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
