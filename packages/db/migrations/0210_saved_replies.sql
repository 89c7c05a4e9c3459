-- Texts that a customer's team inserts into its replies to phones.
create table saved_reply (
  customer_id uuid not null references customer,
  saved_reply_id uuid not null,
  name text not null,
  content text not null,
  primary key (customer_id, saved_reply_id)
);
create unique index saved_reply_name on saved_reply (customer_id, lower(name));

alter table saved_reply enable row level security;
create policy saved_reply_tenant on saved_reply to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
