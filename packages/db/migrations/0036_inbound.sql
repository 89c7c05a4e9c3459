set local citus.multi_shard_modify_mode = 'sequential';

-- What a phone's text answers, as far as it is known when the text comes: the last message to that phone by which its
-- customer was found. Null for texts that came before this was kept.
alter table inbound
  add column message_id bigint,
  add column app_id text,
  add column task_id uuid,
  -- the whole text was a word of refusal
  add column is_opt_out boolean not null default false;

update inbound set is_opt_out = true
where upper(btrim(normalize(content, nfkc))) in ('T', 'TD', '退订', '退訂', 'STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL',
  'END', 'QUIT', 'OPTOUT', 'OPT-OUT', 'REVOKE', 'R');

-- The key serves the list, newest first, because ids carry the time; this one a number's own, and its erasure.
create index inbound_number on inbound (customer_id, msisdn);
