-- Messages have a life (decision 095): how long an application's messages may wait before they are sent, by send type,
-- seconds; null: the default of the send type.
set local citus.multi_shard_modify_mode = 'sequential';

alter table application add column valid_for jsonb not null
  default '{"verification": null, "notification": null, "marketing": null}';

-- Null: without end. The database's clock. The index is that of the job that ends what no sender has.
alter table batch add column valid_until timestamptz;
create index batch_valid on batch (valid_until) where state in (-1, 0) and valid_until is not null;
