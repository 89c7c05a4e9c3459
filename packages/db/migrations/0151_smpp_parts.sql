set local citus.multi_shard_modify_mode = 'sequential';

-- Long texts that software submits in parts, until all are there. Each part is answered once it is in its row.
create table smpp_text (
  customer_id uuid not null,
  app_id text not null,
  source text not null,
  msisdn text not null,
  reference_bits smallint not null,
  reference integer not null,
  total smallint not null,
  text_id uuid not null,
  -- in order; null: has not come
  parts bytea[] not null,
  -- the ids that the parts were answered with, and their registered_delivery
  issued_ids bigint[] not null,
  asked smallint[] not null,
  -- of the first part that came: how the text is to be read and sent
  terms jsonb not null,
  due_at timestamptz not null,
  primary key (customer_id, app_id, source, msisdn, reference_bits, reference, total)
);
create index smpp_text_due on smpp_text (due_at);

-- Ids that software knows and that are no message's own: of the parts of a text, of a submit_multi.
create table smpp_issued (
  customer_id uuid not null,
  issued_id bigint not null,
  message_id bigint not null,
  app_id text not null,
  -- registered_delivery
  asked smallint not null,
  primary key (customer_id, issued_id, message_id)
);
create index smpp_issued_message on smpp_issued (customer_id, message_id);
create index smpp_issued_age on smpp_issued (issued_id);

do $$
declare
  t text;
begin
  foreach t in array array['smpp_text', 'smpp_issued']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke insert, update, delete on smpp_text, smpp_issued from pahatid_tenant;
