set local citus.multi_shard_modify_mode = 'sequential';

-- Named keys of applications. The text has 256 random bits and is kept as SHA-256 alone. A key that was ended stays, with
-- when: its beginning names it in the audit log.
create table api_key (
  key_id uuid primary key,
  customer_id uuid not null references customer,
  app_id text not null references application on delete cascade,
  key_name text not null,
  mode text not null check (mode in ('live', 'test')),
  -- how the text begins, by which a leaked key is found
  prefix text not null,
  key_hash bytea not null unique check (length(key_hash) = 32),
  scopes text[] not null,
  white_list_ip text[] not null,
  created_by uuid references app_user on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz,
  ended_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet
);
create index api_key_customer on api_key (customer_id, key_id);
create index api_key_app on api_key (app_id);
create index api_key_prefix on api_key (prefix text_pattern_ops);
alter table api_key enable row level security;
create policy api_key_tenant on api_key to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));

-- Software acts under a role of its own: with the rights of its customer, and of what belongs to applications only with
-- what belongs to its own or to none (decision 145). People's transactions are planned and run as before.
do $$
begin
  if not exists (select from pg_roles where rolname = 'pahatid_application') then
    create role pahatid_application nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
grant pahatid_tenant to pahatid_application;
grant pahatid_application to current_user;

create function current_application() returns text language sql stable parallel safe as
  $$ select nullif(current_setting('pahatid.app_id', true), '') $$;

-- Not of ledger and ledger_day: money is the customer's as a whole; nor of audit_log, which names applications as actors.
create policy api_key_application on api_key as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy application_application on application as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy application_refusal_application on application_refusal as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy application_secret_application on application_secret as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy assigned_number_application on assigned_number as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy batch_application on batch as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy callback_endpoint_application on callback_endpoint as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy inbound_application on inbound as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy inbound_part_application on inbound_part as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy message_application on message as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy pumping_alarm_application on pumping_alarm as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy pumping_past_application on pumping_past as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy report_hour_application on report_hour as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy report_minute_application on report_minute as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy sender_application on sender as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy short_link_application on short_link as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy smpp_bind_application on smpp_bind as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy smpp_delivery_application on smpp_delivery as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy smpp_issued_application on smpp_issued as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy smpp_refusal_application on smpp_refusal as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy smpp_text_application on smpp_text as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy task_application on task as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy template_application on template as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
create policy threshold_application on threshold as restrictive to pahatid_application
  using (app_id is null or app_id = (select current_application()))
  with check (app_id is null or app_id = (select current_application()));
