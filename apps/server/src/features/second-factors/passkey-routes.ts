/** Passkeys: made, named, removed, and signed in by, with no password at all. */
import type { Passkey } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { countAttempt, uuidV7 } from '@pahatid/db';
import { findSignInUser } from '@pahatid/db/queries/account';
import {
  deletePasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  lockUser,
  type PasskeyRow,
  renamePasskey,
  takePasskey,
} from '@pahatid/db/queries/second-factors';
import { endChallenge, tryChallenge } from '@pahatid/db/queries/sign-in-challenges';
import type { FastifyInstance } from 'fastify';
import { needBrowserCookie, readBrowserCookie } from '../../http/browser-cookies.ts';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { networkKeys } from '../../http/network-keys.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { sendAccountMail } from '../../mail/account/send-account-mail.ts';
import { askedChallenge, beginChallenge } from '../../second-factors/challenges.ts';
import { afterAdding, afterRemoving } from '../../second-factors/enrolment.ts';
import {
  askForNewPasskey,
  askForPasskey,
  makeRelyingParty,
  readAssertion,
  readNewPasskey,
} from '../../second-factors/webauthn.ts';
import { finishOpening } from '../../sign-in/open-session.ts';

const maxPasskeys = 10;
/** A question is a row for five minutes: from one address so many a minute. */
const asking = { what: 'passkeyQuestion', limit: 60, windowMs: 60_000 };

export function registerPasskeys(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const { publicUrl } = deps.config;
  const rp = makeRelyingParty(publicUrl);
  const subject = (passkeyId: string) => ({ subjectType: 'passkey', subjectId: passkeyId });

  serve(app, 'POST /session/passkey/question', async ({ ip, request, reply }) => {
    const now = deps.now();
    const counted = await countAttempt(control, { ...asking, key: networkKeys(ip).address, now });
    if (!counted.allowed) throw tooOften(counted.endsAt, now);
    const visitor = needBrowserCookie('visitor', request, publicUrl);
    const { webauthn, options } = await askForPasskey(rp, []);
    const begun = { purpose: 'passkeySignIn', browserHash: visitor.hash, webauthn } as const;
    const challenge = await beginChallenge(control, now, begun);
    visitor.set(reply);
    return { challenge, options };
  });

  serve(app, 'POST /session/passkey', async ({ body, ip, request, reply, withTransaction }) => {
    const now = deps.now();
    const visitor = readBrowserCookie('visitor', request, publicUrl);
    const asked = askedChallenge('passkeySignIn', body.challenge, visitor, now);
    const step = await tryChallenge(control, asked);
    if (step?.webauthnChallenge == null) throw new ProblemError('SIGN_IN_STEP_ENDED');
    const refused = new ProblemError('PASSKEY_REFUSED');
    const passkey = await findPasskeyByCredential(control, body.assertion.id);
    if (passkey === null) throw refused;
    const question = { webauthn: step.webauthnChallenge, mustKnowHolder: true };
    const signCount = await readAssertion(rp, body.assertion, passkey, question);
    const user = await findSignInUser(control, passkey.userId);
    if (signCount === null || user === null || user.useState === UseState.Disabled) throw refused;
    if (user.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');
    return finishOpening({ deps, ip, request, reply, withTransaction }, user, {
      how: 'passkey',
      alongside: async (tx) => {
        if (!(await endChallenge(tx, asked.hash))) throw new ProblemError('SIGN_IN_STEP_ENDED');
        if (!(await takePasskey(tx, passkey.passkeyId, signCount, now))) throw refused;
      },
    });
  });

  serve(app, 'GET /account/passkeys', async ({ user }) => ({
    items: (await listPasskeys(control, user.userId)).map(present),
    nextCursor: null,
  }));

  serve(app, 'POST /account/passkeys/question', async ({ user, body, withTransaction, audit }) => {
    if (!user.mustEnrol) await reauthenticate(app.api, user, body.currentPassword);
    const known = await listPasskeys(control, user.userId);
    if (known.length >= maxPasskeys) throw new ProblemError('PASSKEY_LIMIT', { limit: maxPasskeys });
    const { webauthn, options } = await askForNewPasskey(rp, user, known);
    const challenge = await withTransaction(async (tx) => {
      await audit(tx, { action: 'passkey.begin', subjectType: 'user', subjectId: user.userId });
      const { userId, sessionHash: browserHash } = user;
      return beginChallenge(tx, deps.now(), { purpose: 'passkeyAdd', browserHash, userId, webauthn });
    });
    return { challenge, options };
  });

  serve(app, 'POST /account/passkeys', async ({ user, body, lang, withTransaction, audit }) => {
    const now = deps.now();
    const asked = askedChallenge('passkeyAdd', body.challenge, user.sessionHash, now);
    const step = await tryChallenge(control, asked);
    if (step?.webauthnChallenge == null || step.userId !== user.userId) throw new ProblemError('SIGN_IN_STEP_ENDED');
    const made = await readNewPasskey(rp, body.attestation, step.webauthnChallenge);
    if (made === null) throw new ProblemError('PASSKEY_REFUSED');
    const row = { ...made, passkeyId: uuidV7(), userId: user.userId, name: body.name, createdAt: now };
    const recoveryCodes = await onConflict({ passkey_credential: 'PASSKEY_KNOWN' }, () =>
      withTransaction(async (tx) => {
        await lockUser(tx, user.userId);
        if (!(await endChallenge(tx, asked.hash))) throw new ProblemError('SIGN_IN_STEP_ENDED');
        if ((await listPasskeys(tx, user.userId)).length >= maxPasskeys)
          throw new ProblemError('PASSKEY_LIMIT', { limit: maxPasskeys });
        await insertPasskey(tx, row);
        await sendAccountMail(tx, user.userId, { what: 'passkeyAdded', name: row.name }, lang);
        await audit(tx, { action: 'passkey.add', ...subject(row.passkeyId), after: { name: row.name } });
        return afterAdding(tx, deps, user.userId);
      }),
    );
    return { passkey: present({ ...row, lastUsedAt: null }), recoveryCodes };
  });

  serve(app, 'PATCH /account/passkeys/:passkeyId', async ({ user, params, body, withTransaction, audit }) => {
    const { passkeyId } = params;
    return withTransaction(async (tx) => {
      const before = await renamePasskey(tx, user.userId, passkeyId, body.name);
      if (before === null) throw new ProblemError('NOT_FOUND');
      const entry = { action: 'passkey.rename', before: { name: before }, after: { name: body.name } };
      await audit(tx, { ...entry, ...subject(passkeyId) });
      const row = (await listPasskeys(tx, user.userId)).find((each) => each.passkeyId === passkeyId);
      if (row === undefined) throw new ProblemError('NOT_FOUND');
      return present(row);
    });
  });

  serve(
    app,
    'POST /account/passkeys/:passkeyId/delete',
    async ({ user, params, body, lang, withTransaction, audit }) => {
      const { passkeyId } = params;
      const own = await listPasskeys(control, user.userId);
      if (!own.some((each) => each.passkeyId === passkeyId)) throw new ProblemError('NOT_FOUND');
      await reauthenticate(app.api, user, body.currentPassword);
      await withTransaction(async (tx) => {
        await lockUser(tx, user.userId);
        const name = await deletePasskey(tx, user.userId, passkeyId);
        if (name === null) throw new ProblemError('NOT_FOUND');
        await afterRemoving(tx, deps, user);
        await sendAccountMail(tx, user.userId, { what: 'passkeyRemoved', name }, lang);
        await audit(tx, { action: 'passkey.remove', ...subject(passkeyId), before: { name } });
      });
      return undefined;
    },
  );
}

const present = (row: PasskeyRow): Passkey => ({
  passkeyId: row.passkeyId,
  name: row.name,
  backedUp: row.backedUp,
  createTime: row.createdAt.toISOString(),
  lastUsedTime: row.lastUsedAt?.toISOString() ?? null,
});
