set local citus.multi_shard_modify_mode = 'sequential';

-- Where codes by SMS go: the person's own number, digits only. One number is one person's.
alter table app_user add column msisdn text check (msisdn ~ '^[1-9][0-9]{6,14}$');
create unique index app_user_msisdn on app_user (msisdn);

-- Outgoing mail. Without an SMTP server it stays waiting: that is the development mailbox.
create table mail (
  mail_id uuid primary key,
  recipient text not null,
  subject text not null,
  -- Emptied once the mail is out or given up: it may bear a code or a link.
  body_text text not null,
  body_html text,
  -- 0 waiting, 1 handed to the SMTP server, 2 given up
  state smallint not null default 0 check (state between 0 and 2),
  tries smallint not null default 0,
  next_try_at timestamptz not null,
  -- Of no use any more after this.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  done_at timestamptz
);
create index mail_due on mail (next_try_at) where state = 0;
create index mail_recipient on mail (recipient, created_at desc);
create index mail_age on mail (created_at);

-- One-time codes: one for each purpose and destination, so that a new one is the end of the old. A row begins as a request
-- that the jobs answer later: whoever asks is told the same in the same time, whether the destination is anybody's or not.
create table one_time_code (
  purpose text not null check (purpose in ('signIn', 'resetPassword')),
  -- an e-mail address in lower case, or the digits of a phone
  destination text not null,
  channel text not null check (channel in ('email', 'sms')),
  -- SHA-256 of the cookie of the browser that asked
  visitor_hash bytea not null check (length(visitor_hash) = 32),
  ip inet,
  locale text not null,
  requested_at timestamptz not null,
  -- Set by the jobs with the hash, which is keyed by the master key. Nobody: a code that opens nothing.
  user_id uuid references app_user on delete cascade,
  code_hash bytea check (length(code_hash) = 32),
  expires_at timestamptz,
  tries smallint not null default 0,
  used_at timestamptz,
  -- After a right code, where a second step follows: SHA-256 of what the second step is sent with.
  grant_hash bytea unique check (length(grant_hash) = 32),
  grant_expires_at timestamptz,
  primary key (purpose, destination)
);
create index one_time_code_waiting on one_time_code (requested_at) where code_hash is null;
create index one_time_code_age on one_time_code (requested_at);

-- The provider's own SMS (codes, notices) on their way to the engine; gone once accepted there.
create table own_sms (
  sms_id uuid primary key,
  msisdn text not null check (msisdn ~ '^[1-9][0-9]{6,14}$'),
  content text not null,
  created_at timestamptz not null
);

revoke all on mail, one_time_code, own_sms from pahatid_tenant;
