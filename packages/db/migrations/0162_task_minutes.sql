-- What remains of a task's batches when their messages have gone: the sums of each minute in which messages were handed over.
-- Control table.
set local citus.multi_shard_modify_mode = 'sequential';

create table task_minute (
  customer_id uuid not null,
  task_id uuid not null references task,
  -- of the batches' first messages; 1970-01-01: of batches that were never handed over
  minute timestamptz not null,
  total_count bigint not null,
  success_count bigint not null,
  failed_count bigint not null,
  batch_count integer not null,
  message_count bigint not null,
  primary key (task_id, minute)
);

alter table task_minute enable row level security;
create policy task_minute_tenant on task_minute to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on task_minute from pahatid_tenant;
