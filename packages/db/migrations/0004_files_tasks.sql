set local citus.multi_shard_modify_mode = 'sequential';

create table file (
  file_id uuid primary key,
  customer_id uuid not null references customer,
  file_name text not null,
  size bigint not null default 0,
  -- uploading: bytes still arrive; a broken one is swept
  file_status text not null check (file_status in ('uploading', 'processing', 'success', 'fail')),
  error_code text,
  error_params jsonb,
  progress real not null default 0,
  total_rows integer not null default 0,
  valid_count integer not null default 0,
  duplicate_count integer not null default 0,
  rejected_count integer not null default 0,
  opted_out_count integer not null default 0,
  columns jsonb not null default '[]',
  sample jsonb not null default '[]',
  sheet_names jsonb not null default '[]',
  -- {hasHeader, phoneColumn, sheetName}: found or chosen
  reading jsonb,
  -- every reading writes blocks of its own generation; the old ones go with the switch
  generation integer not null default 0,
  parse_owner uuid,
  parse_lease_until timestamptz,
  created_by uuid references app_user,
  created_at timestamptz not null default now()
);
create index file_customer on file (customer_id, created_at desc);
create index file_waiting on file (created_at) where file_status in ('uploading', 'processing');

-- The upload as it came, in rows of at most 1 MB: any machine can parse it.
create table file_chunk (
  file_id uuid not null references file on delete cascade,
  seq integer not null,
  customer_id uuid not null,
  bytes bytea not null,
  primary key (file_id, seq)
);
alter table file_chunk alter column bytes set storage external;

-- Valid rows in compressed blocks of up to 1,000.
create table file_block (
  file_id uuid not null references file on delete cascade,
  generation integer not null,
  seq integer not null,
  customer_id uuid not null,
  row_count integer not null,
  bytes bytea not null,
  primary key (file_id, generation, seq)
);
alter table file_block alter column bytes set storage external;

create table file_reject (
  file_id uuid not null references file on delete cascade,
  generation integer not null,
  seq integer not null,
  customer_id uuid not null,
  -- [[line, raw text, reason code], …]
  rows jsonb not null,
  primary key (file_id, generation, seq)
);

create table task (
  task_id uuid primary key,
  customer_id uuid not null references customer,
  task_name text not null,
  sms_type smallint check (sms_type between 1 and 3),
  app_id text references application,
  template_id uuid references template,
  sender_id text,
  file_id uuid references file,
  mapping jsonb,
  plan_flag smallint not null default 0 check (plan_flag in (0, 1)),
  plan_time timestamptz,
  -- later than this after plan_time the task fails rather than runs
  latest_start interval not null default '4 hours',
  task_status smallint not null check (task_status between 0 and 11),
  paused smallint not null default 0 check (paused in (0, 1)),
  -- why it is paused, held, failed or rejected
  status_reason text,
  status_note text,
  -- held by the demo data alone, so that each state can be looked at
  demo_hold boolean not null default false,
  retry_count integer not null default 0,
  -- frozen when the task is checked, so that a later edit changes nothing under way
  template_version integer,
  content text,
  charge_type text,
  -- per segment where it is the same for all; prices has it for each country and carrier of the file
  price integer,
  prices jsonb,
  file_generation integer,
  total_count integer not null default 0,
  dropped_count integer not null default 0,
  opted_out_count integer not null default 0,
  estimated_segments bigint,
  estimated_cost bigint,
  -- preparation: blocks before this one are batches; in the same transaction as the batches
  next_block integer not null default 0,
  prepared_count integer not null default 0,
  prepared boolean not null default false,
  -- while a retry is prepared: failed messages up to this id are batches of the new round
  retry_cursor bigint,
  -- checking and preparing are leased
  owner uuid,
  lease_until timestamptz,
  created_by uuid references app_user,
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  confirmed_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  check (task_status not in (0, 2, 3, 4, 5, 6, 9, 10) or
         (app_id is not null and template_id is not null and sms_type is not null))
);
create index task_list on task (customer_id, created_at desc, task_id desc);
create index task_active on task (task_status, plan_time) where task_status in (0, 3, 4, 5, 10);
-- stopped, and its last batches or recipients not yet settled
create index task_stopping on task (task_id) where task_status = 9 and ended_at is null;
create index task_file on task (file_id);

-- Rows of the file that this task's template refuses.
create table task_reject (
  task_id uuid not null references task on delete cascade,
  seq integer not null,
  customer_id uuid not null,
  rows jsonb not null,
  primary key (task_id, seq)
);

create table task_event (
  task_id uuid not null references task on delete cascade,
  event_id uuid not null,
  customer_id uuid not null,
  at timestamptz not null default now(),
  -- status entered, or null for what leaves it alone
  task_status smallint,
  action text not null,
  user_id uuid references app_user,
  note text,
  primary key (task_id, event_id)
);

-- Counters of a running task, one row per writer: no two processes ever wait for each other. Sum them.
create table task_progress (
  task_id uuid not null references task on delete cascade,
  writer smallint not null,
  customer_id uuid not null,
  success_count integer not null default 0,
  failed_count integer not null default 0,
  delivered_count integer not null default 0,
  undelivered_count integer not null default 0,
  unknown_count integer not null default 0,
  unconfirmed_count integer not null default 0,
  charged_segments bigint not null default 0,
  charged_cost bigint not null default 0,
  primary key (task_id, writer)
);

-- What a confirmed task holds back of the balance: amount less what it has been charged, until released.
create table reservation (
  task_id uuid primary key references task on delete cascade,
  customer_id uuid not null references customer,
  amount bigint not null check (amount >= 0),
  released_at timestamptz
);
create index reservation_open on reservation (customer_id) where released_at is null;
