set local citus.multi_shard_modify_mode = 'sequential';

create table template (
  template_id uuid primary key,
  customer_id uuid not null references customer,
  app_id text not null references application,
  template_name text not null,
  newest_version integer not null,
  -- the version that sends now; null where none may
  serving_version integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index template_name on template (customer_id, lower(template_name)) where deleted_at is null;
create index template_list on template (customer_id, updated_at desc, template_id desc) where deleted_at is null;

create table template_version (
  template_id uuid not null references template,
  version integer not null check (version > 0),
  customer_id uuid not null references customer,
  sms_type smallint not null check (sms_type between 1 and 3),
  content text not null,
  audit_status smallint not null check (audit_status between 0 and 3),
  audit_reason text,
  audited_at timestamptz,
  audited_by uuid references app_user,
  created_at timestamptz not null default now(),
  created_by uuid references app_user,
  primary key (template_id, version),
  check (audit_status <> 2 or audit_reason is not null)
);
create index template_version_pending on template_version (created_at, template_id) where audit_status = 0;

create table sender (
  id uuid primary key,
  customer_id uuid not null references customer,
  app_id text not null references application,
  area_code text not null check (area_code ~ '^[A-Z]{2}$'),
  sender_id text not null check (sender_id ~ '^[A-Za-z0-9]{3,11}$'),
  remark_info text not null default '',
  use_state smallint not null default 1 check (use_state in (0, 1)),
  audit_status smallint not null check (audit_status between 0 and 3),
  audit_reason text,
  audited_at timestamptz,
  audited_by uuid references app_user,
  operated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  created_by uuid references app_user,
  check (audit_status <> 2 or audit_reason is not null)
);
create unique index sender_unique on sender (customer_id, app_id, area_code, lower(sender_id));
create index sender_list on sender (customer_id, operated_at desc, id desc);
create index sender_pending on sender (created_at, id) where audit_status = 0;

create table sender_carrier (
  id uuid not null references sender on delete cascade,
  customer_id uuid not null references customer,
  carrier text not null,
  audit_status smallint not null check (audit_status between 0 and 3),
  primary key (id, carrier)
);

-- Words of the prohibited categories; staff edit them.
create table prohibited_term (
  term_id uuid primary key,
  term text not null,
  lang text not null,
  category text not null,
  level text not null check (level in ('block', 'flag')),
  exempt text[] not null default '{}'
);
create unique index prohibited_term_unique on prohibited_term (lang, term);

create table holiday (
  day date primary key,
  name text not null
);
