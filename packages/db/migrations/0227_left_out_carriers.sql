-- Carriers whose recipients a task leaves out, and how many they are: by the check, and from the start on by what is prepared.
alter table task add column left_out_carriers text[] not null default '{}';
alter table task add column left_out_count integer not null default 0;
