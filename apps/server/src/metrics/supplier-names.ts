/** Metrics label supplier accounts by the names staff know. The table is reread when an unknown id appears. */
import { listSupplierNames } from '@pahatid/db/queries/metrics';
import type { Pool } from 'pg';

const names = new Map<string, string>();
let missed = false;

/** The account's name, or `unnamed` until the next reading. */
export function supplierName(supplierId: string): string {
  const name = names.get(supplierId);
  if (name === undefined) missed = true;
  return name ?? 'unnamed';
}

async function readSupplierNames(pool: Pool): Promise<void> {
  for (const { supplierId, supplierAccount } of await listSupplierNames(pool)) names.set(supplierId, supplierAccount);
  missed = false;
}

/** Rereads the names if one is missing. If the database does not respond, only the name is missing. */
export async function ensureSupplierNames(pool: Pool): Promise<void> {
  if (missed) await readSupplierNames(pool).catch(() => undefined);
}
