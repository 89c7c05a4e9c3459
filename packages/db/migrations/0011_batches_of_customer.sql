-- Batches of one customer in order, for `pahatid verify`: without it each customer costs a look at everybody's batches.
-- One entry a batch, of columns that never change.
set local citus.multi_shard_modify_mode = 'sequential';

create index batch_customer on batch (customer_id, batch_id);
