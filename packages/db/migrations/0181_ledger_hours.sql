-- Charges of each hour (UTC) of folded days, so that those of a year are summed in days of any zone without its entries
-- (decision 154). A day that was folded before has none, and is read from its entries until it gets them.
set local citus.multi_shard_modify_mode = 'sequential';

create table ledger_hour (
  customer_id uuid not null,
  hour timestamptz not null,
  -- charges and their corrections, 1/10,000 PHP, as in the ledger; 0 in an hour with other entries alone
  amount bigint not null,
  segments bigint not null,
  primary key (customer_id, hour)
);

alter table ledger_hour enable row level security;
create policy ledger_hour_tenant on ledger_hour to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on ledger_hour from pahatid_tenant;
grant select on ledger_day to pahatid_tenant;
