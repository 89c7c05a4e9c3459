import { hash } from '@node-rs/argon2';
import type { ReviewPolicy, Role } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Returns a name that differs between rows of one test. */
export const unique = (word: string): string => `${word} ${uuidV7().slice(-8)}`;

export interface CustomerSpec {
  customerName?: string;
  reviewPolicy?: ReviewPolicy;
  reviewAbove?: number;
  internal?: boolean;
  exemptSmsTypes?: number[];
  quietHoursExempt?: boolean;
  /** Now unless given. */
  createdAt?: Date;
  /** Money of the first ledger entry, 1/10,000 PHP; none when 0. */
  balance?: number;
}

/** Creates a customer with its balance topped up; returns its ID. */
export const buildCustomer = async (db: Db, spec: CustomerSpec = {}): Promise<string> => {
  const customerId = uuidV7();
  await run(
    db,
    sql`insert into customer (customer_id, customer_name, review_policy, review_above, internal, exempt_sms_types, quiet_hours_exempt, created_at)
        values (${customerId}, ${spec.customerName ?? unique('Customer')}, ${spec.reviewPolicy ?? 'never'},
                ${spec.reviewAbove ?? null}, ${spec.internal ?? false}, ${spec.exemptSmsTypes ?? []}, ${spec.quietHoursExempt ?? false}, ${spec.createdAt ?? new Date()})`,
  );
  const balance = spec.balance ?? 1_000_000_000;
  if (balance > 0) await buildTopUp(db, { customerId, amount: balance });
  return customerId;
};

/** Money paid in: a ledger entry and the balance that is its sum. Writer 255 is the console's. */
export const buildTopUp = async (
  db: Db,
  spec: { customerId: string; amount: number; at?: Date; note?: string },
): Promise<void> => {
  await run(
    db,
    sql`insert into ledger (customer_id, entry_id, at, kind, amount, note)
        values (${spec.customerId}, ${uuidV7()}, ${spec.at ?? new Date()}, 'topUp', ${spec.amount}, ${spec.note ?? null})`,
  );
  await run(
    db,
    sql`insert into balance (customer_id, writer, amount) values (${spec.customerId}, 255, ${spec.amount})
        on conflict (customer_id, writer) do update set amount = balance.amount + excluded.amount`,
  );
};

export interface UserSpec {
  customerId?: string | null;
  account?: string;
  email?: string;
  name?: string;
  role?: Role;
  password?: string;
  /** Destination of codes sent by SMS. */
  msisdn?: string;
}

/** Passwords are hashed once a process: argon2 is slow on purpose. */
const hashes = new Map<string, Promise<string>>();
const hashOnce = (password: string): Promise<string> => {
  let found = hashes.get(password);
  if (found === undefined) {
    found = hash(password, argon2Options);
    hashes.set(password, found);
  }
  return found;
};

/** Password of every user that a test builds without specifying one. */
export const defaultPassword = 'Demo@1234';

export const buildUser = async (db: Db, spec: UserSpec = {}): Promise<{ userId: string; account: string }> => {
  const userId = uuidV7();
  const account = spec.account ?? `user-${userId.slice(-12)}`;
  await run(
    db,
    sql`insert into app_user (user_id, customer_id, account, email, name, role, password_hash, msisdn)
        values (${userId}, ${spec.customerId ?? null}, ${account}, ${spec.email ?? `${account}@pahatid.test`},
                ${spec.name ?? account}, ${spec.role ?? (spec.customerId ? 'owner' : 'admin')},
                ${await hashOnce(spec.password ?? defaultPassword)}, ${spec.msisdn ?? null})`,
  );
  return { userId, account };
};
