set local citus.multi_shard_modify_mode = 'sequential';

-- A code to a phone that a signed-in person wants to be their own. It is nobody's phone yet, so the row says who asked; what
-- binds it to the browser is the session, in visitor_hash.
alter table one_time_code add column asked_by uuid references app_user on delete cascade;
alter table one_time_code drop constraint one_time_code_purpose_check;
alter table one_time_code add constraint one_time_code_purpose_check
  check (purpose in ('signIn', 'resetPassword', 'setPhone'));
alter table one_time_code add constraint one_time_code_asked_by_check
  check ((asked_by is null) = (purpose <> 'setPhone'));
