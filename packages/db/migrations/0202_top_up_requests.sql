-- What owners ask staff for: money that they have paid in, with its reference and their bank's receipt. Control table.
set local citus.multi_shard_modify_mode = 'sequential';

create table top_up_request (
  top_up_id uuid primary key,
  customer_id uuid not null references customer,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
  -- 1/10,000 PHP, as it was asked for
  amount bigint not null check (amount > 0),
  reference text not null check (length(reference) between 1 and 100),
  requested_by uuid references app_user on delete set null,
  requested_at timestamptz not null,
  -- null: none
  receipt_name text,
  receipt_type text check (receipt_type in ('application/pdf', 'image/png', 'image/jpeg')),
  receipt bytea check (length(receipt) <= 2097152),
  -- of a second member of staff, while it is waited for
  approval_id uuid,
  -- 1/10,000 PHP, as it was entered
  entered bigint,
  decided_by uuid references app_user on delete set null,
  decided_at timestamptz,
  reason text
);
create index top_up_request_customer on top_up_request (customer_id, top_up_id);
create index top_up_request_pending on top_up_request (top_up_id) where state = 'pending';
create index top_up_request_approval on top_up_request (approval_id) where approval_id is not null;
create index top_up_request_requested_by on top_up_request (requested_by);
create index top_up_request_decided_by on top_up_request (decided_by);

alter table top_up_request enable row level security;
create policy top_up_request_tenant on top_up_request to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
