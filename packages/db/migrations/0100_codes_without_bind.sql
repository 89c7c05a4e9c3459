-- Since when codes take other routes because a supplier has no bind: much sooner than other messages do. The supplier's
-- other messages follow with failed_since.
alter table supplier_health add column codes_failed_since timestamptz;
