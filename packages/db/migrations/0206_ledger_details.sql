-- What was charged at which price, for the lines of invoices. Null: top-ups, corrections, and charges of an earlier release.
set local citus.multi_shard_modify_mode = 'sequential';

alter table ledger add column sms_type smallint;
-- null: unknown
alter table ledger add column carrier text;
-- of a segment, 1/10,000 PHP
alter table ledger add column price bigint;
