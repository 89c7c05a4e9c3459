set local citus.multi_shard_modify_mode = 'sequential';

-- Why something was rejected: a reason of the catalogue, and the place in the text that it is about (UTF-16 offsets).
alter table template_version add column audit_code text;
alter table template_version add column audit_from integer;
alter table template_version add column audit_to integer;
alter table sender add column audit_code text;
alter table task add column audit_code text;
alter table task add column audit_from integer;
alter table task add column audit_to integer;

-- Who is looking at what waits for review: one at a time, until the lease ends.
create table review_claim (
  kind text not null check (kind in ('template', 'sender', 'task')),
  subject_id uuid not null,
  claim_id uuid not null,
  user_id uuid not null references app_user on delete cascade,
  claimed_at timestamptz not null,
  lease_until timestamptz not null,
  primary key (kind, subject_id)
);
create index review_claim_lease on review_claim (lease_until);
revoke all on review_claim from pahatid_tenant;

-- The name of a day for those who read Chinese; empty: there is only the other name.
alter table holiday add column name_zh text not null default '';
update holiday h set name_zh = n.name_zh
from (values
  ('New Year''s Day', '元旦'), ('Araw ng Kagitingan', '英勇日'), ('Labor Day', '劳动节'), ('Independence Day', '独立日'),
  ('Ninoy Aquino Day', '尼诺·阿基诺日'), ('All Saints'' Day', '诸圣节'), ('Bonifacio Day', '博尼法西奥日'),
  ('Immaculate Conception', '圣母无染原罪节'), ('Christmas Day', '圣诞节'), ('Rizal Day', '黎刹日'),
  ('Last Day of the Year', '除夕（公历）'), ('Maundy Thursday', '濯足节'), ('Good Friday', '耶稣受难日'),
  ('Black Saturday', '圣周六'), ('National Heroes Day', '国家英雄日')) n (name, name_zh)
where h.name = n.name;

-- Proclaimed for 2026 alone; only where the table was filled before.
insert into holiday (day, name, name_zh)
select n.day::date, n.name, n.name_zh
from (values
  ('2026-02-17', 'Chinese New Year', '春节'), ('2026-11-02', 'All Souls'' Day', '追思节'),
  ('2026-12-24', 'Christmas Eve', '平安夜')) n (day, name, name_zh)
where exists (select from holiday where day between '2026-01-01' and '2026-12-31')
on conflict do nothing;
