-- Two roles: one owns the schema and migrates, one runs the program and cannot change what the audit log says.
-- Run it with psql as the owner, after each migration:
-- The program itself is then started with MIGRATE=off and the URL of its own role.
--   psql "$OWNER_DATABASE_URL" -v program=coinslot_program -f ops/two-roles.sql
grant usage on schema public to :"program";
grant select, insert, update, delete on all tables in schema public to :"program";
grant usage, select on all sequences in schema public to :"program";
grant execute on all functions in schema public to :"program";
revoke update, delete, truncate on audit_entries, audit_links from :"program";
revoke insert, update, delete, truncate on migrations from :"program";
