set local citus.multi_shard_modify_mode = 'sequential';

-- The host of an address: of www.shop.example and shop.example. it is shop.example.
create function link_host(url text) returns text language sql immutable parallel safe as
  $$ select regexp_replace(rtrim(lower(substring(url from '^[a-z]+://(\[[^]]*\]|[^/:?#]+)')), '.'), '^www\.', '') $$;

alter table customer
  add column link_review text not null default 'firstUse' check (link_review in ('always', 'firstUse', 'never'));

alter table short_link
  add column audit_status smallint not null default 3 check (audit_status between 0 and 3),
  add column audit_reason text,
  add column audit_code text,
  add column audited_at timestamptz,
  add column audited_by uuid references app_user,
  -- when it last began to wait for a reviewer
  add column submitted_at timestamptz,
  -- by staff, for everybody
  add column blocked_at timestamptz,
  add column blocked_reason text,
  add column target_host text generated always as (link_host(target_url)) stored,
  add column fallback_host text generated always as (link_host(fallback_url)) stored;
create index short_link_pending on short_link (submitted_at, link_id) where audit_status = 0 and deleted_at is null;

-- Hosts that a customer's links have led to with a reviewer's consent, or without the need of it.
create table used_link_host (
  customer_id uuid not null references customer,
  host text not null,
  used_at timestamptz not null default now(),
  primary key (customer_id, host)
);
insert into used_link_host (customer_id, host)
select customer_id, target_host from short_link where target_host is not null
union select customer_id, fallback_host from short_link where fallback_host is not null;

-- Domains that staff closed for everybody, with all below them.
create table blocked_link_domain (
  domain text primary key check (domain = lower(domain)),
  reason text not null,
  blocked_by uuid references app_user,
  blocked_at timestamptz not null default now()
);

create function is_link_host_blocked(host text) returns boolean language sql stable parallel safe as
  $$ select exists (select from blocked_link_domain b
       where host = b.domain or right(host, length(b.domain) + 1) = '.' || b.domain) $$;

-- What visitors wrote of links that staff had disabled.
create table link_report (
  report_id uuid primary key,
  customer_id uuid not null,
  link_id uuid not null,
  code text not null,
  message text not null,
  created_at timestamptz not null
);

do $$
declare
  t text;
begin
  foreach t in array array['used_link_host', 'link_report']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
revoke update, delete on used_link_host from pahatid_tenant;
revoke all on link_report from pahatid_tenant;
revoke insert, update, delete on blocked_link_domain from pahatid_tenant;

alter table review_claim drop constraint review_claim_kind_check;
alter table review_claim add constraint review_claim_kind_check check (kind in ('template', 'sender', 'task', 'link'));
