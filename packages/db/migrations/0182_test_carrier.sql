-- What test keys send goes to the carrier of test mode and to no other, whichever program makes or moves the batch: the
-- release before prepares tasks of any customer, and does not know test mode (decision 155).
alter table batch add constraint batch_test_carrier
  check (customer_id < 'f0000000-0000-0000-0000-000000000000' or supplier_id = 'f0000000-0000-7000-8000-000000000001') not valid;
