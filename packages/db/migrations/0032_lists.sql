set local citus.multi_shard_modify_mode = 'sequential';

-- Filters of a list that a user keeps under a name. Never a phone number among them. Staff have no customer.
create table saved_filter (
  filter_id uuid primary key,
  customer_id uuid references customer,
  user_id uuid not null references app_user on delete cascade,
  list text not null check (list in ('records')),
  name text not null check (length(name) between 1 and 40),
  filters jsonb not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index saved_filter_name on saved_filter (user_id, list, lower(name));
create unique index saved_filter_default on saved_filter (user_id, list) where is_default;

-- How a user has a list: rows near or far, columns switched from what they are by default.
create table view_setting (
  customer_id uuid references customer,
  user_id uuid not null references app_user on delete cascade,
  list text not null,
  density text not null check (density in ('comfortable', 'compact')),
  switched text[] not null default '{}',
  primary key (user_id, list)
);

-- Files that are made of a list in the background. `cursor` is the place the last part ended at, so that whoever takes
-- the export up goes on there; what was asked for is forgotten when it ends.
create table export_job (
  export_id uuid primary key,
  customer_id uuid references customer,
  user_id uuid not null references app_user on delete cascade,
  list text not null check (list in ('records')),
  request jsonb not null,
  lang text not null check (lang in ('zh-CN', 'en-US')),
  -- of phone numbers, as its user saw them when it was asked for
  masked boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed', 'cancelled', 'expired')),
  row_count bigint not null default 0,
  byte_count bigint not null default 0,
  part_count integer not null default 0,
  percent smallint not null default 0 check (percent between 0 and 100),
  cursor text,
  -- how often it was taken up since its last part
  tries smallint not null default 0,
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  expires_at timestamptz,
  check ((state = 'ready') <= (expires_at is not null))
);
create index export_job_user on export_job (user_id, created_at desc, export_id desc);
create index export_job_due on export_job (lease_until) where state in ('waiting', 'running');
create index export_job_expiry on export_job (expires_at) where state = 'ready';

-- Its bytes, each part compressed by itself. The staff's, which are of no one customer, bear the nil id.
create table export_part (
  customer_id uuid not null,
  export_id uuid not null,
  seq integer not null,
  bytes bytea not null,
  primary key (customer_id, export_id, seq)
);

do $$
declare
  t text;
begin
  foreach t in array array['saved_filter', 'view_setting', 'export_job', 'export_part']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke insert, update on export_part from pahatid_tenant;
