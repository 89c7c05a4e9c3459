set local citus.multi_shard_modify_mode = 'sequential';

-- Test mode (decision 146): what a customer sends with test keys belongs to a customer of its own, so that nothing of it is
-- in a query about real messages. Made with the first test key.
alter table customer add column test_of uuid references customer;
create unique index customer_test_of on customer (test_of) where test_of is not null;
alter table application add column test_of text references application on delete cascade;
create unique index application_test_of on application (test_of) where test_of is not null;

-- The account of the carrier that is part of the program; null: of a real one.
alter table supplier add column is_test boolean;
