-- The statistics by hour, for every report with a step of an hour or more: sums of report_minute without its writer. Data
-- table: customer_id first in every key; no foreign key, trigger, sequence or volatile default.
set local citus.multi_shard_modify_mode = 'sequential';

create table report_hour (
  customer_id uuid not null,
  -- its beginning
  hour timestamptz not null,
  app_id text not null,
  area_code text not null,
  carrier text not null,
  client_sid text not null,
  sms_type smallint not null,
  route_id uuid not null,
  req_total bigint not null default 0,
  req_success bigint not null default 0,
  req_fail bigint not null default 0,
  req_blocked bigint not null default 0,
  receipt_success bigint not null default 0,
  receipt_fail bigint not null default 0,
  receipt_unknown bigint not null default 0,
  segments bigint not null default 0,
  charged bigint not null default 0,
  primary key (customer_id, hour, app_id, area_code, carrier, client_sid, sms_type, route_id)
);
create index report_hour_hour on report_hour (hour);

-- The same of all customers together, for staff.
create table report_hour_total (
  hour timestamptz not null,
  area_code text not null,
  carrier text not null,
  sms_type smallint not null,
  route_id uuid not null,
  req_total bigint not null default 0,
  req_success bigint not null default 0,
  req_fail bigint not null default 0,
  req_blocked bigint not null default 0,
  receipt_success bigint not null default 0,
  receipt_fail bigint not null default 0,
  receipt_unknown bigint not null default 0,
  segments bigint not null default 0,
  charged bigint not null default 0,
  primary key (hour, area_code, carrier, sms_type, route_id)
);
revoke all on report_hour_total from pahatid_tenant;

alter table report_hour enable row level security;
create policy report_hour_tenant on report_hour to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on report_hour from pahatid_tenant;

-- Each minute leaves the indexes of 0111 within two hours; reports pass what a vacuum has not removed.
alter table report_minute set (autovacuum_vacuum_scale_factor = 0.02);
