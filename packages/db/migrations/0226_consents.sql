-- What shows that phones agreed to marketing: a piece of evidence, and the phones that it is of. Control tables.
set local citus.multi_shard_modify_mode = 'sequential';

create table consent_evidence (
  customer_id uuid not null references customer,
  evidence_id uuid not null,
  source text not null check (source in ('web', 'store', 'paper', 'sms', 'call', 'app', 'import', 'other')),
  -- the text that people agreed to
  wording text not null check (length(wording) between 1 and 1000),
  -- null: no file
  file_name text,
  file_type text check (file_type in ('application/pdf', 'image/png', 'image/jpeg')),
  file bytea check (length(file) <= 2097152),
  -- null: software
  added_by uuid references app_user on delete set null,
  created_at timestamptz not null,
  primary key (customer_id, evidence_id),
  check ((file is null) = (file_name is null) and (file is null) = (file_type is null))
);
create index consent_evidence_added_by on consent_evidence (added_by) where added_by is not null;

create table consent (
  customer_id uuid not null,
  msisdn text not null,
  given_at timestamptz not null,
  evidence_id uuid not null,
  created_at timestamptz not null,
  -- by an opt-out, or by a user; null: in force
  withdrawn_at timestamptz,
  -- what is recorded twice is one consent
  primary key (customer_id, msisdn, given_at),
  foreign key (customer_id, evidence_id) references consent_evidence
);
create index consent_list on consent (customer_id, created_at desc, msisdn desc);
create index consent_evidence_of on consent (customer_id, evidence_id);
create index consent_withdrawn on consent (customer_id, withdrawn_at) where withdrawn_at is not null;

alter table consent_evidence enable row level security;
create policy consent_evidence_tenant on consent_evidence to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
alter table consent enable row level security;
create policy consent_tenant on consent to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));

-- Marketing goes to phones with consent in force alone.
alter table customer add column consent_required boolean not null default false;
-- Recipients without it, by the check, and from the start on by what is prepared.
alter table task add column no_consent_count integer not null default 0;

alter table intake drop constraint intake_kind_check;
alter table intake add constraint intake_kind_check
  check (kind in ('file', 'task', 'merge', 'intersect', 'subtract', 'optOut', 'consent'));
