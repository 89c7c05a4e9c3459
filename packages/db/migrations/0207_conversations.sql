-- A conversation for each phone that replied to an application: the last reply and how many are not read yet. Kept by
-- what stores replies, in its transaction. Its id is the id of a reply of it, so that none is made in the database.
set local citus.multi_shard_modify_mode = 'sequential';

create table conversation (
  customer_id uuid not null references customer,
  conversation_id uuid not null,
  app_id text not null,
  msisdn text not null,
  -- the reply with the highest id, with the beginning of its text
  last_inbound_id uuid not null,
  last_at timestamptz not null,
  last_text text not null,
  last_destination text not null,
  last_is_opt_out boolean not null,
  unread_count integer not null check (unread_count >= 0),
  primary key (customer_id, conversation_id),
  unique (customer_id, app_id, msisdn)
);
create index conversation_list on conversation (customer_id, last_inbound_id);
create index conversation_unread on conversation (customer_id, last_inbound_id) where unread_count > 0;
create index conversation_number on conversation (customer_id, msisdn);

alter table conversation enable row level security;
create policy conversation_tenant on conversation to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
create policy conversation_application on conversation as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));

-- Replies of before count as read.
insert into conversation (customer_id, conversation_id, app_id, msisdn, last_inbound_id, last_at, last_text,
    last_destination, last_is_opt_out, unread_count)
select distinct on (customer_id, app_id, msisdn) customer_id, inbound_id, app_id, msisdn, inbound_id, received_at,
  left(content, 200), destination, is_opt_out, 0
from inbound where app_id is not null
order by customer_id, app_id, msisdn, inbound_id desc
on conflict do nothing;
