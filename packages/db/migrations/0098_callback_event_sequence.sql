set local citus.multi_shard_modify_mode = 'sequential';

-- Place among the events of its message, counted under the lock of the message's row: the ids follow the clocks of the
-- machines that wrote them, which differ. 0: written before there was one, or not about a message's state.
alter table callback_event add column sequence integer not null default 0;
