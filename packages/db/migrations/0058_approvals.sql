set local citus.multi_shard_modify_mode = 'sequential';

-- Sums above which another member of staff must agree; one row.
create table approval_limit (
  one_row boolean primary key default true check (one_row),
  -- 1/10,000 PHP that one person enters for one customer within 24 hours
  ledger bigint not null default 1000000000 check (ledger >= 0),
  -- 1/10,000 PHP a segment, by which a price differs from the one in force
  price bigint not null default 2000 check (price >= 0),
  version integer not null default 1
);
insert into approval_limit default values;

-- What was asked for above them. It acts when another person approves it.
create table approval (
  approval_id uuid primary key,
  kind text not null check (kind in ('ledger', 'price', 'limits')),
  customer_id uuid references customer,
  request jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
  requested_by uuid not null references app_user,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid references app_user,
  decided_at timestamptz,
  reason text,
  check ((state = 'pending') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  check (state not in ('approved', 'rejected') or decided_by <> requested_by),
  check (state <> 'withdrawn' or decided_by = requested_by)
);
create index approval_pending on approval (expires_at) where state = 'pending';

alter table approval enable row level security;
create policy approval_tenant on approval to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke all on approval, approval_limit from pahatid_tenant;
