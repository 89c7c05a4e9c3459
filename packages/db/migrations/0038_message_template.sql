set local citus.multi_shard_modify_mode = 'sequential';

-- The template that software sent a message with. A task's messages have that of their task, and none here.
alter table message add column template_id uuid;
-- It never changes, so both updates of a message's life stay HOT; messages without it are not in the index.
create index message_template on message (customer_id, template_id, message_id) where template_id is not null;

-- What became of the messages that software sent with a template, by the UTC day in which they were accepted. Data table:
-- customer_id first in every key; no foreign key, trigger, sequence or volatile default.
create table template_day (
  customer_id uuid not null,
  template_id uuid not null,
  day date not null,
  writer smallint not null,
  success_count integer not null default 0,
  delivered_count integer not null default 0,
  undelivered_count integer not null default 0,
  unknown_count integer not null default 0,
  primary key (customer_id, template_id, day, writer)
);

alter table template_day enable row level security;
create policy template_day_tenant on template_day to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on template_day from pahatid_tenant;
