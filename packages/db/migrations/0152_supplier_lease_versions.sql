set local citus.multi_shard_modify_mode = 'sequential';

-- Counts the changes of an account's shares ('pace') and of its binds' leases ('binds'). A process reads them with this
-- number and stores its part only if the number is still the same, in one statement: no lock is held while it decides.
create table supplier_lease_version (
  supplier_id uuid not null references supplier on delete cascade,
  kind text not null check (kind in ('pace', 'binds')),
  version bigint not null,
  primary key (supplier_id, kind)
) with (fillfactor = 50);
revoke all on supplier_lease_version from pahatid_tenant;
