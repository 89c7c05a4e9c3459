-- The planner is not told how many batches are in which state: that is seldom true for long, and statistics of a moment
-- when all were ready make an index of the ready ones look as large as one of all. Without them each state counts as rare.
set local citus.multi_shard_modify_mode = 'sequential';

alter table batch alter column state set statistics 0;
