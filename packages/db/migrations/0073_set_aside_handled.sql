set local citus.multi_shard_modify_mode = 'sequential';

-- Staff read what was set aside on screen and mark what they have dealt with.
alter table set_aside_event
  add column event_id uuid not null default gen_random_uuid(),
  -- a text that refuses messages; `opted_out`: its number is on the list of the customer that it belongs to
  add column is_opt_out boolean not null default false,
  add column opted_out boolean not null default false,
  add column handled_at timestamptz,
  add column handled_by uuid;
create unique index set_aside_event_id on set_aside_event (event_id);
