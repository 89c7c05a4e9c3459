-- A visitor of a public demo: reads as the viewer whose session it is, changes nothing, and is not identified.
alter table session add column visitor boolean not null default false;
create index session_visitor on session (expires_at) where visitor;
