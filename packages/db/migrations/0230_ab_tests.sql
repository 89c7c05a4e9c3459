-- A/B tests: a task that is first sent to shares of its recipients in two to four variants, each by a task of its own;
-- the others wait for the decision.
set local citus.multi_shard_modify_mode = 'sequential';

create table ab_test (
  task_id uuid primary key references task on delete cascade,
  customer_id uuid not null references customer,
  rule text not null check (rule in ('clicks', 'delivered', 'manual')),
  -- from the moment at which the last variant has ended
  wait_minutes integer not null check (wait_minutes between 1 and 10080),
  -- the variant to send if the difference is within chance; null: a person decides
  fallback smallint check (fallback between 0 and 3),
  -- orders the recipients at random, repeatably; drawn by the check
  seed bytea,
  started_at timestamptz,
  decide_at timestamptz,
  -- since when a person is awaited
  asked_at timestamptz,
  decided_at timestamptz,
  decided_by text check (decided_by in ('rule', 'fallback', 'person')),
  user_id uuid references app_user,
  winner smallint check (winner between 0 and 3),
  -- what each variant had come to
  results jsonb,
  check ((decided_at is null) = (winner is null))
);
-- under way
create index ab_test_open on ab_test (task_id) where started_at is not null and decided_at is null;

create table ab_variant (
  task_id uuid not null references ab_test on delete cascade,
  variant smallint not null check (variant between 0 and 3),
  customer_id uuid not null references customer,
  template_id uuid not null references template,
  -- percent of the recipients
  share smallint not null check (share between 1 and 97),
  -- after the start of the test
  delay_minutes integer not null default 0 check (delay_minutes between 0 and 1439),
  -- frozen by the check of the task
  template_version integer,
  content text,
  -- places in the random order: from low, before high
  low bigint,
  high bigint,
  recipient_count integer,
  segments bigint,
  cost bigint,
  -- of the others, if this variant wins
  rest_segments bigint,
  rest_cost bigint,
  -- the task that sends it
  child_id uuid unique references task on delete cascade,
  primary key (task_id, variant)
);
create index ab_variant_template on ab_variant (template_id);

alter table ab_test enable row level security;
create policy ab_test_tenant on ab_test to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
alter table ab_variant enable row level security;
create policy ab_variant_tenant on ab_variant to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
