-- Each supplier account has its own deadline of receipts, by its profile. Customers' statements read nothing else of an
-- account: which of their messages in doubt may be sent again depends on it.
alter table supplier add column receipt_hours smallint not null
  generated always as (coalesce((profile ->> 'receiptHours')::smallint, 72)) stored check (receipt_hours between 1 and 72);
grant select (supplier_id, receipt_hours) on supplier to pahatid_tenant;

-- Overdue batches are found by account.
drop index batch_receipts;
create index batch_receipts on batch (supplier_id, coalesce(receipts_from, first_sent_at, done_at), batch_id)
  where not receipts_closed;

-- The id exactly as the carrier wrote it, of messages that the carrier may be asked about (query_sm). Null for all
-- others, so accounts that are not asked do not pay for the index.
alter table dlr_route add column issued_id text;
create index dlr_route_issued on dlr_route (message_id) where issued_id is not null;

-- How far an account's batches were asked about, in the order of batch_receipts. Each round asks at a greater age.
create table query_position (
  supplier_id uuid not null references supplier on delete cascade,
  round smallint not null,
  at timestamptz not null,
  batch_id bigint not null,
  primary key (supplier_id, round)
) with (fillfactor = 50);
revoke all on query_position from pahatid_tenant;
