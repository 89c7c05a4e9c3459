/** Rules that answer phones by keyword, in their order. */
import type { KeywordMatcher } from '@pahatid/domain';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';

export interface KeywordRuleRow extends KeywordMatcher {
  ruleId: string;
  appId: string;
  templateId: string;
  useState: 0 | 1;
}

export interface ShownKeywordRule extends KeywordRuleRow {
  templateName: string | null;
}

const columns = sql`r.rule_id as "ruleId", r.app_id as "appId", r.template_id as "templateId", r.keywords,
  case when r.from_hour is null then null else jsonb_build_object('from', r.from_hour, 'to', r.to_hour) end as hours,
  r.use_state as "useState"`;

/** How many there may be, and their order, is decided one at a time. */
export const lockKeywordRules = (tx: Db, customerId: string): Promise<number> =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`keyword rule ${customerId}`}, 0))`);

const listWhere = (db: Db, condition: Fragment<unknown>): Promise<ShownKeywordRule[]> =>
  many(
    db,
    sql<ShownKeywordRule>`select ${columns}, t.template_name as "templateName"
      from keyword_rule r left join template t on t.template_id = r.template_id and t.deleted_at is null
      where ${condition} order by r.app_id, r.place, r.rule_id`,
  );

export const listKeywordRules = (db: Db, customerId: string, appId: string | undefined): Promise<ShownKeywordRule[]> =>
  listWhere(db, sql`r.customer_id = ${customerId} and (${appId ?? null}::text is null or r.app_id = ${appId ?? null})`);

export const findKeywordRule = async (db: Db, customerId: string, ruleId: string): Promise<ShownKeywordRule | null> =>
  (await listWhere(db, sql`r.customer_id = ${customerId} and r.rule_id = ${ruleId}`))[0] ?? null;

/** Those that answer now, for what stores replies. */
export const listActiveKeywordRules = (db: Db, customerId: string, appId: string): Promise<KeywordRuleRow[]> =>
  many(
    db,
    sql<KeywordRuleRow>`select ${columns} from keyword_rule r
      where r.customer_id = ${customerId} and r.app_id = ${appId} and r.use_state = 1 order by r.place, r.rule_id`,
  );

/** At the end of its application. */
export const addKeywordRule = (tx: Db, customerId: string, row: KeywordRuleRow): Promise<number> =>
  run(
    tx,
    sql`insert into keyword_rule (customer_id, rule_id, app_id, place, keywords, template_id, from_hour, to_hour, use_state)
        select ${customerId}, ${row.ruleId}, ${row.appId}, coalesce(max(place), 0) + 1, ${[...row.keywords]}::text[],
          ${row.templateId}::uuid, ${row.hours?.from ?? null}::smallint, ${row.hours?.to ?? null}::smallint, ${row.useState}::smallint
        from keyword_rule where customer_id = ${customerId} and app_id = ${row.appId}`,
  );

export const changeKeywordRule = (tx: Db, customerId: string, row: KeywordRuleRow): Promise<number> =>
  run(
    tx,
    sql`update keyword_rule set keywords = ${[...row.keywords]}::text[], template_id = ${row.templateId},
          from_hour = ${row.hours?.from ?? null}, to_hour = ${row.hours?.to ?? null}, use_state = ${row.useState}
        where customer_id = ${customerId} and rule_id = ${row.ruleId}`,
  );

/** Places of an application's rules, in the order of the ids. */
export const orderKeywordRules = (tx: Db, customerId: string, ruleIds: readonly string[]): Promise<number> =>
  run(
    tx,
    sql`update keyword_rule r set place = o.place
        from unnest(${[...ruleIds]}::uuid[]) with ordinality as o(rule_id, place)
        where r.customer_id = ${customerId} and r.rule_id = o.rule_id`,
  );

export const deleteKeywordRule = (tx: Db, customerId: string, ruleId: string): Promise<number> =>
  run(tx, sql`delete from keyword_rule where customer_id = ${customerId} and rule_id = ${ruleId}`);

export const hasApplication = async (db: Db, customerId: string, appId: string): Promise<boolean> =>
  (await maybe(db, sql`select 1 from application where customer_id = ${customerId} and app_id = ${appId}`)) !== null;
