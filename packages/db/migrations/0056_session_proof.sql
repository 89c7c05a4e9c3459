-- When the person last proved who they are in this session: at its sign-in, or by the password or a second factor since.
alter table session add column proved_at timestamptz;
update session set proved_at = created_at;
