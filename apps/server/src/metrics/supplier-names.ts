/** Metrics name supplier accounts as staff know them. The table is read again when an id comes that nobody named yet. */
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

export async function readSupplierNames(pool: Pool): Promise<void> {
  for (const { supplierId, supplierAccount } of await listSupplierNames(pool)) names.set(supplierId, supplierAccount);
  missed = false;
}

/** Reads the names again if one was missing. A database that does not answer costs a name, no more. */
export async function ensureSupplierNames(pool: Pool): Promise<void> {
  if (missed) await readSupplierNames(pool).catch(() => undefined);
}
