set local citus.multi_shard_modify_mode = 'sequential';

-- Short links. Kept when they are deleted, so that no code is given a second time.
create table short_link (
  link_id uuid primary key,
  customer_id uuid not null references customer,
  link_name text not null,
  -- what stands in texts before "/s/" and the code: host, perhaps port and path
  domain text not null,
  code text not null unique,
  target_url text not null check (length(target_url) <= 2000),
  fallback_url text check (length(fallback_url) <= 2000),
  -- shared: one code for all; perRecipient: each message gets a code of its own in the place of this one
  mode text not null check (mode in ('shared', 'perRecipient')),
  app_id text references application,
  template_id uuid references template,
  expires_at timestamptz not null,
  use_state smallint not null default 1 check (use_state in (0, 1)),
  version integer not null default 1,
  -- the first receipt of any message with it, once known
  first_receipt_at timestamptz,
  created_by uuid references app_user,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index short_link_list on short_link (customer_id, created_at desc, link_id desc) where deleted_at is null;

-- Tasks whose messages bear a link.
create table link_task (
  customer_id uuid not null,
  link_id uuid not null references short_link,
  task_id uuid not null references task on delete cascade,
  primary key (customer_id, link_id, task_id)
);
create index link_task_task on link_task (task_id);

-- Data, found by code alone: whoever clicks says nothing else. A link's own code is a row without a message.
create table link_code (
  code text primary key,
  customer_id uuid not null,
  link_id uuid not null,
  message_id bigint,
  -- by a person
  first_click_at timestamptz
) with (fillfactor = 90);
create index link_code_message on link_code (customer_id, message_id) where message_id is not null;
-- links' own codes, and those whose message is no longer kept
create index link_code_bare on link_code (link_id) where message_id is null;

-- Append-only but for the verdict, which is given once. No address, no number: whose it was is in link_code alone.
create table link_click (
  code text not null,
  click_id uuid not null,
  customer_id uuid not null,
  link_id uuid not null,
  at timestamptz not null,
  os text not null,
  browser text not null,
  device text not null,
  -- what told a program at the door
  sign text check (sign in ('head', 'scanner')),
  verdict text check (verdict in ('human', 'head', 'scanner', 'early')),
  -- when it is to be judged; null once it is
  judge_at timestamptz,
  primary key (code, click_id)
);
create index link_click_list on link_click (customer_id, link_id, click_id);
create index link_click_open on link_click (judge_at) where judge_at is not null;

-- What stays: counts by minute. first_count: recipients who had not clicked before.
create table link_minute (
  customer_id uuid not null,
  link_id uuid not null,
  minute timestamptz not null,
  -- '' where none
  task_id text not null,
  area_code text not null,
  carrier text not null,
  os text not null,
  browser text not null,
  device text not null,
  verdict text not null,
  click_count integer not null default 0,
  first_count integer not null default 0,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (customer_id, link_id, minute, task_id, area_code, carrier, os, browser, device, verdict)
);

do $$
declare
  t text;
begin
  foreach t in array array['short_link', 'link_task', 'link_code', 'link_click', 'link_minute']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke delete on short_link from pahatid_tenant;
revoke insert, update, delete on link_task, link_click, link_minute from pahatid_tenant;
revoke update, delete on link_code from pahatid_tenant;
