-- Saved views: what a list is narrowed to, and its order and columns, for each list; null: of an earlier release.
-- A shared one is seen by everyone of the customer, or by all staff; a pinned one stands above the list.
alter table saved_filter add column sort text;
alter table saved_filter add column columns text[];
alter table saved_filter add column is_shared boolean not null default false;
alter table saved_filter add column is_pinned boolean not null default false;
-- The lists are those of the contract.
alter table saved_filter drop constraint saved_filter_list_check;
