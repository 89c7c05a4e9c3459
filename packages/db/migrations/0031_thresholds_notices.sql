set local citus.multi_shard_modify_mode = 'sequential';

-- A volume may warn without limiting, and a third kind of rule looks at how well messages arrive.
alter table threshold drop constraint threshold_kind_check;
alter table threshold add constraint threshold_kind_check check (kind in ('frequency', 'volume', 'quality'));
alter table threshold drop constraint threshold_check1;
alter table threshold
  -- volume: where people are told, below the limit or without one
  add column alert_at bigint check (alert_at > 0),
  -- quality: what is measured, over how many minutes, of how many messages at least, those younger than the grace left out
  add column metric text check (metric in ('delivered', 'failed', 'unknown', 'delay')),
  -- rates in 1/100 %, the delay in seconds; the delivered rate fires below it, the others above
  add column bound integer check (bound > 0),
  add column window_minutes integer check (window_minutes between 5 and 1440),
  add column min_volume integer check (min_volume between 1 and 1000000),
  add column grace_seconds integer check (grace_seconds between 0 and 86400),
  add column act text check (act in ('alert', 'pauseTasks', 'pauseApplication')),
  -- who is told besides the owners' own settings
  add column emails text[] not null default '{}' check (cardinality(emails) <= 5),
  add column msisdns text[] not null default '{}' check (cardinality(msisdns) <= 5),
  -- contacts are not told again within this
  add column silence_minutes integer not null default 60 check (silence_minutes between 0 and 10080),
  add column told_at timestamptz,
  -- Volume: the periods whose alert and limit are in the history already. Quality: since when it is out of bounds.
  add column alerted_period timestamptz,
  add column limited_period timestamptz,
  add column firing_since timestamptz,
  -- quality: the last measurement and what it was taken of
  add column last_value double precision,
  add column last_volume integer,
  add column checked_at timestamptz,
  add column created_by uuid references app_user on delete set null,
  add column updated_at timestamptz not null default now(),
  add constraint threshold_volume check (kind <> 'volume' or (period is not null and unit is not null and coalesce(alert_at, limit_at) is not null)),
  add constraint threshold_quality check (kind <> 'quality' or
    (metric is not null and bound is not null and window_minutes is not null and min_volume is not null and grace_seconds is not null and act is not null)),
  add constraint threshold_pause check (act <> 'pauseApplication' or app_id is not null);

-- What a rule did, for its history; of messages only numbers.
create table threshold_event (
  customer_id uuid not null,
  threshold_id uuid not null,
  event_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('alert', 'limit', 'refused', 'pause', 'resume', 'over')),
  value double precision,
  bound double precision,
  -- messages that the value was taken of, or tasks that were paused or let go
  amount integer,
  user_id uuid,
  -- its contacts were told; not within the silence time
  told boolean not null default false,
  primary key (customer_id, threshold_id, event_id)
);

-- Messages that a rule refused, by the hour in which it did: moved in the transaction that decides.
create table threshold_refusal (
  customer_id uuid not null,
  threshold_id uuid not null,
  hour timestamptz not null,
  refused bigint not null default 0,
  primary key (customer_id, threshold_id, hour)
);

-- Paused by a rule: its doors refuse and its messages wait, until somebody lets it go on.
alter table application add column paused_by uuid references threshold on delete set null;
-- Which rule paused a task, and until when a volume holds it.
alter table task add column threshold_id uuid;
alter table task add column held_until timestamptz;
create index task_of_threshold on task (threshold_id) where threshold_id is not null;

-- What a person is told of in the console: a row for each person, gone after its time.
create table notice (
  notice_id uuid primary key,
  customer_id uuid references customer,
  user_id uuid not null references app_user on delete cascade,
  kind text not null,
  params jsonb not null,
  -- the same event is told to a person once, however many processes notice it
  once_key text,
  -- kept so that nobody is mailed twice, and shown nowhere: the person has switched the bell off
  silent boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz
);
create index notice_of_user on notice (user_id, notice_id desc);
create index notice_unread on notice (user_id) where read_at is null and not silent;
create unique index notice_once on notice (user_id, once_key);
create index notice_age on notice (created_at);

-- How a person wants to be told; without a row the kind's own default holds.
create table notice_setting (
  user_id uuid not null references app_user on delete cascade,
  customer_id uuid references customer,
  kind text not null,
  bell boolean not null,
  email boolean not null,
  primary key (user_id, kind)
);

-- Told of a low balance once, until it has been above the line again.
alter table customer add column low_balance_told boolean not null default false;

do $$
declare
  t text;
begin
  foreach t in array array['threshold_event', 'threshold_refusal', 'notice', 'notice_setting']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke update, delete on threshold_event from pahatid_tenant;
revoke insert, update, delete on threshold_refusal from pahatid_tenant;
revoke all on notice, notice_setting from pahatid_tenant;
