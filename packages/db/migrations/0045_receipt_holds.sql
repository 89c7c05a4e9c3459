-- What messages of ReceiverPays that a carrier accepted may still cost: held back of the balance until their receipt says
-- what became of them, or none came in time (decision 045). Moved by flushes as the charges are, a row per writer.
set local citus.multi_shard_modify_mode = 'sequential';

alter table balance add column held bigint not null default 0;
alter table task_progress add column awaited_cost bigint not null default 0;

-- Those that wait now. No process has the writer -1.
insert into balance (customer_id, writer, held)
  select m.customer_id, -1, sum(m.pkg_total::bigint * m.price) from message m
  where m.send_status = 3 and m.client_status = 1 and m.charge_type = 'ReceiverPays' group by 1
  on conflict (customer_id, writer) do update set held = excluded.held;
insert into task_progress (task_id, writer, customer_id, awaited_cost)
  select m.task_id, -1, m.customer_id, sum(m.pkg_total::bigint * m.price) from message m
  where m.send_status = 3 and m.client_status = 1 and m.charge_type = 'ReceiverPays' and m.task_id is not null group by 1, 3
  on conflict (task_id, writer) do update set awaited_cost = excluded.awaited_cost;
