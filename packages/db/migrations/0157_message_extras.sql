-- What a message has that few have: only messages whose software asked for it have a row. Data tables: customer_id first in
-- every key; no foreign key, trigger, sequence or volatile default.
set local citus.multi_shard_modify_mode = 'sequential';

create table message_extra (
  customer_id uuid not null,
  message_id bigint not null,
  app_id text not null,
  -- the software's own name of the message
  client_ref text,
  tags text[],
  -- the instant from which it may be sent, as asked for
  send_at timestamptz,
  -- the phone's text that it answers
  reply_to uuid,
  primary key (customer_id, message_id)
);
create index message_extra_ref on message_extra (customer_id, client_ref, message_id) where client_ref is not null;

-- The same tags, to find messages by one of them in the order of time.
create table message_tag (
  customer_id uuid not null,
  tag text not null,
  message_id bigint not null,
  primary key (customer_id, tag, message_id)
);

alter table message_extra enable row level security;
create policy message_extra_tenant on message_extra to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on message_extra from pahatid_tenant;

alter table message_tag enable row level security;
create policy message_tag_tenant on message_tag to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on message_tag from pahatid_tenant;
create policy message_extra_application on message_extra as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
