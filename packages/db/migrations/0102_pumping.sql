set local citus.multi_shard_modify_mode = 'sequential';

-- A fourth kind of rule looks for signs of SMS pumping: an application's messages by API against its own past.
alter table threshold drop constraint threshold_kind_check;
alter table threshold add constraint threshold_kind_check check (kind in ('frequency', 'volume', 'quality', 'pumping'));
alter table threshold drop constraint threshold_act_check;
alter table threshold add constraint threshold_act_check check (act in ('alert', 'slow', 'pauseTasks', 'pauseApplication'));
-- An alarm of pumping names its application.
alter table threshold drop constraint threshold_pause;
alter table threshold
  -- how many times the usual number is unusual
  add column factor integer check (factor between 2 and 100),
  -- messages per minute of an application that is slowed
  add column slow_to integer check (slow_to between 1 and 100000),
  add constraint threshold_pause check (act <> 'pauseApplication' or app_id is not null or kind = 'pumping'),
  add constraint threshold_slow check (act <> 'slow' or kind = 'pumping'),
  add constraint threshold_pumping check (kind <> 'pumping' or
    (min_volume is not null and factor is not null and slow_to is not null and act is not null and act <> 'pauseTasks'
      and area_code is null and carrier is null and sms_type is null));
create index threshold_pumping_of_customer on threshold (customer_id) where kind = 'pumping';

alter table threshold_event drop constraint threshold_event_kind_check;
alter table threshold_event add constraint threshold_event_kind_check
  check (kind in ('alert', 'limit', 'refused', 'slow', 'pause', 'resume', 'over'));
-- Of pumping: the application, the signal, the first digits or the country, and what is usual.
alter table threshold_event add column facts jsonb;

-- The busiest window of each day, by what was counted in it. Written by the job that compares with it, only for what is
-- large enough to count later: a few rows a day for an application.
create table pumping_past (
  customer_id uuid not null,
  app_id text not null,
  -- of the Manila calendar
  day date not null,
  -- messages, prefix, country, sequence, repeats, conversion
  signal text not null,
  -- the first digits or the country, otherwise empty
  key text not null,
  busiest integer not null default 0,
  -- of conversion: sums over all windows of the day, of which only the ratio means something
  sent bigint not null default 0,
  used bigint not null default 0,
  primary key (customer_id, app_id, day, signal, key)
);

-- Alarms that are not over.
create table pumping_alarm (
  customer_id uuid not null,
  threshold_id uuid not null references threshold on delete cascade,
  app_id text not null,
  -- names its limit among those of volume
  alarm_id uuid not null,
  since timestamptz not null,
  -- when a sign was last there
  seen_at timestamptz not null,
  -- as in the event that began it
  facts jsonb not null,
  -- messages per minute while the application is slowed
  slow_to integer,
  primary key (customer_id, threshold_id, app_id)
);

do $$
declare
  t text;
begin
  foreach t in array array['pumping_past', 'pumping_alarm']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke insert, update, delete on pumping_past from pahatid_tenant;
revoke insert on pumping_alarm from pahatid_tenant;

-- On for every customer. Ids begin with the time at which the customer was made, so these are the oldest rules.
insert into threshold (threshold_id, customer_id, kind, min_volume, factor, act, slow_to, silence_minutes)
select (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
    || '8' || substr(md5(customer_id::text), 1, 15))::uuid,
  customer_id, 'pumping', 100, 5, 'alert', 30, 0
from customer where not internal;
