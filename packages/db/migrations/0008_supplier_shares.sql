set local citus.multi_shard_modify_mode = 'sequential';

-- Which part of a supplier account's pace each process may use. Read and moved under the lock of the account's row, so
-- that what all processes together may still be using never passes its limit.
create table supplier_share (
  supplier_id uuid not null references supplier on delete cascade,
  -- UUID of the process
  owner uuid not null,
  -- segments a second
  share integer not null check (share >= 0),
  -- what it had until it was lowered: counted until held_until, because a window of a second may see both
  held integer not null default 0,
  held_until timestamptz not null default '-infinity',
  -- segments a second it has work for; null: it has no bind to submit on
  wanted integer check (wanted >= 0),
  -- beyond it the process is gone, and its share free
  lease_until timestamptz not null,
  primary key (supplier_id, owner)
) with (fillfactor = 50);
revoke all on supplier_share from pahatid_tenant;
