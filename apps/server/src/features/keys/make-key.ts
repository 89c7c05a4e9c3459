import { randomBytes } from 'node:crypto';
import { type CallResult, keysLimit, ownersScopes, testScopes } from '@pahatid/contract';
import { type Db, uuidV7 } from '@pahatid/db';
import { hasApplication } from '@pahatid/db/queries/applications';
import { insertKey } from '@pahatid/db/queries/keys';
import { ensureTestMode } from '@pahatid/db/queries/test-mode';
import type { Call } from '../../http/call.ts';
import { checkAllowedAddresses } from '../../http/check-addresses.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { hashKey } from '../../http/read-credentials.ts';
import { presentKey } from './present-key.ts';

type Post = 'POST /keys';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 characters of 62 hold 256 bits. */
const randomChars = 43;
/** Of the random characters; the others are still 208 bits. */
const shownChars = 8;

/** 256 random bits in base 62, which a double click selects as a whole, as long for every value. */
function makeSecret(): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let n = 0; n < randomChars; n++) {
    text = (base62[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return text;
}

const makeTestAppId = (): string => `test${randomBytes(5).toString('hex')}`;

/** The text of the key is in the response alone; the database has its hash. */
export async function makeKey(call: Call<Post>, now: Date): Promise<CallResult<Post>> {
  const { body, user, inScope, audit } = call;
  const { customerId } = user;
  if (customerId === null) throw new ProblemError('FORBIDDEN');
  const { keyName, appId, mode, scopes } = body;
  if (mode === 'test' && !scopes.every((scope) => testScopes.includes(scope)))
    throw fieldProblem('scopes', 'NOT_AN_OPTION');
  if (user.role !== 'owner' && scopes.some((scope) => ownersScopes.includes(scope)))
    throw fieldProblem('scopes', 'NOT_AN_OPTION');
  const expireTime = body.expireTime === null ? null : new Date(body.expireTime);
  if (expireTime !== null && expireTime <= now) throw fieldProblem('expireTime', 'TOO_SMALL');
  const whiteListIp = checkAllowedAddresses(body.whiteListIp);
  const beginning = `pk_${mode}_`;
  const apiKey = `${beginning}${makeSecret()}`;
  const assertOwn = async (tx: Db): Promise<void> => {
    if (!(await hasApplication(tx, customerId, appId))) throw new ProblemError('APP_NOT_FOUND', { appId });
  };
  if (mode === 'test') {
    await inScope(assertOwn);
    await call.withTransaction((tx) => ensureTestMode(tx, { customerId, appId, testAppId: makeTestAppId() }));
  }
  return inScope(async (tx) => {
    await assertOwn(tx);
    const row = await insertKey(
      tx,
      {
        keyId: uuidV7(),
        customerId,
        appId,
        keyName,
        mode,
        prefix: apiKey.slice(0, beginning.length + shownChars),
        hash: Buffer.from(hashKey(apiKey), 'hex'),
        scopes,
        whiteListIp,
        createdBy: user.userId,
        createTime: now,
        expireTime,
      },
      keysLimit,
    );
    if (row === null) throw new ProblemError('KEY_LIMIT', { limit: keysLimit });
    const key = presentKey(row);
    await audit(tx, { action: 'create', subjectType: 'key', subjectId: row.keyId, after: key });
    return { ...key, apiKey };
  });
}
