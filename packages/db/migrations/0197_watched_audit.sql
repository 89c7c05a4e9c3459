-- pahatid: no-transaction
-- What jobs look through for staff alarms, newest first: one index for all, one for the earlier sign-ins of a user.
create index concurrently audit_log_watched on audit_log (at)
  where action in ('signIn', 'signInFailed', 'unmask', 'lookUp', 'export');
create index concurrently audit_log_sign_in on audit_log (user_id, at) where action = 'signIn';
