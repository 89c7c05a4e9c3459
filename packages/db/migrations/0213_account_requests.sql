set local citus.multi_shard_modify_mode = 'sequential';

-- What visitors ask for by "Request an account", for the staff.
create table account_request (
  account_request_id uuid primary key,
  -- unconfirmed: nobody has opened the link that was mailed to the address
  state text not null default 'unconfirmed' check (state in ('unconfirmed', 'pending', 'approved', 'rejected')),
  name text not null,
  company text not null,
  email text not null,
  phone text,
  uses text[] not null,
  monthly_volume text not null,
  channels text[] not null,
  sender_id text,
  first_message_on date,
  message text,
  -- of the page it was written on
  locale text not null check (locale in ('zh-CN', 'en-US')),
  ip inet not null,
  requested_at timestamptz not null,
  -- SHA-256
  token_hash bytea not null unique,
  confirmed_at timestamptz,
  decided_by uuid references app_user on delete set null,
  decided_at timestamptz,
  reason text,
  opened_customer_id uuid references customer on delete set null
);
create index account_request_state on account_request (state, account_request_id);
create index account_request_decided_by on account_request (decided_by);
create index account_request_opened_customer on account_request (opened_customer_id);
revoke all on account_request from pahatid_tenant;
