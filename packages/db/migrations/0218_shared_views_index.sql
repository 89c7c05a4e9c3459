-- pahatid: no-transaction
-- Shared views of a customer's list.
create index concurrently saved_filter_shared on saved_filter (customer_id, list) where is_shared;
