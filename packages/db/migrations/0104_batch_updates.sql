set local citus.multi_shard_modify_mode = 'sequential';

-- A lease is renewed every other second: its end in an index made each renewal write to all indexes of the table. Claimed
-- batches are few, so they are found by their sender, and those whose lease has ended among them.
drop index batch_owned;
create index batch_claimed on batch (owner, batch_id) where state = 1;

-- Room for the next version of a row in its page. Changes of state leave dead entries in the index of ready batches, which
-- every look at it passes: they are removed sooner than by default.
alter table batch set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);
