-- How verifications ended otherwise than by the right code, and wrong codes; null in rows of releases before.
alter table verification_hour add column wrong bigint, add column failed bigint, add column cancelled bigint;
