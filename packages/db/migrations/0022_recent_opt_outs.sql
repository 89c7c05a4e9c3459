-- Who refused in the last minutes, looked for while a marketing batch is being sent.
create index opt_out_recent on opt_out (customer_id, created_at);
