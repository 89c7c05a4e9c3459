-- Of req_fail, the messages that were handed over to no carrier: blocked or terminated. No rate of acceptance counts them.
set local citus.multi_shard_modify_mode = 'sequential';

alter table report_minute add column req_blocked integer not null default 0;

-- The same as report_minute_minute.
drop index report_minute_time;
