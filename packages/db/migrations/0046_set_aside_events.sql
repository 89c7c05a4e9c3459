set local citus.multi_shard_modify_mode = 'sequential';

-- What a carrier said and no table could hold: the results, receipts and texts that the database refused, each kept by
-- itself so that the others of its flush were stored. For staff only.
create table set_aside_event (
  -- storing it twice leaves one
  event_key text primary key,
  kind text not null check (kind in ('result', 'receipt', 'text')),
  supplier_id uuid not null,
  -- of a result
  message_id bigint,
  -- SQLSTATE of the refusal
  error_code text not null,
  -- JSON as text, phones masked: jsonb itself refuses some characters that may be the reason
  content text not null,
  set_aside_at timestamptz not null
);
create index set_aside_event_at on set_aside_event (set_aside_at);
alter table set_aside_event enable row level security;
revoke all on set_aside_event from pahatid_tenant;
