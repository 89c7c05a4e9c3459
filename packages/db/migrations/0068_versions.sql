set local citus.multi_shard_modify_mode = 'sequential';

-- What several people edit counts its saves: a change made from an older version is refused, and the person is shown who
-- saved in between. Changes that the program makes (progress, counts, results of reviews) are no saves.
alter table task
  add column version integer not null default 1,
  add column edited_at timestamptz,
  add column edited_by uuid references app_user on delete set null;
alter table template
  add column version integer not null default 1,
  add column edited_at timestamptz,
  add column edited_by uuid references app_user on delete set null;
alter table message_group
  add column version integer not null default 1,
  add column edited_at timestamptz,
  add column edited_by uuid references app_user on delete set null;
alter table threshold
  add column version integer not null default 1,
  add column edited_at timestamptz,
  add column edited_by uuid references app_user on delete set null;
alter table application
  add column version integer not null default 1,
  add column edited_at timestamptz,
  add column edited_by uuid references app_user on delete set null;
alter table short_link
  add column edited_at timestamptz,
  add column edited_by uuid references app_user on delete set null;
