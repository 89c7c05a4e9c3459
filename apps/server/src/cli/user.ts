import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { Role } from '@pahatid/contract/enums';
import { makePool, maybe, migrate, sql, withTransaction, writeAudit } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { listGuardians } from '@pahatid/db/queries/members';
import { languageFor } from '@pahatid/domain';
import { describeStaffAdded } from '../mail/account/sensitive-acts.ts';
import { sendMail } from '../mail/send-mail.ts';
import { checkFirstPassword } from '../secrets/first-password.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';
import { withDatabase } from './with-database.ts';

const STAFF: readonly Role[] = [Role.Reviewer, Role.Operator, Role.Admin];

/** `user add`: creates the first admin where there is no demo. */
export const userCommand: Command = async ([verb, ...words], env) => {
  if (verb !== 'add') throw new UsageError('user knows one word: add');
  const given = readOptions(words, ['account', 'email', 'role', 'customer', 'name']);
  const role = Object.values(Role).find((each) => each === given.role);
  if (role === undefined) throw new UsageError(`--role is one of ${Object.values(Role).join(', ')}`);
  const account = given.account?.toLowerCase();
  const email = given.email?.toLowerCase();
  if (account === undefined || !/^[a-z0-9][a-z0-9._-]{2,31}$/.test(account)) {
    throw new UsageError('--account is 3 to 32 of a-z 0-9 . _ -');
  }
  if (email === undefined || !/^[^@\s]+@[^@\s]+$/.test(email)) throw new UsageError('--email is no address');
  if (STAFF.includes(role) !== (given.customer === undefined)) {
    throw new UsageError(
      `--customer is for ${Object.values(Role)
        .filter((each) => !STAFF.includes(each))
        .join(', ')}, who need it`,
    );
  }
  const typed = process.stdin.isTTY ? '' : (await text(process.stdin)).trim();
  const password = typed === '' ? randomBytes(12).toString('base64url') : typed;
  // One made here has no words to guess.
  const [problem] = typed === '' ? [] : checkFirstPassword(password, [account, email, given.name ?? '']);
  if (problem !== undefined) throw new UsageError(`the password is refused: ${problem.code}`);

  return withDatabase(env, async ({ url }) => {
    await migrate({ url });
    const pool = makePool({ url, applicationName: 'pahatid user add', max: 1 });
    try {
      await withTransaction(pool, async (tx) => {
        const customer =
          given.customer === undefined
            ? null
            : await maybe<{ id: string }>(
                tx,
                sql`select customer_id as id from customer where customer_name = ${given.customer}`,
              );
        if (given.customer !== undefined && customer === null)
          throw new UsageError(`there is no customer ${given.customer}`);
        const taken = await maybe(tx, sql`select 1 from app_user where account = ${account} or email = ${email}`);
        if (taken !== null) throw new UsageError(`${account} or ${email} is taken`);
        const customerId = customer?.id ?? null;
        // Read before the account is there: the others are notified of it.
        const admins = STAFF.includes(role) ? await listGuardians(tx, null) : [];
        const user = await buildUser(tx, { customerId, account, email, role, password, name: given.name ?? account });
        await writeAudit(tx, {
          customerId,
          userId: null,
          account: 'command line',
          ip: null,
          action: 'userAdd',
          subjectType: 'user',
          subjectId: user.userId,
          before: null,
          after: { account, email, role },
        });
        for (const { email: to, locale } of admins)
          await sendMail(tx, {
            to,
            ...describeStaffAdded({ account, role, host: hostname() }, languageFor(locale, 'en-US')),
          });
      });
    } finally {
      await pool.end();
    }
    console.log(typed === '' ? `Added ${account}; password, shown this once: ${password}` : `Added ${account}.`);
    return 0;
  });
};
