set local citus.multi_shard_modify_mode = 'sequential';

-- An address of a message alone, at the host of its application's address, and the form of what is sent there; null: that
-- of Standard Webhooks.
alter table message_extra add column callback_url text;
alter table message_extra add column callback_format text;
