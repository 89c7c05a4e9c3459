-- Runs after the migrations, on plain PostgreSQL and on Citus alike; idempotent; does nothing on plain.
-- What grows with each message is distributed by customer, routes of receipts by supplier account. All other tables stay on
-- the coordinator, as tables of PostgreSQL (decision 172).
do $$
declare
  t text;
  p record;
  by_customer text[] := array['message'];
  by_supplier text[] := array['dlr_route'];
  subquery text := '\( SELECT (current_\w+\(\)) AS \w+\)';
  -- Of the database: `alter database … set pahatid.shard_count = 64` before the first start.
  shards int := coalesce(nullif(current_setting('pahatid.shard_count', true), ''), '32')::int;
begin
  if not exists (select from pg_extension where extname = 'citus') then
    return;
  end if;

  -- Citus connects to its nodes as the role of the transaction.
  for t in select rolname from pg_roles where rolname in ('pahatid_tenant', 'pahatid_application') and not rolcanlogin loop
    execute format('alter role %I login', t);
  end loop;

  -- On plain PostgreSQL a subquery in a policy is evaluated once and not for each row. Citus refuses it in data tables.
  for p in
    select tablename, policyname, qual, with_check from pg_policies
      where schemaname = 'public' and tablename = any(by_customer || by_supplier)
        and (qual ~ subquery or with_check ~ subquery)
  loop
    execute format('alter policy %I on %I', p.policyname, p.tablename)
      || coalesce(' using (' || regexp_replace(p.qual, subquery, '\1', 'g') || ')', '')
      || coalesce(' with check (' || regexp_replace(p.with_check, subquery, '\1', 'g') || ')', '');
  end loop;

  foreach t in array by_customer
  loop
    if not exists (select from pg_dist_partition where logicalrelid = t::regclass) then
      perform create_distributed_table(t, 'customer_id', shard_count => shards);
    end if;
  end loop;
  foreach t in array by_supplier
  loop
    if not exists (select from pg_dist_partition where logicalrelid = t::regclass) then
      perform create_distributed_table(t, 'supplier_id', colocate_with => 'none', shard_count => shards);
    end if;
  end loop;

  -- Without a key: moved along with its messages it would stop their writes for all of the move.
  if exists (select from pg_dist_partition where logicalrelid = 'message_stage'::regclass) then
    perform undistribute_table('message_stage');
  end if;

  -- Each transaction that writes touches it (withTransaction): then Citus commits in two phases also what is on one other
  -- node and in control tables, all or nothing.
  if to_regclass('two_phase_commit') is null then
    create table two_phase_commit (id smallint primary key);
    perform citus_add_local_table_to_metadata('two_phase_commit');
    revoke all on two_phase_commit from pahatid_tenant;
  end if;
end $$;
