-- Alarms for staff about accounts and personal data: one row for each subject of a kind, replaced when it is raised again.
-- Of the provider, not of a customer: what it says of one is in its facts.
set local citus.multi_shard_modify_mode = 'sequential';

create table staff_alarm (
  kind text not null,
  -- whose alarm it is: a network, a user, a key, an account at a carrier
  subject text not null,
  raised_at timestamptz not null,
  raised_count integer not null default 1,
  facts jsonb not null,
  primary key (kind, subject)
);
create index staff_alarm_time on staff_alarm (raised_at);
alter table staff_alarm enable row level security;
revoke all on staff_alarm from pahatid_tenant;
