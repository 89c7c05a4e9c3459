-- How far the reading of a file and the check of a task are, and since when, so that screens can say of how many rows and
-- how long it still takes. Null: nobody has begun.
alter table file add column parse_started_at timestamptz;
alter table task
  add column check_started_at timestamptz,
  add column check_read integer not null default 0,
  add column check_total integer;
