-- The second wall: what runs on behalf of a customer runs under this role with the customer in a setting,
-- and sees nothing else's rows. Without the setting it sees none.
do $$
begin
  if not exists (select from pg_roles where rolname = 'pahatid_tenant') then
    create role pahatid_tenant nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
grant pahatid_tenant to current_user;
grant usage on schema public to pahatid_tenant;
grant select, insert, update, delete on all tables in schema public to pahatid_tenant;
alter default privileges in schema public grant select, insert, update, delete on tables to pahatid_tenant;
revoke update, delete on audit_log, ledger from pahatid_tenant;
revoke insert, update, delete on
  supplier, route, prefix, price, holiday, prohibited_term, writer_lease, bind_state from pahatid_tenant;
revoke all on session, sign_in_failure, dlr_route, receipt_inbox, message_stage, app_user from pahatid_tenant;
grant select (user_id, customer_id, account, email, name, role, use_state, zone, created_at, last_sign_in_at)
  on app_user to pahatid_tenant;
revoke all on message_default, dlr_route_default from pahatid_tenant;

create function current_customer() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('pahatid.customer_id', true), '')::uuid $$;

do $$
declare
  t text;
begin
  for t in
    select c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'customer_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;

-- Prices of other customers are nobody's business; the general ones are everybody's.
drop policy price_tenant on price;
create policy price_tenant on price for select to pahatid_tenant
  using (customer_id is null or customer_id = (select current_customer()));
