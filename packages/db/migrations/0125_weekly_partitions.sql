-- Partitions of message and dlr_route hold a week. Those of a month that exist are kept until they are dropped for their
-- age; the first new one begins where the last of them ends.
set local citus.multi_shard_modify_mode = 'sequential';

-- Partitions of a table by range of message_id, without the default one.
create function partition_bounds(parent regclass) returns table (name text, low bigint, high bigint)
  language sql stable as $$
    select c.relname::text, b[1]::bigint, b[2]::bigint
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''?(\d+)''?\) TO \(''?(\d+)''?\)') as b
    where i.inhparent = parent and b is not null
  $$;

-- Smallest id of a message accepted at an instant: milliseconds since 2025 above 18 bits of writer and counter.
create function id_floor(at timestamptz) returns bigint language sql immutable as $$
  select floor(extract(epoch from at) * 1000)::bigint - 1735689600000 << 18
$$;

-- Makes the partitions of message and dlr_route that hold `at`, from Monday to Monday (UTC), unless it is in one already;
-- idempotent. Attached, not created in place: the parent is not locked against readers and writers.
create or replace function ensure_partition(at timestamptz) returns void language plpgsql as $$
declare
  epoch timestamptz := '2025-01-01 00:00:00+00';
  monday timestamptz := date_trunc('week', at, 'UTC');
  id bigint := id_floor(at);
  low bigint;
  high bigint;
  parent text;
  part text;
  settings text;
begin
  if at < epoch then return; end if;
  foreach parent in array array['message', 'dlr_route'] loop
    if exists (select from partition_bounds(parent::regclass) b where b.low <= id and id < b.high) then continue; end if;
    select greatest(id_floor(monday), 0, max(b.high) filter (where b.high <= id)),
        least(id_floor(monday + interval '7 days'), min(b.low) filter (where b.low > id))
      into low, high from partition_bounds(parent::regclass) b;
    part := parent || '_' || to_char((epoch + (low >> 18) * interval '1 millisecond') at time zone 'UTC', 'YYYYMMDD');
    -- Half of each page of message is left free for the next version of its rows (0005). Statistics are made again after
    -- a twentieth of growth, and dead rows removed after a tenth: at a hundred million rows a week the defaults would wait
    -- for ten and twenty million.
    settings := 'autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1';
    if parent = 'message' then settings := settings || ', fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1'; end if;
    execute format('create table %I (like %I including all excluding indexes) with (%s)', part, parent, settings);
    if parent = 'message' then execute format('alter table %I alter column customer_id set (n_distinct = 500)', part); end if;
    -- a partition is reached through its parent, whose policy applies; by its own name by nobody
    execute format('revoke all on %I from pahatid_tenant', part);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, part, low, high);
  end loop;
end $$;

-- As 0044: a number is looked up by the whole key, not among all of the customer, also where statistics are of a few rows.
alter table opt_out alter column msisdn set (n_distinct = -0.1);
