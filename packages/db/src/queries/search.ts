/**
 * Finds a few rows of each kind by part of a name or a whole ID, best first: names with this prefix before others, then
 * the newest.
 */

import type { AuditStatus, LinkState, TaskStatus, UseState } from '@pahatid/contract';
import { useState } from '../literals.ts';
import { type Db, type Fragment, many, sql } from '../sql.ts';
import { ofCustomer } from './real-customers.ts';

export interface SearchFilter {
  /** null looks across customers: staff. */
  customerId: string | null;
  text: string;
  /** The text, if it has the format of an ID. */
  id: string | null;
  limit: number;
}

interface FoundRow {
  id: string;
  title: string;
  operator: string;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
const contains = (column: Fragment<unknown>, text: string): Fragment<unknown> =>
  sql`${column} ilike ${`%${escapeLike(text)}%`}`;
const beginsFirst = (column: Fragment<unknown>, text: string): Fragment<unknown> =>
  sql`(${column} ilike ${`${escapeLike(text)}%`}) desc`;
const hasId = (column: Fragment<unknown>, id: string | null): Fragment<unknown> =>
  id === null ? sql`false` : sql`${column} = ${id}::uuid`;

export const searchTasks = (db: Db, { customerId, text, id, limit }: SearchFilter) =>
  many<FoundRow & { taskStatus: TaskStatus }>(
    db,
    sql`select t.task_id as id, t.task_name as title, t.task_status as "taskStatus", c.customer_name as operator
        from task t join customer c on c.customer_id = t.customer_id
        where ${ofCustomer(sql`t.customer_id`, customerId)}
          and (${contains(sql`t.task_name`, text)} or ${hasId(sql`t.task_id`, id)})
        order by ${beginsFirst(sql`t.task_name`, text)}, t.created_at desc, t.task_id limit ${limit}`,
  );

export const searchTemplates = (db: Db, { customerId, text, id, limit }: SearchFilter) =>
  many<FoundRow & { auditStatus: AuditStatus }>(
    db,
    sql`select t.template_id as id, t.template_name as title, v.audit_status as "auditStatus", c.customer_name as operator
        from template t
        join template_version v on v.template_id = t.template_id and v.version = t.newest_version
        join customer c on c.customer_id = t.customer_id
        where t.deleted_at is null and ${ofCustomer(sql`t.customer_id`, customerId)}
          and (${contains(sql`t.template_name`, text)} or ${hasId(sql`t.template_id`, id)})
        order by ${beginsFirst(sql`t.template_name`, text)}, t.updated_at desc, t.template_id limit ${limit}`,
  );

export const searchApplications = (db: Db, { customerId, text, limit }: SearchFilter) =>
  many<FoundRow & { useState: UseState }>(
    db,
    sql`select a.app_id as id, a.app_name as title, a.use_state as "useState", c.customer_name as operator
        from application a join customer c on c.customer_id = a.customer_id
        where ${ofCustomer(sql`a.customer_id`, customerId)}
          and (${contains(sql`a.app_name`, text)} or ${contains(sql`a.app_id`, text)})
        order by ${beginsFirst(sql`a.app_name`, text)}, a.created_at desc, a.app_id limit ${limit}`,
  );

export const searchSenders = (db: Db, { customerId, text, limit }: SearchFilter) =>
  many<FoundRow & { auditStatus: AuditStatus }>(
    db,
    sql`select s.id, s.sender_id as title, s.audit_status as "auditStatus", c.customer_name as operator
        from sender s join customer c on c.customer_id = s.customer_id
        where ${ofCustomer(sql`s.customer_id`, customerId)} and ${contains(sql`s.sender_id`, text)}
        order by ${beginsFirst(sql`s.sender_id`, text)}, s.operated_at desc, s.id limit ${limit}`,
  );

export const searchGroups = (db: Db, { customerId, text, id, limit }: SearchFilter) =>
  many<FoundRow>(
    db,
    sql`select g.group_id as id, g.group_name as title, c.customer_name as operator
        from message_group g join customer c on c.customer_id = g.customer_id
        where g.deleted_at is null and ${ofCustomer(sql`g.customer_id`, customerId)}
          and (${contains(sql`g.group_name`, text)} or ${hasId(sql`g.group_id`, id)})
        order by ${beginsFirst(sql`g.group_name`, text)}, g.created_at desc, g.group_id limit ${limit}`,
  );

/** By name, by code, or by a full address contained in a text; codes are case-sensitive. */
export const searchShortLinks = (db: Db, { customerId, text, id, limit }: SearchFilter, now: Date) =>
  many<FoundRow & { linkState: LinkState }>(
    db,
    sql`select l.link_id as id, l.link_name as title, c.customer_name as operator,
          case when l.use_state = ${useState.Disabled} then 'disabled' when l.expires_at <= ${now} then 'expired'
            else 'active' end as "linkState"
        from short_link l join customer c on c.customer_id = l.customer_id
        where l.deleted_at is null and ${ofCustomer(sql`l.customer_id`, customerId)}
          and (${contains(sql`l.link_name`, text)} or l.code = ${/(?:^|\/s\/)([\w-]+)$/.exec(text)?.[1] ?? text}
            or ${hasId(sql`l.link_id`, id)})
        order by ${beginsFirst(sql`l.link_name`, text)}, l.created_at desc, l.link_id limit ${limit}`,
  );

export const searchCustomers = (db: Db, { text, id, limit }: SearchFilter) =>
  many<Omit<FoundRow, 'operator'> & { useState: UseState }>(
    db,
    sql`select c.customer_id as id, c.customer_name as title, c.use_state as "useState" from customer c
        where not c.internal and (${contains(sql`c.customer_name`, text)} or ${hasId(sql`c.customer_id`, id)})
        order by ${beginsFirst(sql`c.customer_name`, text)}, c.customer_name limit ${limit}`,
  );

/** By the beginning of their text. */
export const searchKeys = (db: Db, { customerId, limit }: SearchFilter, beginning: string) =>
  many<FoundRow & { prefix: string; customerId: string; useState: UseState }>(
    db,
    sql`select k.key_id as id, k.key_name as title, k.prefix, k.customer_id as "customerId", a.use_state as "useState",
          c.customer_name as operator
        from api_key k join application a on a.app_id = k.app_id join customer c on c.customer_id = k.customer_id
        where k.ended_at is null and ${ofCustomer(sql`k.customer_id`, customerId)}
          and k.prefix like ${`${escapeLike(beginning)}%`}
        order by k.key_id desc limit ${limit}`,
  );
