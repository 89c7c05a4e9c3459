-- The newest minutes of all customers in order, for staff's list of records.
set local citus.multi_shard_modify_mode = 'sequential';

create index report_minute_time on report_minute (minute);
