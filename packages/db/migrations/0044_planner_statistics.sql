-- What the planner believes of how many customers and accounts there are, so that one column of a key never looks as good
-- as the whole key (decision 044): statistics of a young table may say that each row is of another customer, and then
-- both cost the same.
set local citus.multi_shard_modify_mode = 'sequential';

alter table opt_out alter column customer_id set (n_distinct = 500);
alter table in_doubt alter column customer_id set (n_distinct = 500);
alter table receipt_inbox alter column supplier_id set (n_distinct = 500);

do $$
declare part regclass;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'message'::regclass loop
    execute format('alter table %s alter column customer_id set (n_distinct = 500)', part);
  end loop;
end $$;

-- As before, with the same for each new partition.
create or replace function ensure_partition(at timestamptz) returns void language plpgsql as $$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  last timestamptz := date_trunc('month', at, 'UTC') + interval '1 month';
  low bigint := (extract(epoch from first) * 1000)::bigint - 1735689600000;
  high bigint := (extract(epoch from last) * 1000)::bigint - 1735689600000;
  suffix text := to_char(first at time zone 'UTC', 'YYYYMM');
begin
  if low < 0 then return; end if;
  execute format('create table if not exists %I partition of message for values from (%s) to (%s) with (fillfactor = 50)',
    'message_' || suffix, low << 18, high << 18);
  execute format('alter table %I alter column customer_id set (n_distinct = 500)', 'message_' || suffix);
  execute format('create table if not exists %I partition of dlr_route for values from (%s) to (%s)',
    'dlr_route_' || suffix, low << 18, high << 18);
  -- a partition is reached through its parent, whose policy applies; by its own name by nobody
  execute format('revoke all on %I, %I from pahatid_tenant', 'message_' || suffix, 'dlr_route_' || suffix);
end $$;
