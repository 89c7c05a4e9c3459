set local citus.multi_shard_modify_mode = 'sequential';

-- One account at one carrier's SMSC.
create table supplier (
  supplier_id uuid primary key,
  supplier_account text not null unique,
  carrier text,
  host text not null,
  port integer not null check (port between 1 and 65535),
  system_id text not null,
  -- sealed with the master key
  password_sealed text not null,
  bind_type text not null default 'transceiver' check (bind_type in ('transceiver', 'transmitter+receiver')),
  bind_count integer not null default 2 check (bind_count between 1 and 64),
  -- submit_sm unanswered per bind
  window_size integer not null default 100 check (window_size between 1 and 10000),
  -- submit_sm per second over all binds and processes: segments
  tps integer not null default 1000 check (tps > 0),
  -- addresses, alphabet of data_coding 0, base of ids, receipt style, status classes
  profile jsonb not null default '{}',
  use_state smallint not null default 1 check (use_state in (0, 1)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table route (
  route_id uuid primary key,
  route_name text not null unique,
  area_code text not null default 'PH',
  -- null: any carrier, the default route
  carrier text,
  sms_type smallint check (sms_type between 1 and 3),
  supplier_id uuid not null references supplier,
  weight integer not null default 1 check (weight > 0),
  priority integer not null default 0,
  use_state smallint not null default 1 check (use_state in (0, 1)),
  created_at timestamptz not null default now()
);

-- Who held a range of numbers first; a number may have been ported since.
create table prefix (
  prefix text primary key check (prefix ~ '^[0-9]{1,15}$'),
  area_code text not null default 'PH',
  carrier text not null
);

-- The most particular row wins; price per segment in 1/10,000 PHP.
create table price (
  price_id uuid primary key,
  area_code text not null default 'PH',
  carrier text,
  sms_type smallint check (sms_type between 1 and 3),
  customer_id uuid references customer,
  price integer not null check (price >= 0)
);
create unique index price_unique on price (area_code, carrier, sms_type, customer_id) nulls not distinct;

-- A writer number makes message ids unique over processes; leased, so that a dead process gives its own back.
create table writer_lease (
  writer smallint primary key check (writer between 0 and 255),
  owner uuid,
  lease_until timestamptz not null default '-infinity',
  -- ids of an owner before never come again: the next owner starts past this instant (milliseconds of ids)
  last_ms bigint not null default 0
);
insert into writer_lease (writer) select generate_series(0, 255);

create table bind_state (
  supplier_id uuid not null references supplier on delete cascade,
  owner uuid not null,
  bind_no integer not null,
  state text not null,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  last_error text,
  primary key (supplier_id, owner, bind_no)
);
