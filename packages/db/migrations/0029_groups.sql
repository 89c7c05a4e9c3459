set local citus.multi_shard_modify_mode = 'sequential';

-- A saved audience. Its name is free again once it is deleted; the row stays, for the tasks that were sent to it.
create table message_group (
  group_id uuid primary key,
  customer_id uuid not null references customer,
  group_name text not null,
  description text not null default '',
  -- of its members' values, in their order
  variable_names text[] not null default '{}',
  source text not null check (source in ('paste', 'api', 'file', 'task', 'groups')),
  -- moved in the transactions that add and remove members
  member_count integer not null default 0 check (member_count >= 0),
  created_by uuid references app_user,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- deleted, and none of its members is left
  emptied_at timestamptz
);
create unique index message_group_name on message_group (customer_id, lower(group_name)) where deleted_at is null;
create index message_group_list on message_group (customer_id, created_at desc, group_id desc) where deleted_at is null;
create index message_group_emptying on message_group (deleted_at) where deleted_at is not null and emptied_at is null;

-- Data table: customer_id first in every key; no foreign key, trigger, sequence or volatile default.
create table group_member (
  customer_id uuid not null,
  group_id uuid not null,
  msisdn text not null,
  variables text[] not null,
  range_holder text,
  joined_at timestamptz not null,
  primary key (customer_id, group_id, msisdn)
);
create index group_member_msisdn on group_member (customer_id, msisdn);

-- Numbers on their way into a group, or into the list of opt-outs where there is no group: leased by a jobs process, step
-- by step, the cursor moving in the transaction that writes what it passes.
create table intake (
  intake_id uuid primary key,
  customer_id uuid not null references customer,
  group_id uuid references message_group,
  kind text not null check (kind in ('file', 'task', 'merge', 'intersect', 'subtract', 'optOut')),
  file_id uuid references file on delete set null,
  task_id uuid references task on delete set null,
  params jsonb not null default '{}',
  overwrite boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'fail')),
  cursor jsonb not null default '{}',
  total_count integer not null default 0,
  read_count integer not null default 0,
  added_count integer not null default 0,
  updated_count integer not null default 0,
  kept_count integer not null default 0,
  error_code text,
  owner uuid,
  lease_until timestamptz,
  created_by uuid references app_user,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index intake_waiting on intake (created_at) where state = 'waiting';
create index intake_group on intake (customer_id, group_id, created_at desc);
create index intake_file on intake (file_id) where file_id is not null;

-- What a task to groups sends to, put together and frozen when it is checked, is kept as a file's rows are.
alter table file add column is_audience boolean not null default false;
alter table task add column group_ids uuid[] not null default '{}';
alter table task add column audience_id uuid references file;
-- {frozenAt, fileCount, duplicateCount, fileGeneration, groups: [{groupId, memberCount}]}
alter table task add column audience jsonb;
create index task_audience on task (audience_id) where audience_id is not null;

-- Who put a number on the list by hand or by file, beside where it came from and what shows it.
alter table opt_out add column added_by uuid;
create index opt_out_list on opt_out (customer_id, created_at desc, msisdn desc);

do $$
declare
  t text;
begin
  foreach t in array array['message_group', 'group_member', 'intake']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
