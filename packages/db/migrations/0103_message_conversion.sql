set local citus.multi_shard_modify_mode = 'sequential';

-- Codes that were entered, as the customer's software reports them; for the share of codes that are used, and gone after
-- two days.
create table message_conversion (
  customer_id uuid not null,
  message_id bigint not null,
  at timestamptz not null,
  primary key (customer_id, message_id)
);
create index message_conversion_at on message_conversion (at);
alter table message_conversion enable row level security;
create policy message_conversion_tenant on message_conversion to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke update, delete on message_conversion from pahatid_tenant;
