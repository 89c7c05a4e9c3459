import { isTestCustomer } from '@pahatid/domain';
import { type Db, many, sql } from '../sql.ts';
import { findLender, readLent } from './test-mode.ts';

interface Named {
  customerId: string;
  templateId: string | null;
  templateName: string | null;
}

/** Adds the names of templates of test mode: they are the live application's, which the scope of the test customer hides. */
export const nameLentTemplates = async <Row extends Named>(db: Db, rows: Row[]): Promise<Row[]> => {
  const lent = rows.filter(({ templateName, templateId }) => templateName === null && templateId !== null);
  const owner = lent.find(({ customerId }) => isTestCustomer(customerId))?.customerId;
  if (owner === undefined) return rows;
  const { lender } = await findLender(db, owner, null);
  const ids = [...new Set(lent.map(({ templateId }) => templateId))];
  const templates = await readLent(db, lender, () =>
    many<{ id: string; name: string }>(
      db,
      sql`select template_id as id, template_name as name from template
          where customer_id = ${lender.customerId} and template_id = any(${ids}::uuid[])`,
    ),
  );
  const names = new Map(templates.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, templateName: row.templateName ?? names.get(row.templateId ?? '') ?? null }));
};
