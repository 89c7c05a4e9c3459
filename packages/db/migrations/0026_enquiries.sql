set local citus.multi_shard_modify_mode = 'sequential';

-- What visitors write by the contact form, for the staff.
create table enquiry (
  enquiry_id uuid primary key,
  name text not null,
  company text,
  email text not null,
  phone text,
  message text not null,
  -- of the page it was written on
  locale text not null check (locale in ('zh-CN', 'en-US')),
  ip inet not null,
  created_at timestamptz not null
);
revoke all on enquiry from pahatid_tenant;
