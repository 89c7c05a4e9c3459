-- Automatic answers: which keywords of a phone's text are answered with which template, and what became of each answer.
set local citus.multi_shard_modify_mode = 'sequential';

create table keyword_rule (
  customer_id uuid not null references customer,
  rule_id uuid not null,
  app_id text not null,
  -- the first rule that matches answers
  place integer not null,
  keywords text[] not null check (cardinality(keywords) between 1 and 20),
  template_id uuid not null,
  -- hours of the Manila day; null: all day
  from_hour smallint check (from_hour between 0 and 23),
  to_hour smallint check (to_hour between 0 and 23),
  use_state smallint not null check (use_state in (0, 1)),
  primary key (customer_id, rule_id),
  check ((from_hour is null) = (to_hour is null))
);
create index keyword_rule_place on keyword_rule (customer_id, app_id, place);

-- One for each reply that a rule answers, made in the transaction that stores the reply.
create table keyword_answer (
  customer_id uuid not null references customer,
  inbound_id uuid not null,
  rule_id uuid not null,
  app_id text not null,
  msisdn text not null,
  keyword text not null,
  template_id uuid not null,
  created_at timestamptz not null,
  state text not null check (state in ('waiting', 'sent', 'refused')),
  message_id bigint,
  refusal text,
  primary key (customer_id, inbound_id)
);
create index keyword_answer_waiting on keyword_answer (created_at) where state = 'waiting';
create index keyword_answer_phone on keyword_answer (customer_id, msisdn, created_at);
create index keyword_answer_age on keyword_answer (customer_id, created_at);

alter table keyword_rule enable row level security;
create policy keyword_rule_tenant on keyword_rule to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
create policy keyword_rule_application on keyword_rule as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
alter table keyword_answer enable row level security;
create policy keyword_answer_tenant on keyword_answer to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
create policy keyword_answer_application on keyword_answer as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
