set local citus.multi_shard_modify_mode = 'sequential';

-- Events are sent in arrays; null: one by one.
alter table callback_endpoint add column batched boolean;
