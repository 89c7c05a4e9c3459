-- Until when a confirmed task waits, so that it can be taken back; null: it starts immediately.
alter table task add column grace_ends_at timestamptz;
