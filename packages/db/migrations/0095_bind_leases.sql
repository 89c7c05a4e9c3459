set local citus.multi_shard_modify_mode = 'sequential';

-- Which binds of a supplier account each sender may open: carriers limit them per account, not per process. Moved under
-- the lock of the account's row, so that no number is in two rows that are in force. A sender without a bind has a row
-- as well: the others see that it waits for one.
create table bind_lease (
  supplier_id uuid not null references supplier on delete cascade,
  -- UUID of the process
  owner uuid not null,
  -- from 1 to supplier.bind_count; a pair of transmitter and receiver is one
  bind_nos integer[] not null,
  -- it could not bind: until then others are preferred
  unable_until timestamptz,
  -- beyond it the process has closed its binds, and others may open them
  lease_until timestamptz not null,
  primary key (supplier_id, owner)
) with (fillfactor = 50);
revoke all on bind_lease from pahatid_tenant;
