-- Widths of a list's columns that the user set, in pixels by column.
alter table view_setting add column widths jsonb not null default '{}';
