-- Entries of the audit log end after two years: the database deletes no younger one. What remains of a chain begins with the
-- hash of the last link that was deleted. Control table.
set local citus.multi_shard_modify_mode = 'sequential';

create table audit_start (
  chain uuid primary key,
  -- of the last link that was deleted
  seq bigint not null,
  hash bytea not null check (length(hash) = 32)
);
revoke all on audit_start from pahatid_tenant;

create function refuse_young() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from audit_log a where a.audit_id = old.audit_id and a.at < now() - interval '2 years') then
    return old;
  end if;
  raise exception 'table % is append-only for two years', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_kept before delete on audit_log for each row execute function refuse_young();
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_link_kept before delete on audit_link for each row execute function refuse_young();
drop trigger audit_link_append_only on audit_link;
create trigger audit_link_append_only before update or truncate on audit_link
  for each statement execute function refuse_change();

-- Deletes the oldest entries before an instant, of the first chains and at most `most` of each, from the beginning of the chain
-- on; returns how many. Stops where an entry is missing: verify reports it.
create function expire_audit(older_than timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_chain uuid;
  last_seq bigint;
  last_hash bytea;
  ids bigint[];
  expired integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_start', 0));
  -- No role may delete, not even the owner; within this transaction it does, and the triggers refuse all that is younger.
  execute format('grant delete on audit_log, audit_link to %I', current_user);
  for of_chain in
    select distinct l.chain from (select audit_id, at from audit_log order by audit_id limit 1000) a
    join audit_link l using (audit_id) where a.at < older_than order by 1
  loop
    with first as (
      select l.seq, l.hash, l.audit_id, coalesce(a.at < older_than, false) as is_old
      from audit_link l left join audit_log a using (audit_id) where l.chain = of_chain order by l.seq limit most
    ), old as (
      select * from first where seq < all (select seq from first where not is_old)
    )
    select array_agg(audit_id), max(seq), (array_agg(hash order by seq desc))[1] into ids, last_seq, last_hash from old;
    if ids is not null then
      insert into audit_start (chain, seq, hash) values (of_chain, last_seq, last_hash)
        on conflict (chain) do update set seq = excluded.seq, hash = excluded.hash;
      delete from audit_link where chain = of_chain and seq <= last_seq;
      delete from audit_log where audit_id = any(ids);
      expired := expired + cardinality(ids);
    end if;
  end loop;
  execute format('revoke delete on audit_log, audit_link from %I', current_user);
  return expired;
end $$;
revoke all on function expire_audit(timestamptz, integer) from public;
