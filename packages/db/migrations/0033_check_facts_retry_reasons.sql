-- What the check of a task found beside its sums: fewest and most segments of a message, and the share of each carrier.
alter table task add column check_facts jsonb;

-- Results that the retry under way repeats; null: every one that may be repeated.
alter table task add column retry_reasons text[];

-- Requests of customers' software that were refused at the door: counted by hour and reason, so that a flood of them stays
-- a handful of rows.
create table application_refusal (
  customer_id uuid not null references customer,
  app_id text not null references application,
  hour timestamptz not null,
  code text not null,
  refused_count integer not null,
  last_at timestamptz not null,
  last_ip text not null,
  primary key (app_id, hour, code)
);
alter table application_refusal enable row level security;
create policy application_refusal_tenant on application_refusal to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on application_refusal from pahatid_tenant;
