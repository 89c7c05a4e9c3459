set local citus.multi_shard_modify_mode = 'sequential';

-- Long texts of phones that came, or are coming, in parts: a row is one text. It holds what came of it until all is there
-- or the others are overdue, and then for a day what was stored of it, so that a part sent again is known.
create table inbound_part (
  supplier_id uuid not null,
  msisdn text not null,
  destination text not null,
  -- references of 8 and of 16 bits are different spaces
  reference_bits smallint not null,
  reference integer not null,
  total smallint not null,
  -- the message that the first part to come was found to answer; the others are of the same text
  customer_id uuid not null,
  message_id bigint not null,
  app_id text not null,
  task_id uuid,
  -- what it is in inbound
  inbound_id uuid not null,
  -- in UTF-16: a character may be cut in two. Null: has not come
  parts bytea[] not null,
  -- of the first
  received_at timestamptz not null,
  is_stored boolean not null default false,
  -- not stored: when it is stored as it is; stored: when the row goes
  due_at timestamptz not null,
  primary key (supplier_id, msisdn, destination, reference_bits, reference, total)
);
create index inbound_part_due on inbound_part (due_at);
create index inbound_part_number on inbound_part (customer_id, msisdn);

alter table inbound_part enable row level security;
create policy inbound_part_tenant on inbound_part to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke all on inbound_part from pahatid_tenant;
