-- Data tables: customer_id first in every key; no foreign key, trigger, sequence or volatile default.
set local citus.multi_shard_modify_mode = 'sequential';

-- The unit of work: one customer, one lane, one supplier account, up to 1,000 messages whose ids follow
-- each other without a gap: batch_id is the id of the first, so position = message_id - batch_id.
create table batch (
  batch_id bigint primary key,
  customer_id uuid not null references customer,
  task_id uuid references task,
  app_id text references application,
  lane smallint not null check (lane between 1 and 3),
  supplier_id uuid not null references supplier,
  route_id uuid not null,
  message_count integer not null check (message_count between 1 and 1000),
  -- 0 ready, 1 claimed, 2 done
  state smallint not null default 0 check (state between 0 and 2),
  -- retry of failed recipients: which round
  round smallint not null default 0,
  -- held back until: quiet hours, a throttled route
  not_before timestamptz,
  owner uuid,
  lease_until timestamptz,
  -- positions below it may have been written to a socket: below it and without a result is in doubt
  intent_mark integer not null default 0,
  -- positions below the mark that the carrier said it did not take, or that were never written: to be sent again
  not_taken smallint[] not null default '{}',
  success_count integer not null default 0,
  failed_count integer not null default 0,
  -- past the deadline of receipts: what had none is unknown
  receipts_closed boolean not null default false,
  created_at timestamptz not null default now(),
  first_sent_at timestamptz,
  done_at timestamptz
);
create index batch_receipts on batch (batch_id) where state = 2 and not receipts_closed;
create index batch_claim on batch (lane, customer_id, batch_id) where state = 0;
create index batch_owned on batch (lease_until) where state = 1;
create index batch_task on batch (task_id, batch_id);

-- One row per recipient. No index names a column that changes, partial predicates included: both updates of
-- its life (result, receipt) stay HOT. The id is 41 bits of milliseconds, 8 of writer, 10 of counter.
create table message (
  customer_id uuid not null,
  message_id bigint not null,
  task_id uuid,
  app_id text not null,
  sms_type smallint not null,
  msisdn text not null,
  area_code text not null,
  range_holder text,
  carrier text,
  client_sid text not null,
  content text not null,
  pkg_total smallint not null,
  charge_type text not null,
  price integer not null,
  route_id uuid not null,
  supplier_id uuid not null,
  -- the message this one repeats (retry of a failed recipient)
  retry_of bigint,
  -- repeated by a later one: lists and counts of the task leave it out
  superseded boolean not null default false,
  send_status smallint not null default 0,
  client_status smallint not null default 0,
  deal_result text,
  carrier_code text,
  submitted_at timestamptz,
  answered_at timestamptz,
  report_at timestamptz,
  -- receipts of parts, bit n - 1 for part n, so that a repeated receipt counts once: delivered = all, failed = any
  parts_delivered integer not null default 0,
  primary key (customer_id, message_id)
) partition by range (message_id);
create index message_msisdn on message (customer_id, msisdn, message_id);

-- Half of each page is left free: a flush updates all rows of a page in one transaction, and each new version finds room
-- beside the old one (98 % of updates HOT; with 70 it is 75 %).
create table message_default partition of message default with (fillfactor = 50);

-- Makes the monthly partition of message and dlr_route that holds `at`; idempotent.
create function ensure_partition(at timestamptz) returns void language plpgsql as $$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  last timestamptz := date_trunc('month', at, 'UTC') + interval '1 month';
  low bigint := (extract(epoch from first) * 1000)::bigint - 1735689600000;
  high bigint := (extract(epoch from last) * 1000)::bigint - 1735689600000;
  suffix text := to_char(first at time zone 'UTC', 'YYYYMM');
begin
  if low < 0 then return; end if;
  execute format('create table if not exists %I partition of message for values from (%s) to (%s) with (fillfactor = 50)',
    'message_' || suffix, low << 18, high << 18);
  execute format('create table if not exists %I partition of dlr_route for values from (%s) to (%s)',
    'dlr_route_' || suffix, low << 18, high << 18);
  -- a partition is reached through its parent, whose policy applies; by its own name by nobody
  execute format('revoke all on %I, %I from pahatid_tenant', 'message_' || suffix, 'dlr_route_' || suffix);
end $$;

-- What became of a flush's messages, on its way into message: unlogged, because a crash loses the flush as a whole.
create unlogged table message_stage (
  customer_id uuid not null,
  flush_id bigint not null,
  message_id bigint not null,
  send_status smallint,
  client_status smallint,
  deal_result text,
  carrier_code text,
  submitted_at timestamptz,
  answered_at timestamptz,
  report_at timestamptz,
  parts_delivered integer
);
create index message_stage_flush on message_stage (customer_id, flush_id);

-- From the carrier's message id back to ours. Ids wrap at carriers, so several rows may share one.
create table dlr_route (
  supplier_id uuid not null,
  carrier_message_id text not null,
  customer_id uuid not null,
  message_id bigint not null,
  part smallint not null default 1
) partition by range (message_id);
create index dlr_route_lookup on dlr_route (supplier_id, carrier_message_id);
create table dlr_route_default partition of dlr_route default;

-- Receipts that match nothing yet: the response may still be under way, or the row in doubt.
create table receipt_inbox (
  supplier_id uuid not null,
  receipt_id uuid not null,
  carrier_message_id text not null,
  msisdn text not null,
  client_sid text not null,
  client_status smallint not null,
  final boolean not null,
  carrier_code text,
  report_at timestamptz,
  received_at timestamptz not null,
  matched_at timestamptz,
  primary key (supplier_id, receipt_id)
);
create index receipt_inbox_open on receipt_inbox (supplier_id, carrier_message_id) where matched_at is null;
create index receipt_inbox_age on receipt_inbox (received_at) where matched_at is null;

-- Handed over and not answered when the process or the session ended: what became of them is not known.
create table in_doubt (
  customer_id uuid not null,
  message_id bigint not null,
  supplier_id uuid not null,
  task_id uuid,
  msisdn text not null,
  since timestamptz not null,
  resolved_at timestamptz,
  -- receipt, response, resent
  resolution text,
  primary key (customer_id, message_id)
);
create index in_doubt_open on in_doubt (supplier_id, msisdn) where resolved_at is null;

-- The only source of statistics; one row per writer, so that flushes never wait for each other. Sum them.
create table report_minute (
  customer_id uuid not null,
  minute timestamptz not null,
  app_id text not null,
  area_code text not null,
  carrier text not null,
  client_sid text not null,
  sms_type smallint not null,
  route_id uuid not null,
  writer smallint not null,
  req_total integer not null default 0,
  req_success integer not null default 0,
  req_fail integer not null default 0,
  receipt_success integer not null default 0,
  receipt_fail integer not null default 0,
  receipt_unknown integer not null default 0,
  segments integer not null default 0,
  charged bigint not null default 0,
  primary key (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer)
);

-- Append-only; the sum of amount is the balance. Charges: one entry per batch and flush.
create table ledger (
  customer_id uuid not null,
  entry_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('topUp', 'charge', 'adjustment')),
  -- 1/10,000 PHP, negative for charges
  amount bigint not null,
  segments integer not null default 0,
  app_id text,
  task_id uuid,
  batch_id bigint,
  user_id uuid,
  note text,
  primary key (customer_id, entry_id)
);
create index ledger_time on ledger (customer_id, at);

-- The ledger's sum, moved in the same transactions; one row per writer.
create table balance (
  customer_id uuid not null,
  writer smallint not null,
  amount bigint not null default 0,
  primary key (customer_id, writer)
);

create table opt_out (
  customer_id uuid not null,
  msisdn text not null,
  source text not null,
  evidence text,
  created_at timestamptz not null,
  primary key (customer_id, msisdn)
);

-- Events for customers' software, delivered at least once.
create table outbox (
  customer_id uuid not null,
  event_id uuid not null,
  app_id text not null,
  kind text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  attempts integer not null default 0,
  done_at timestamptz,
  primary key (customer_id, event_id)
);
create index outbox_due on outbox (next_try_at) where done_at is null;

-- Texts that phones sent to us.
create table inbound (
  customer_id uuid not null,
  inbound_id uuid not null,
  supplier_id uuid not null,
  msisdn text not null,
  destination text not null,
  content text not null,
  received_at timestamptz not null,
  primary key (customer_id, inbound_id)
);
