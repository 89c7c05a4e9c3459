-- What a customer's transaction has no business with: the record of migrations, leases, binds, and of carriers all but
-- their names.
revoke all on schema_migration, writer_lease, bind_state, supplier from pahatid_tenant;
grant select (supplier_id, supplier_account, carrier) on supplier to pahatid_tenant;
