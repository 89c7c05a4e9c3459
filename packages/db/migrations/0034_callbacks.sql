set local citus.multi_shard_modify_mode = 'sequential';

-- Kept a place for what follows, and was never written to.
drop table outbox;

-- An address of a customer's that is told: one for each application that has a callback URL, one for each address that
-- thresholds name.
create table callback_endpoint (
  endpoint_id uuid primary key,
  customer_id uuid not null references customer,
  kind text not null check (kind in ('application', 'alert')),
  app_id text references application,
  url text not null check (length(url) <= 2048),
  -- to be told it must have answered a test with its challenge
  state text not null default 'unverified' check (state in ('unverified', 'enabled', 'disabled')),
  verified_at timestamptz,
  -- since when every try has failed, how many did, and when the next is made
  failing_since timestamptz,
  fails smallint not null default 0,
  retry_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  -- no application or threshold names it any more; what it was told is still listed
  removed_at timestamptz,
  -- when it had its last turn, so that all have theirs
  served_at timestamptz,
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  check ((kind = 'application') = (app_id is not null)),
  check ((state = 'disabled') = (disabled_at is not null) and (disabled_at is null) = (disabled_reason is null))
);
create unique index callback_endpoint_app on callback_endpoint (app_id) where kind = 'application';
create unique index callback_endpoint_alert on callback_endpoint (customer_id, url) where kind = 'alert';
-- what every flush with news asks for
create index callback_endpoint_told on callback_endpoint (customer_id) where state = 'enabled';

-- Signing secrets, sealed under the master key: two while one takes the other's place.
create table callback_secret (
  secret_id uuid primary key,
  customer_id uuid not null references customer,
  endpoint_id uuid not null references callback_endpoint on delete cascade,
  sealed text not null,
  hint text not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index callback_secret_endpoint on callback_secret (endpoint_id);

-- What is told, each once, in the order of its ids. Never a number or a text: the body is made of the message or the
-- phone's text it names when it is sent.
create table callback_event (
  event_id uuid primary key,
  customer_id uuid not null,
  endpoint_id uuid not null,
  type text not null check (type in ('message.status', 'message.inbound', 'alert', 'test')),
  message_id bigint,
  -- the phone's text, or the threshold
  subject_id uuid,
  -- what the message's row may not say any more when it is sent; of an alert and a test all that there is
  facts jsonb not null,
  at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'givenUp')),
  attempts smallint not null default 0,
  next_at timestamptz not null,
  last_at timestamptz,
  last_status smallint,
  last_error text,
  delivered_at timestamptz
);
create index callback_event_waiting on callback_event (endpoint_id, event_id) where state = 'waiting';
create index callback_event_tests on callback_event (endpoint_id, event_id) where state = 'waiting' and type = 'test';
create index callback_event_customer on callback_event (customer_id, event_id);
create index callback_event_message on callback_event (customer_id, message_id) where message_id is not null;

-- Its tries, for people to look at.
create table callback_attempt (
  attempt_id uuid primary key,
  customer_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  at timestamptz not null,
  status smallint,
  ms integer not null,
  error text,
  response text check (length(response) <= 1024)
);
create index callback_attempt_event on callback_attempt (event_id, attempt_id);
create index callback_attempt_endpoint on callback_attempt (endpoint_id, attempt_id);

-- Addresses that a rule tells besides.
alter table threshold add column webhooks text[] not null default '{}' check (cardinality(webhooks) <= 5);

-- Addresses that applications were given before anything was sent to them: each is to pass a test first.
insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url)
  select gen_random_uuid(), customer_id, 'application', app_id, callback_url from application
  where length(callback_url) <= 2048;

do $$
declare
  t text;
begin
  foreach t in array array['callback_endpoint', 'callback_secret', 'callback_event', 'callback_attempt']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke delete on callback_event from pahatid_tenant;
revoke update, delete on callback_attempt from pahatid_tenant;
