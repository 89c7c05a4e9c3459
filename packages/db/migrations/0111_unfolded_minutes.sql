-- pahatid: no-transaction
-- Rows of report_minute with a writer of -1 are folded: report_hour contains them. The others are added to it by reports:
-- one index for those of a customer, one for those of staff.
create index concurrently report_minute_unfolded on report_minute (customer_id, minute) where writer >= 0;
create index concurrently report_minute_unfolded_minute on report_minute (minute) where writer >= 0;
