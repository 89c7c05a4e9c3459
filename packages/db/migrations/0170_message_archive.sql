-- Old messages in compressed blocks: of one customer and one day of UTC, their columns as arrays that PostgreSQL
-- compresses. A block is read by `archived_messages`, so that the same conditions apply to it as to rows (decision 144).
-- Data table: customer_id first in every key; no foreign key, trigger, sequence or volatile default.
set local citus.multi_shard_modify_mode = 'sequential';

create table message_archive (
  customer_id uuid not null,
  -- Of its messages. No two blocks of a customer overlap.
  first_id bigint not null,
  last_id bigint not null,
  row_count integer not null,
  -- distinct combinations of all columns that have no array, as json by column name; absent: null
  kinds jsonb compression pglz not null,
  -- Bloom filter of the numbers, by their first 12 and their first 9 digits
  numbers bytea not null,
  -- by row, in the order of ids: distance from first_id, place in kinds from 1, number (0: erased), text
  offsets bigint[] compression pglz not null,
  kind smallint[] compression pglz not null,
  msisdns bigint[] compression pglz not null,
  contents text[] compression pglz not null,
  -- Microseconds from acceptance to submission, from then to the response, and from then to the receipt; without the
  -- instant before, from the one before that.
  submitted bigint[] compression pglz not null,
  answered bigint[] compression pglz not null,
  reported bigint[] compression pglz not null,
  -- null: no message of the block repeats one
  retries bigint[] compression pglz,
  primary key (customer_id, first_id)
);
-- One page of the filter is read for a bit of it, and not all.
alter table message_archive alter column numbers set storage external;
-- No statement compares these columns, and statistics of long arrays are expensive to make.
alter table message_archive alter column kinds set statistics 0, alter column numbers set statistics 0,
  alter column offsets set statistics 0, alter column kind set statistics 0, alter column msisdns set statistics 0,
  alter column contents set statistics 0, alter column submitted set statistics 0, alter column answered set statistics 0,
  alter column reported set statistics 0, alter column retries set statistics 0;
create index message_archive_last on message_archive (last_id);

alter table message_archive enable row level security;
create policy message_archive_tenant on message_archive to pahatid_tenant
  using (customer_id = (select current_customer())) with check (customer_id = (select current_customer()));
revoke insert, update, delete on message_archive from pahatid_tenant;

-- Kinds of a block as messages of which the columns with an array are null.
create function archived_kinds(kinds jsonb) returns setof message language sql stable parallel safe rows 30 as $$
  select * from jsonb_populate_recordset(null::message, kinds)
$$;

-- Messages of a block, by its columns: the whole row as one argument would be read before any condition on it.
create function archived_messages(customer_id uuid, first_id bigint, kinds jsonb, offsets bigint[], kind smallint[],
    msisdns bigint[], contents text[], submitted bigint[], answered bigint[], reported bigint[], retries bigint[])
  returns setof message language sql stable parallel safe rows 2000 as $$
  -- materialized: each kind is read once for a block, not once for each of its messages
  with k as materialized (
    select e.n, k.* from jsonb_array_elements($3) with ordinality e(v, n)
    cross join lateral jsonb_populate_record(null::message, e.v) k)
  select $1, i.message_id, k.task_id, k.app_id, k.sms_type, case r.msisdn when 0 then '' else r.msisdn::text end,
    k.area_code, k.range_holder, k.carrier, k.client_sid, r.content, k.pkg_total, k.charge_type, k.price, k.route_id,
    k.supplier_id, r.retry_of, k.superseded, k.send_status, k.client_status, k.deal_result, k.carrier_code,
    i.at + r.submitted * interval '1 microsecond',
    i.at + (coalesce(r.submitted, 0) + r.answered) * interval '1 microsecond',
    i.at + (coalesce(r.submitted, 0) + coalesce(r.answered, 0) + r.reported) * interval '1 microsecond',
    k.parts_delivered, k.template_id, k.smpp
  from unnest($4, $5, $6, $7, $8, $9, $10, $11) as r(id, kind, msisdn, content, submitted, answered, reported, retry_of)
  join k on k.n = r.kind
  cross join lateral (
    select $2 + r.id as message_id,
      timestamptz '2025-01-01 00:00:00+00' + (($2 + r.id) >> 18) * interval '1 millisecond' as at) i
$$;

-- Two hashes of a text, of which the places of its bits in a filter are made.
create function archive_hashes(key text, out h1 bigint, out h2 bigint) language sql immutable parallel safe as $$
  select ('x' || left(h, 8))::bit(32)::bigint & 4294967295, ('x' || substr(h, 9, 8))::bit(32)::bigint & 4294967295
  from (select encode(sha256(convert_to(key, 'UTF8')), 'hex') as h) s
$$;

create function archive_bit(filter bytea, place bigint) returns boolean language sql immutable parallel safe as $$
  select get_byte(substring(filter from (place % (8 * octet_length(filter)) / 8)::int + 1 for 1), 0)
    >> (place % 8)::int & 1 = 1
$$;

-- False: the text was not among those that the filter was made of. 7 bits of a text: 0.3 % of others seem to be.
create function archive_may_hold(filter bytea, h1 bigint, h2 bigint) returns boolean
  language sql immutable parallel safe as $$
  select archive_bit(filter, h1) and archive_bit(filter, h1 + h2) and archive_bit(filter, h1 + 2 * h2)
    and archive_bit(filter, h1 + 3 * h2) and archive_bit(filter, h1 + 4 * h2) and archive_bit(filter, h1 + 5 * h2)
    and archive_bit(filter, h1 + 6 * h2)
$$;

-- The filter of some numbers (0: erased), 12 bits for each text.
create function archive_filter(msisdns bigint[]) returns bytea language sql immutable parallel safe as $$
  with k as materialized (
    select distinct h.h1, h.h2 from unnest(msisdns) n
    cross join unnest(array[left(n::text, 12), left(n::text, 9)]) as t(key) cross join lateral archive_hashes(t.key) h
    where n <> 0),
  size as materialized (select greatest(8, ceil(count(*) * 12 / 8.0))::int as bytes from k),
  bits as (
    select (p.place / 8)::int as n, bit_or(1 << (p.place % 8)::int) as v
    from k cross join generate_series(0, 6) i cross join size
    cross join lateral (select (k.h1 + i * k.h2) % (8 * size.bytes) as place) p group by 1)
  select string_agg(set_byte('\x00', 0, coalesce(bits.v, 0)), ''::bytea order by n.n)
  from size cross join lateral generate_series(0, size.bytes - 1) as n(n) left join bits on bits.n = n.n
$$;
