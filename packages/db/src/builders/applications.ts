import { createHash } from 'node:crypto';
import type { ChargeType } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';
import { unique } from './customers.ts';

/** What the builders need of the keeper of the master key. */
export interface SeedSecrets {
  seal(purpose: 'carrier-password' | 'webhook-secret', plaintext: string): string;
  hashSmppPassword(systemId: string, password: string): Buffer;
}

export interface ApplicationSpec {
  customerId: string;
  appId?: string;
  appName?: string;
  remarkInfo?: string;
  chargeType?: ChargeType;
  useState?: 0 | 1;
  whiteListIp?: string[];
  createdAt?: Date;
  /** Its two passwords, if a client will sign in with them. */
  credentials?: { appSecret: string; smppPassword: string; secrets: SeedSecrets };
}

/** Hash under which an HTTP secret is stored. */
export const hashAppSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const secretRow = (spec: { customerId: string; appId: string }, kind: 'http' | 'smpp', secret: string, hash: Buffer) =>
  sql`insert into application_secret (secret_id, customer_id, app_id, kind, secret_hash, hint)
      values (${uuidV7()}, ${spec.customerId}, ${spec.appId}, ${kind}, ${hash}, ${kind === 'http' ? secret.slice(-4) : ''})`;

export const buildApplication = async (db: Db, spec: ApplicationSpec): Promise<string> => {
  const appId = spec.appId ?? `app${uuidV7().slice(-10)}`;
  await run(
    db,
    sql`insert into application (app_id, customer_id, app_name, remark_info, charge_type, use_state, account, white_list_ip, created_at, updated_at)
        values (${appId}, ${spec.customerId}, ${spec.appName ?? unique('Application')}, ${spec.remarkInfo ?? 'Notices'},
                ${spec.chargeType ?? 'SenderPays'}, ${spec.useState ?? 1}, ${appId}, ${spec.whiteListIp ?? []},
                ${spec.createdAt ?? new Date()}, ${spec.createdAt ?? new Date()})`,
  );
  if (spec.credentials) {
    const { appSecret, smppPassword, secrets } = spec.credentials;
    const row = { customerId: spec.customerId, appId };
    await run(db, secretRow(row, 'http', appSecret, hashAppSecret(appSecret)));
    await run(db, secretRow(row, 'smpp', smppPassword, secrets.hashSmppPassword(appId, smppPassword)));
  }
  return appId;
};

/** A live bind of an application's software, to a process elsewhere. */
export const buildSmppBind = async (db: Db, of: { customerId: string; appId: string }): Promise<string> => {
  const [bindId, owner] = [uuidV7(), uuidV7()];
  await run(
    db,
    sql`insert into smpp_process (owner, machine, pid, lease_until) values (${owner}, 'elsewhere', 1, now() + interval '1 hour')`,
  );
  await run(
    db,
    sql`insert into smpp_bind (bind_id, customer_id, app_id, owner, mode, client_ip, client_port, is_tls, bound_at)
        values (${bindId}, ${of.customerId}, ${of.appId}, ${owner}, 'transceiver', '192.0.2.7', 40123, false, now())`,
  );
  return bindId;
};
