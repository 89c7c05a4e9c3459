-- When the author wants a task to start at the latest; null: a planned one within latest_start after its plan_time.
alter table task add column latest_start_at timestamptz;
