set local citus.multi_shard_modify_mode = 'sequential';

-- An export belongs to the person that asked for it, or to the application whose software did (decision 160).
alter table export_job alter column user_id drop not null;
alter table export_job add column app_id text;
alter table export_job add constraint export_job_owner check ((user_id is null) <> (app_id is null)) not valid;
create index export_job_app on export_job (customer_id, export_id) where app_id is not null;

-- What belongs to no application belongs to a person.
create policy export_job_application on export_job as restrictive to pahatid_application
  using (app_id = (select current_application())) with check (app_id = (select current_application()));
