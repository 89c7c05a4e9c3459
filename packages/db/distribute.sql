-- Runs after the migrations, on plain PostgreSQL and on Citus alike; idempotent; does nothing on plain.
-- Data tables are distributed by customer (dlr_route, receipt_inbox and inbound_part by supplier account, codes and clicks
-- of short links by code); control tables are
-- registered, because a transaction that touches an unregistered one and a shard is not atomic.
do $$
declare
  t text;
begin
  if not exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  foreach t in array array['message', 'message_stage', 'in_doubt', 'report_minute', 'report_hour', 'ledger', 'balance', 'opt_out', 'inbound', 'volume_count', 'erased_opt_out', 'export_part', 'link_minute', 'group_member', 'threshold_event', 'threshold_refusal', 'template_day', 'smpp_delivery', 'smpp_text', 'smpp_issued', 'message_extra', 'message_tag', 'verification', 'verification_hour', 'verify_seal', 'ledger_day', 'ledger_snapshot', 'ledger_hour', 'message_archive', 'api_call', 'api_call_dropped']
  loop
    if not exists (select from pg_dist_partition where logicalrelid = t::regclass) then
      if t = 'message' then
        perform create_distributed_table(t, 'customer_id', shard_count => 32);
      else
        perform create_distributed_table(t, 'customer_id', colocate_with => 'message');
      end if;
    end if;
  end loop;
  foreach t in array array['dlr_route', 'receipt_inbox', 'inbound_part']
  loop
    if not exists (select from pg_dist_partition where logicalrelid = t::regclass) then
      perform create_distributed_table(t, 'supplier_id', colocate_with => 'none');
    end if;
  end loop;
  foreach t in array array['link_code', 'link_click']
  loop
    if not exists (select from pg_dist_partition where logicalrelid = t::regclass) then
      if t = 'link_code' then
        perform create_distributed_table(t, 'code', colocate_with => 'none');
      else
        perform create_distributed_table(t, 'code', colocate_with => 'link_code');
      end if;
    end if;
  end loop;
  for t in
    select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
        and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)
  loop
    perform citus_add_local_table_to_metadata(t::regclass);
  end loop;
end $$;
