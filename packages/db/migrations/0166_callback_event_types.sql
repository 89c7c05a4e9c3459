set local citus.multi_shard_modify_mode = 'sequential';

-- Types of events that an application's address receives; null: those of its messages and replies.
alter table callback_endpoint add column events text[];
-- Not validated: rows of before have the first, second and last two.
alter table callback_event drop constraint callback_event_type_check;
alter table callback_event add constraint callback_event_type_check check (type in ('message.status', 'message.inbound',
  'task.status', 'template.status', 'sender.status', 'balance.status', 'alert', 'test')) not valid;
