set local citus.multi_shard_modify_mode = 'sequential';

-- Who changes a customer's settings says which version was seen, so that of two changes at once the second is told of the
-- first.
alter table customer add column version integer not null default 1;
alter table customer add column suspended_at timestamptz;
alter table customer add column suspend_reason text;

-- Paused because the customer was suspended, and by nobody besides: what goes on when it is no longer.
alter table task add column suspended boolean not null default false;

-- Limits that staff have set are not the customer's to lift.
alter table threshold add column set_by text not null default 'customer' check (set_by in ('customer', 'staff'));

-- The ledger over all customers, newest first.
create index ledger_at on ledger (at, entry_id);

-- A member of the staff looking at a customer's screens as its viewer, through one session, for half an hour at most.
create table support_view (
  view_id uuid primary key,
  customer_id uuid not null references customer,
  user_id uuid not null references app_user on delete cascade,
  session_hash bytea not null check (length(session_hash) = 32),
  started_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz
);
-- One at a time.
create unique index support_view_open on support_view (session_hash) where ended_at is null;
alter table support_view enable row level security;
create policy support_view_tenant on support_view to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke all on support_view from pahatid_tenant;
