-- From when on the rows of a table are complete: what is older was dropped or deleted for its age, for all customers.
create table kept_since (
  table_name text primary key,
  at timestamptz not null
);
revoke insert, update, delete on kept_since from pahatid_tenant;
