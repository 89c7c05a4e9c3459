-- The audit log in chains: each entry's hash is over the hash before it and over the entry, so that nothing can be changed,
-- taken out or put in between without the chain telling where. One chain for each customer and one for the staff.
set local citus.multi_shard_modify_mode = 'sequential';

-- Who it was, more closely: the role at that time, the software that called by its own password, the browser.
alter table audit_log add column role text;
alter table audit_log add column app_id text;
alter table audit_log add column user_agent text;
create index audit_log_user on audit_log (user_id, audit_id);
create index audit_log_subject on audit_log (subject_id, audit_id);

-- `chain` is the customer's id, and for the staff the id of zeros. No column bears the name customer_id: no customer's
-- transaction reads this or writes it by itself.
create table audit_chain (
  chain uuid primary key,
  seq bigint not null,
  hash bytea not null
);
create table audit_link (
  chain uuid not null,
  seq bigint not null,
  audit_id bigint not null unique,
  previous bytea not null,
  hash bytea not null check (length(hash) = 32),
  primary key (chain, seq)
);

-- What is hashed: the hash before, then the fields, each with its length in bytes before it, so that no two different
-- entries are the same text. `pahatid verify` computes the same by itself.
create function audit_hash(previous bytea, chain uuid, seq bigint, a audit_log) returns bytea
language sql stable set search_path = public, pg_temp as $$
  select sha256(previous || convert_to(string_agg(coalesce(octet_length(f.v) || ':' || f.v, '-'), ',' order by f.n), 'UTF8'))
  from unnest(array[
    chain::text, seq::text, a.audit_id::text, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    a.customer_id::text, a.user_id::text, a.account, a.role, a.app_id, a.ip::text, a.user_agent, a.action,
    a.subject_type, a.subject_id, a.before::text, a.after::text
  ]) with ordinality as f (v, n)
$$;

create function chain_audit(entry audit_log) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_chain uuid := coalesce(entry.customer_id, '00000000-0000-0000-0000-000000000000');
  head audit_chain;
  next_hash bytea;
begin
  insert into audit_chain (chain, seq, hash) values (of_chain, 0, '') on conflict do nothing;
  select * into head from audit_chain where chain = of_chain for update;
  next_hash := audit_hash(head.hash, of_chain, head.seq + 1, entry);
  insert into audit_link (chain, seq, audit_id, previous, hash)
    values (of_chain, head.seq + 1, entry.audit_id, head.hash, next_hash);
  update audit_chain set seq = head.seq + 1, hash = next_hash where chain = of_chain;
end $$;

-- What was written before.
do $$
declare
  entry audit_log;
begin
  for entry in select * from audit_log order by audit_id loop
    perform chain_audit(entry);
  end loop;
end $$;

create function chain_new_audit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform chain_audit(new);
  return null;
end $$;
-- At the end of the transaction, so that writers of one chain wait for each other's commit alone and not for their work.
create constraint trigger audit_log_chain after insert on audit_log
  deferrable initially deferred for each row execute function chain_new_audit();

create trigger audit_link_append_only before update or delete or truncate on audit_link
  for each statement execute function refuse_change();
create trigger audit_chain_kept before delete or truncate on audit_chain
  for each statement execute function refuse_change();

revoke all on audit_chain, audit_link from pahatid_tenant;
revoke all on function chain_audit(audit_log), chain_new_audit() from public;
do $$
begin
  -- The owner's own, too: what the program does with the log is to add to it and to read it.
  execute format('revoke update, delete, truncate on audit_log, audit_link from %I', current_user);
  execute format('revoke delete, truncate on audit_chain from %I', current_user);
end $$;

-- Someone who was removed from a customer: may not sign in, stays the one who once did things, and may be invited again.
alter table app_user add column removed_at timestamptz;
alter table app_user add constraint app_user_removed check (removed_at is null or use_state = 0);
grant select (removed_at) on app_user to pahatid_tenant;

-- Links by mail to become a member. The token is kept as SHA-256 only. What was accepted or withdrawn is no longer here.
create table invitation (
  invitation_id uuid primary key,
  customer_id uuid not null references customer,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'member', 'viewer')),
  token_hash bytea not null check (length(token_hash) = 32),
  invited_by uuid not null references app_user,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index invitation_email on invitation (customer_id, email);
create unique index invitation_token on invitation (token_hash);
alter table invitation enable row level security;
create policy invitation_tenant on invitation to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke select on invitation from pahatid_tenant;
grant select (invitation_id, customer_id, email, role, invited_by, created_at, sent_at, expires_at)
  on invitation to pahatid_tenant;
