-- Counts what was blocked so far. By itself: the column's lock must not last as long as this takes.
set local citus.multi_shard_modify_mode = 'sequential';

update report_minute r set req_blocked = c.blocked
from (
  select customer_id, to_timestamp(((message_id >> 18) + 1735689600000) / 60000 * 60) as minute, app_id, area_code,
    coalesce(carrier, '') as carrier, client_sid, sms_type, route_id, count(*)::int as blocked
  from message where send_status = 2 and client_status = 7
  group by 1, 2, 3, 4, 5, 6, 7, 8) c
where (r.customer_id, r.minute, r.app_id, r.area_code, r.carrier, r.client_sid, r.sms_type, r.route_id)
    = (c.customer_id, c.minute, c.app_id, c.area_code, c.carrier, c.client_sid, c.sms_type, c.route_id)
  and not exists (
    select from report_minute o
    where (o.customer_id, o.minute, o.app_id, o.area_code, o.carrier, o.client_sid, o.sms_type, o.route_id)
        = (r.customer_id, r.minute, r.app_id, r.area_code, r.carrier, r.client_sid, r.sms_type, r.route_id)
      and o.writer < r.writer);
