/** Erasures are listed in the folder that a setting names, before they are accepted. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { defaultPassword } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { readErasures } from '../../process/erasure-list.ts';
import { registerPrivacy } from './routes.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-erasures-'));
after(() => rmSync(folder, { recursive: true }));
const api = await makeTestApi({ features: [registerPrivacy], config: { erasureFolder: folder } });

const erase = (mobileNumber: string) =>
  api.ask('owner', `POST /privacy/${api.customerId}/erase`, {
    body: { mobileNumber, currentPassword: defaultPassword },
  });

test('S58 an erasure is in the folder, sealed; when that can not be written it is refused, and nothing is erased', async () => {
  assert.equal((await erase('639170000001')).status, 200);
  const { erasures } = readErasures(folder, api.deps.secrets);
  assert.deepEqual(
    erasures.map(({ customerId, msisdn, askedBy }) => [customerId, msisdn, askedBy]),
    [[api.customerId, '639170000001', api.users.owner.userId]],
  );
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  assert.ok((await erase('639170000002')).status >= 500);
  assert.equal((await api.db.pool.query('select from erasure')).rowCount, 1);
});
