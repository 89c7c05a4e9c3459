-- Who of the customer's users answers the phone; null: no one yet.
alter table conversation add column assignee_id uuid;
