-- Restores of this database from a backup. What was sent after the state that came back is not known, so each lane is paused
-- until a person decides (decision 127). Control tables; restore_lane has no row where nothing was restored.
set local citus.multi_shard_modify_mode = 'sequential';

create table restore (
  restore_id uuid primary key,
  -- the state that came back
  backup_at timestamptz not null,
  -- messages whose doubt begins at this instant are in doubt because of the restore
  restored_at timestamptz not null
);

create table restore_lane (
  restore_id uuid not null references restore,
  lane smallint not null check (lane between 1 and 3),
  -- messages that were waiting in the backup: in doubt since
  unsure_count integer not null default 0,
  -- messages that were in doubt in the backup
  doubt_count integer not null default 0,
  -- tasks whose recipients were not all messages yet
  task_count integer not null default 0,
  -- null: the lane is paused. release: what is still in doubt is sent; hold: it stays unconfirmed
  decision text check (decision in ('release', 'hold')),
  decided_by uuid references app_user,
  decided_at timestamptz,
  -- when the decision was carried out for all
  done_at timestamptz,
  primary key (restore_id, lane),
  check ((decision is null) = (decided_at is null))
);
create unique index restore_lane_paused on restore_lane (lane) where decision is null;
revoke all on restore, restore_lane from pahatid_tenant;
