-- The deadline of receipts counts from the last submission of each message. receipts_from: nothing of the batch submitted
-- before this instant still waits for its last receipt; null until the batch was looked at for the first time.
alter table batch add column receipts_from timestamptz;
drop index batch_receipts;
create index batch_receipts on batch (coalesce(receipts_from, first_sent_at, done_at)) where not receipts_closed;
