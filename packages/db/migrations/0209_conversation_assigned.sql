-- pahatid: no-transaction
-- Conversations of one user, or of none, the last reply first.
create index concurrently conversation_assigned on conversation (customer_id, assignee_id, last_inbound_id);
