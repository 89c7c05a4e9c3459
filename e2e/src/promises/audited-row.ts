import type { TestDatabase } from '@pahatid/testkit';

export type Pool = TestDatabase['pool'];

/** A row of `message` as the auditor reads it: names of the table. */
export interface AuditedRow {
  message_id: string;
  msisdn: string;
  pkg_total: number;
  send_status: number;
  client_status: number;
  charge_type: string;
  price: number;
  task_id: string | null;
  superseded: boolean;
}
