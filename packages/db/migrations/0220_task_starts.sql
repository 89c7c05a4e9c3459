-- pahatid: no-transaction
-- Tasks of a customer by when they started, for the marks of charts by hour.
create index concurrently task_started on task (customer_id, started_at) where started_at is not null;
