/** What the software of the demo customer sends with. */
import { smsType } from '../literals.ts';
import { type Db, many, sql } from '../sql.ts';
import { visitorAccount } from './setup.ts';

export interface DemoSender {
  customerId: string;
  appId: string;
  templateId: string;
}

/** One for each application of the demo customer with a template for codes, by application; empty: there is no demo. */
export const listDemoSenders = (db: Db): Promise<DemoSender[]> =>
  many<DemoSender>(
    db,
    sql`select distinct on (t.app_id) t.customer_id as "customerId", t.app_id as "appId", t.template_id as "templateId"
        from app_user u join template t using (customer_id)
          join template_version v on v.template_id = t.template_id and v.version = t.serving_version
        where u.account = any(${['demo', visitorAccount]}::text[]) and t.deleted_at is null
          and v.sms_type = ${smsType.Verification} and v.content like '{1}%'
        order by t.app_id, t.created_at, t.template_id`,
  );
