-- A code belongs to the browser that asked for it: another browser's request for the same destination makes a code of its
-- own, and leaves this one alive.
alter table one_time_code drop constraint one_time_code_pkey;
alter table one_time_code add primary key (purpose, destination, visitor_hash);

-- Asked for in a browser in which the owner of the destination has signed in before. Such codes have a budget of their own,
-- which strangers cannot use up.
alter table one_time_code add column known_device boolean not null default false;
