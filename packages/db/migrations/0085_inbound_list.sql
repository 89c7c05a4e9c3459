set local citus.multi_shard_modify_mode = 'sequential';

-- Staff read replies of all customers, newest first: ids carry the time.
create index inbound_list on inbound (inbound_id);
