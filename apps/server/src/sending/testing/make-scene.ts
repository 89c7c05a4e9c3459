import type { TestContext } from 'node:test';
import { type TestDatabase, type TestDatabaseOptions, testDatabase } from '@pahatid/testkit';
import { Scene, type SceneOptions } from './scene.ts';

/** Creates a scene on a separate database, removed after the test. */
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

/** Result of a clean audit: no message waits, is in doubt, was sent twice, or is only recorded as sent. */
export const clean = { waiting: 0, inDoubt: 0, sentTwice: 0, neverSeen: 0 };

export const to = (msisdn: string, pkgTotal = 1, content = `To ${msisdn}`) => ({
  msisdn,
  areaCode: 'PH',
  content,
  pkgTotal,
});
