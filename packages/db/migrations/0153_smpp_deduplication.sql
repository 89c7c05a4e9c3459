-- A message that comes again over SMPP, with the same user_message_reference, number and text within 24 hours, is answered
-- with the ID of the first.
alter table application add column smpp_deduplication boolean;
