-- What a carrier wants to know before it passes a sender ID's texts: papers, a signed letter, and the domains that texts
-- link to. One dossier for each sender ID and carrier.
set local citus.multi_shard_modify_mode = 'sequential';

create table sender_dossier (
  dossier_id uuid primary key,
  customer_id uuid not null references customer,
  app_id text not null,
  sender_key uuid not null references sender on delete cascade,
  carrier text not null,
  -- draft: the customer writes it; submitted: staff send it; sent: with the carrier
  state text not null default 'draft'
    check (state in ('draft', 'submitted', 'sent', 'approved', 'returned', 'expired')),
  -- when its state changed
  changed_at timestamptz not null,
  sent_at timestamptz,
  -- the carrier's last answer
  answer text,
  answered_by text,
  answered_at timestamptz,
  answer_by date,
  -- last day of the carrier's approval, which stays while papers for the next one are on their way; null: none yet
  approved_until date,
  -- approval that the owners were last reminded of, and how many days before its end
  reminded_of date,
  reminded_days smallint,
  unique (sender_key, carrier),
  check (state <> 'approved' or approved_until is not null),
  check (state <> 'returned' or answer is not null)
);
create index sender_dossier_customer on sender_dossier (customer_id);
create index sender_dossier_state on sender_dossier (state, changed_at, dossier_id);
create index sender_dossier_end on sender_dossier (approved_until) where approved_until is not null;

create table sender_paper (
  paper_id uuid primary key,
  dossier_id uuid not null references sender_dossier on delete cascade,
  customer_id uuid not null references customer,
  kind text not null check (kind in ('registration', 'identity', 'letter', 'other')),
  name text not null check (length(name) between 1 and 200),
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  content bytea not null check (length(content) <= 4194304),
  state text not null default 'new' check (state in ('new', 'checked', 'returned')),
  uploaded_by uuid references app_user on delete set null,
  uploaded_at timestamptz not null,
  -- of a state other than new
  checked_at timestamptz
);
create index sender_paper_dossier on sender_paper (dossier_id);
create index sender_paper_customer on sender_paper (customer_id);
create index sender_paper_uploaded_by on sender_paper (uploaded_by);

-- Domains that texts of the sender ID link to.
create table sender_domain (
  customer_id uuid not null references customer,
  dossier_id uuid not null references sender_dossier on delete cascade,
  app_id text not null,
  sender_key uuid not null,
  carrier text not null,
  -- lower case; internationalised names as xn--
  domain text not null check (domain ~ '^[a-z0-9.-]{3,253}$'),
  state text not null default 'asked' check (state in ('asked', 'allowed', 'refused')),
  asked_at timestamptz not null,
  decided_at timestamptz,
  primary key (dossier_id, domain)
);
create index sender_domain_sender on sender_domain (customer_id, sender_key);

create table sender_dossier_event (
  event_id uuid primary key,
  dossier_id uuid not null references sender_dossier on delete cascade,
  customer_id uuid not null references customer,
  kind text not null,
  at timestamptz not null,
  user_id uuid references app_user on delete set null,
  detail jsonb not null default '{}'
);
create index sender_dossier_event_dossier on sender_dossier_event (dossier_id, event_id desc);
create index sender_dossier_event_customer on sender_dossier_event (customer_id);
create index sender_dossier_event_user on sender_dossier_event (user_id);

-- What letters of authorisation say about a customer.
create table company_details (
  customer_id uuid primary key references customer,
  legal_name text not null,
  registration_number text not null,
  address text not null,
  signatory text not null,
  signatory_title text not null
);

do $$
declare
  t text;
begin
  foreach t in array array['sender_dossier', 'sender_paper', 'sender_domain', 'sender_dossier_event', 'company_details']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I to pahatid_tenant using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()))',
      t || '_tenant', t);
  end loop;
end $$;
create policy sender_dossier_application on sender_dossier as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
create policy sender_domain_application on sender_domain as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
