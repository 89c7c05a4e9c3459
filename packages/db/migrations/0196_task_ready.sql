-- pahatid: no-transaction
-- Tasks that wait to be confirmed, counted for the menu.
create index concurrently task_ready on task (customer_id) where task_status = 2;
