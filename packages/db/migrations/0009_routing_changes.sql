set local citus.multi_shard_modify_mode = 'sequential';

-- Who changes a row says which version was seen, so that of two changes at once the second is told of the first.
alter table supplier add column version integer not null default 1;
alter table route add column version integer not null default 1;
alter table price add column version integer not null default 1;
alter table route add column updated_at timestamptz not null default now();
-- A route that is removed stays for the records of what went over it; its name may be given again.
alter table route add column deleted_at timestamptz;
alter table route drop constraint route_route_name_key;
create unique index route_name_live on route (route_name) where deleted_at is null;

-- Whether messages get through to a supplier account, as all senders together see it.
create table supplier_health (
  supplier_id uuid primary key references supplier on delete cascade,
  -- since when some sender has had a bind to submit on; null while none has
  bound_since timestamptz,
  -- since when senders have been trying and none had one; null otherwise
  down_since timestamptz,
  -- since when what would go there takes other routes; null while it counts as healthy
  failed_since timestamptz
);
revoke all on supplier_health from pahatid_tenant;
