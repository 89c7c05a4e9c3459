-- Days of a customer that `pahatid verify` compared without a difference, after all their messages were final. Data table:
-- customer_id first in every key; no foreign key, trigger, sequence or volatile default.
set local citus.multi_shard_modify_mode = 'sequential';

create table verify_seal (
  -- zeros: receipt routes of the day, of all customers
  customer_id uuid not null,
  day date not null,
  sealed_at timestamptz not null,
  -- counts and hashes of what is counted about the day: batches, hours of the statistics, counters of templates
  fingerprint text not null,
  messages bigint not null,
  -- of identifiers, states, segments and prices of the messages
  checksum bigint not null,
  -- what its messages cost, 1/10,000 PHP; the same weighted by batch; segments paid for
  cost bigint not null,
  weighted numeric not null,
  segments bigint not null,
  -- ReceiverPays without a receipt, 1/10,000 PHP
  awaited bigint not null,
  -- sums by task
  tasks jsonb not null,
  primary key (customer_id, day)
);
create index verify_seal_day on verify_seal (day);

alter table verify_seal enable row level security;
create policy verify_seal_tenant on verify_seal to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke all on verify_seal from pahatid_tenant;
