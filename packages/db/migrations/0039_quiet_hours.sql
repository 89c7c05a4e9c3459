-- Hours of the Manila day between which marketing waits: from the evening's to the next morning's. A customer may make
-- the window longer than the law does (21 to 7), never shorter; an hour of the day at least is left.
alter table customer
  add column quiet_from smallint not null default 21,
  add column quiet_to smallint not null default 7,
  add constraint customer_quiet_hours check (quiet_to >= 7 and quiet_to < quiet_from and quiet_from <= 21);
