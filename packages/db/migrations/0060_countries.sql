set local citus.multi_shard_modify_mode = 'sequential';

-- Countries that an application may send to. Staff open others than the first one, each of which has a price.
alter table application
  add column countries text[] not null default '{PH}'
    check (cardinality(countries) between 1 and 250 and array_position(countries, null) is null);
