-- How the members of a dynamic group are selected; null: it has members of its own.
alter table message_group add column selection jsonb;
-- of the last selection
alter table message_group add column selected_count integer check (selected_count >= 0);
alter table message_group add column counted_at timestamptz;
alter table message_group drop constraint message_group_source_check;
alter table message_group add constraint message_group_source_check
  check (source in ('paste', 'api', 'file', 'task', 'groups', 'dynamic'));
