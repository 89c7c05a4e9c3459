set local citus.multi_shard_modify_mode = 'sequential';

-- How long a customer's records and uploads are kept. A customer without a row has the defaults.
create table retention (
  customer_id uuid primary key references customer,
  record_days smallint not null default 180 check (record_days between 30 and 400),
  upload_days smallint not null default 30 check (upload_days between 1 and 30),
  -- what was accepted before it is deleted, or being deleted in the transactions that move it: whoever compares counts
  -- with messages looks no further back
  records_before timestamptz not null default '2025-01-01 00:00:00+00',
  -- when there is something to delete next
  due_at timestamptz not null default now()
);
create index retention_due on retention (due_at);

-- Numbers that refused and were then erased on request: known by a hash under the master key alone, so that they stay
-- refused and the table names nobody.
create table erased_opt_out (
  customer_id uuid not null,
  msisdn_hash bytea not null check (length(msisdn_hash) = 32),
  source text not null,
  created_at timestamptz not null,
  erased_at timestamptz not null,
  primary key (customer_id, msisdn_hash)
);

-- Requests to erase a number: open while messages to it are still under way. The number is sealed, and goes when all
-- is done; what is left says how much was erased.
create table erasure (
  erasure_id uuid primary key,
  customer_id uuid not null references customer,
  shown_number text not null,
  msisdn_hash bytea check (length(msisdn_hash) = 32),
  number_sealed text,
  counts jsonb not null default '{}',
  asked_by uuid references app_user,
  asked_at timestamptz not null,
  tried_at timestamptz not null,
  done_at timestamptz,
  check ((done_at is null) = (number_sealed is not null) and (done_at is null) = (msisdn_hash is not null))
);
create unique index erasure_open on erasure (customer_id, msisdn_hash) where done_at is null;
create index erasure_customer on erasure (customer_id, asked_at desc);
create index erasure_due on erasure (tried_at) where done_at is null;

do $$
declare
  t text;
begin
  foreach t in array array['retention', 'erased_opt_out', 'erasure']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke insert, update, delete on retention from pahatid_tenant;
grant insert (customer_id, record_days, upload_days, due_at), update (record_days, upload_days, due_at) on retention to pahatid_tenant;
revoke delete on erasure from pahatid_tenant;
