-- pahatid: no-transaction
-- What waits of one task, template, sender ID or balance, of which the earliest goes first.
create index concurrently callback_event_subject on callback_event (endpoint_id, subject_id, event_id)
  where state = 'waiting' and type in ('task.status', 'template.status', 'sender.status', 'balance.status');
