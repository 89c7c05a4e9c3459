/** What visitors wrote by the contact form. */

import { uuidV7 } from '../ids.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { useState } from '../literals.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';

export interface NewEnquiry {
  name: string;
  company: string | null;
  email: string;
  phone: string | null;
  message: string;
  locale: string;
  ip: string;
  createdAt: Date;
}

export interface EnquiryRow extends Omit<NewEnquiry, 'ip' | 'locale'> {
  enquiryId: string;
  locale: 'zh-CN' | 'en-US';
}

export const insertEnquiry = async (db: Db, given: NewEnquiry): Promise<string> => {
  const enquiryId = uuidV7();
  const { name, company, email, phone, message, locale, ip, createdAt } = given;
  await run(
    db,
    sql`insert into enquiry (enquiry_id, name, company, email, phone, message, locale, ip, created_at)
        values (${enquiryId}, ${name}, ${company}, ${email}, ${phone}, ${message}, ${locale}, ${ip}::inet, ${createdAt})`,
  );
  return enquiryId;
};

const columns = sql`enquiry_id as "enquiryId", name, company, email, phone, message, locale, created_at as "createdAt"`;

/** Ids grow with time, so the newest come first by id. */
export const listEnquiries = (db: Db, page: PageOrder & { limit: number }): Promise<EnquiryRow[]> => {
  const { past, orderBy } = pageBy([[sql`enquiry_id`, 'uuid']], page);
  return many<EnquiryRow>(
    db,
    sql`select ${columns} from enquiry where ${past} order by ${orderBy} limit ${page.limit}`,
  );
};

export const findEnquiry = (db: Db, enquiryId: string): Promise<EnquiryRow | null> =>
  maybe<EnquiryRow>(db, sql`select ${columns} from enquiry where enquiry_id = ${enquiryId}`);

export const removeEnquiry = async (db: Db, enquiryId: string): Promise<boolean> =>
  (await maybe(db, sql`delete from enquiry where enquiry_id = ${enquiryId} returning enquiry_id`)) !== null;

/** Returns the recipients of an enquiry notice: staff that may read it; a few, oldest accounts first. */
export const listEnquiryReaders = async (db: Db): Promise<{ email: string; locale: string | null }[]> =>
  many(
    db,
    sql`select email, locale from app_user
        where role in ('operator', 'admin') and use_state = ${useState.Enabled} order by created_at, user_id limit 10`,
  );
