-- Batches that may not be sent now are parked outside the ready set, so that a claim costs the same however many are held
-- (decision 091). state -1: parked; below 2 is open, as before.
set local citus.multi_shard_modify_mode = 'sequential';

alter table batch
  -- why, and whose event ends it: ParkReason, and the customer, application, task, or supplier account with its routing
  add column parked_for smallint,
  add column parked_key text collate "C",
  drop constraint batch_state_check,
  add constraint batch_state_check check (state between -1 and 2) not valid,
  add constraint batch_parked_check check (state <> -1 or (parked_for is not null and parked_key is not null)) not valid;

-- No other index has this order, so that no plan reads finished batches in place of it, whatever the statistics say. For
-- claims, by customer; and for messages that take the next route.
drop index batch_claim;
create index batch_ready on batch (lane, supplier_id, customer_id, created_at, batch_id) where state = 0;
create index batch_ready_supplier on batch (supplier_id, lane, created_at, batch_id) where state = 0;
create index batch_parked on batch (parked_for, parked_key, created_at, batch_id) where state = -1;
create index batch_parked_time on batch (not_before) where state = -1 and parked_for = 4;

-- What a customer's parked batches of no task hold of its balance, 1/10,000 PHP: moved by the statements that park and
-- wake them. The others' costs are summed, and are never more than what is ready or being sent.
create table parked_cost (
  customer_id uuid primary key references customer,
  amount bigint not null default 0
);
alter table parked_cost enable row level security;
create policy parked_cost_tenant on parked_cost to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
drop index batch_held;
create index batch_held on batch (customer_id) include (cost) where task_id is null and state in (0, 1);
