import { findCustomer, inScope as inScopeOf, uuidV7 } from '@pahatid/db';
import { findErasure, listErasures, takeErasure } from '@pahatid/db/queries/erasures';
import { countNumber } from '@pahatid/db/queries/numbers';
import { findRetention, setRetention } from '@pahatid/db/queries/retention';
import { maskMsisdn, parseMsisdn } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { SignedInUser } from '../../http/call.ts';
import { csvAnswer } from '../../http/csv.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { countLookUp } from '../../http/phone-search.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { readBackupFolder } from '../../process/backup-folder.ts';
import { listErasure } from '../../process/erasure-list.ts';
import { eraseNumber } from './erase-number.ts';
import { exportNumber } from './export-number.ts';
import { findFileMentions, type Read } from './file-mentions.ts';
import { heldColumns, heldLines, presentErasure, presentPrivacy } from './present-privacy.ts';
import { readReport, reportColumns } from './report.ts';

const erasuresShown = 20;

export function registerPrivacy(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;

  /** The customer concerned: an owner's own, or any for an admin. For others it does not exist. */
  const mustFind = async (user: SignedInUser, customerId: string) => {
    if (user.customerId !== null && user.customerId !== customerId) throw new ProblemError('NOT_FOUND');
    const customer = await findCustomer(control, customerId);
    if (customer === null) throw new ProblemError('NOT_FOUND');
    return { customerId, customerName: customer.customerName };
  };
  /** An admin also reads in the customer's scope: no other customer's data can be included. */
  const readOf =
    (customerId: string): Read =>
    (work) =>
      inScopeOf(control, { customerId }, work);
  const readPrivacy = async (tx: PoolClient, customer: { customerId: string; customerName: string }) =>
    presentPrivacy(
      customer,
      await findRetention(tx, customer.customerId),
      await listErasures(tx, customer.customerId, erasuresShown),
    );

  serve(app, 'GET /privacy/:customerId', async ({ params, user, inScope }) => {
    const customer = await mustFind(user, params.customerId);
    return inScope((tx) => readPrivacy(tx, customer));
  });

  serve(app, 'PUT /privacy/:customerId', async ({ params, body, user, inScope, audit }) => {
    const customer = await mustFind(user, params.customerId);
    return inScope(async (tx) => {
      const before = await readPrivacy(tx, customer);
      await setRetention(tx, customer.customerId, body, deps.now());
      const { recordDays, uploadDays } = before;
      await audit(tx, {
        action: 'setRetention',
        subjectType: 'privacy',
        subjectId: customer.customerId,
        customerId: customer.customerId,
        before: { recordDays, uploadDays },
        after: body,
      });
      return { ...before, ...body };
    });
  });

  serve(app, 'POST /privacy/:customerId/find', async ({ params, body, user, inScope, audit }) => {
    const { customerId } = await mustFind(user, params.customerId);
    const msisdn = readNumber(body.mobileNumber);
    await countLookUp(deps, user, msisdn);
    let fileCount = 0;
    for await (const _ of findFileMentions(readOf(customerId), customerId, msisdn)) fileCount += 1;
    return inScope(async (tx) => {
      const counts = { ...(await countNumber(tx, customerId, msisdn)), fileCount };
      await audit(tx, { ...aboutNumber('find', customerId, msisdn), after: counts });
      return { ...counts, mobileNumber: msisdn };
    });
  });

  serve(app, 'POST /privacy/:customerId/export', async ({ params, body, user, inScope, audit, wantsCsv }) => {
    const { customerId } = await mustFind(user, params.customerId);
    const msisdn = readNumber(body.mobileNumber);
    await countLookUp(deps, user, msisdn);
    const held = await exportNumber(readOf(customerId), { customerId, msisdn, now: deps.now() });
    await inScope((tx) => audit(tx, { ...aboutNumber('export', customerId, msisdn), after: held.counts }));
    if (wantsCsv)
      return csvAnswer({ fileName: 'number', columns: heldColumns, rows: eachOf(heldLines(held)), isOnRecord: true });
    return held;
  });

  serve(app, 'POST /privacy/:customerId/report', async ({ params, body, user, inScope, audit }) => {
    const { customerId } = await mustFind(user, params.customerId);
    const { from, to } = body;
    if (from >= to) throw fieldProblem('to', 'RANGE_BACKWARDS');
    await reauthenticate(app.api, user, body.currentPassword);
    const subject = { subjectType: 'privacy', subjectId: customerId, customerId };
    await inScope((tx) => audit(tx, { action: 'export', ...subject, after: { from, to } }));
    const rows = readReport(readOf(customerId), { customerId, from, to });
    return csvAnswer({ fileName: 'privacy-report', columns: reportColumns, rows, isOnRecord: true });
  });

  serve(app, 'POST /privacy/:customerId/erase', async ({ params, body, user, inScope, audit }) => {
    const { customerId } = await mustFind(user, params.customerId);
    const msisdn = readNumber(body.mobileNumber);
    await reauthenticate(app.api, user, body.currentPassword);
    const hash = deps.secrets.hashNumber(customerId, msisdn);
    const { erasureId } = await inScope(async (tx) => {
      const taken = await takeErasure(tx, {
        erasureId: uuidV7(),
        customerId,
        shownNumber: maskMsisdn(msisdn),
        hash,
        sealed: deps.secrets.seal('erased-number', msisdn),
        askedBy: user.userId,
        at: deps.now(),
      });
      // Written to its folder before the request is accepted: a restore repeats it.
      const folder = deps.config.erasureFolder ?? readBackupFolder(deps.config.dataDir);
      const request = { customerId, msisdn, askedBy: user.userId, at: deps.now().toISOString() };
      if (folder !== null) await listErasure(folder, deps.secrets, request);
      await audit(tx, {
        ...aboutNumber('erase', customerId, msisdn),
        after: { erasureId: taken.erasureId, asked: taken.isNew ? 'first' : 'again' },
      });
      return taken;
    });
    await eraseNumber(control, { erasureId, customerId, msisdn, hash, now: deps.now() });
    return presentErasure(await inScope((tx) => findErasure(tx, erasureId)));
  });
}

/** Audit log entry of an action on a number: never contains the number. */
const aboutNumber = (action: string, customerId: string, msisdn: string) => ({
  action,
  subjectType: 'number',
  subjectId: maskMsisdn(msisdn),
  customerId,
});

function readNumber(typed: string): string {
  const number = parseMsisdn(typed);
  if (!number.ok) throw new ProblemError('MOBILE_NUMBER_INVALID', { reason: number.reason });
  return number.msisdn;
}

async function* eachOf<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}
