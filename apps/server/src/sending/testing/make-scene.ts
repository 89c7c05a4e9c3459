import type { TestContext } from 'node:test';
import { type TestDatabase, type TestDatabaseOptions, testDatabase } from '@pahatid/testkit';
import { Scene, type SceneOptions } from './scene.ts';

/** A scene on a database of its own, cleared away after the test. */
export const makeScene = async (
  t: TestContext,
  options: Omit<SceneOptions, 'pool'> = {},
  database: TestDatabaseOptions = {},
): Promise<Scene & { database: TestDatabase }> => {
  let scene: Scene | null = null;
  // Registered before the database's own clearing, and so before it runs.
  t.after(() => scene?.close());
  const made = await testDatabase(database);
  scene = await Scene.build({ ...options, pool: made.pool });
  return Object.assign(scene, { database: made });
};

/** Of an audit: nothing waits, nothing is in doubt, nothing was sent twice or only said to be sent. */
export const clean = { waiting: 0, inDoubt: 0, sentTwice: 0, neverSeen: 0 };

export const to = (msisdn: string, pkgTotal = 1, content = `To ${msisdn}`) => ({
  msisdn,
  areaCode: 'PH',
  content,
  pkgTotal,
});
