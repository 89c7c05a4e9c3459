-- Editions of the default prohibited terms that this database has been seeded with, so that later ones are added once and
-- what staff changed or removed stays so.
create table lexicon_edition (
  edition int primary key,
  added_at timestamptz not null default now()
);
revoke all on lexicon_edition from pahatid_tenant;
-- A database that has prefixes was seeded with the first edition.
insert into lexicon_edition (edition) select 1 where exists (select 1 from prefix);
