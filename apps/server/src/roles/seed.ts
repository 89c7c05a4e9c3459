import { hasRoomForVisitors, makePool, withTransaction } from '@pahatid/db';
import { toDomain } from '@pahatid/domain';
import { encodeBlock } from '../files/blocks.ts';
import { type Config, ConfigError } from '../process/config.ts';
import { makeSecrets } from '../secrets/secrets.ts';

const notSeparate =
  'PAHATID_DEMO: visitors needs a database of its own: this one has customers, and the demo adds simulated carriers';

/** Seeds the demo unless it exists; returns whether it did. */
export async function seed(
  url: string,
  secret: Uint8Array,
  config: Pick<Config, 'simulatorPort' | 'shortUrl' | 'visitors'>,
): Promise<boolean> {
  // Loaded here alone: its texts and recipients are no business of a process that does not seed.
  const { seedDemo } = await import('@pahatid/db/builders');
  const pool = makePool({ url, applicationName: 'pahatid seed', max: 1, statementTimeoutMs: 0 });
  try {
    if (config.visitors && !(await hasRoomForVisitors(pool))) throw new ConfigError([notSeparate]);
    return await seedDemo(pool, {
      secrets: makeSecrets(secret),
      encodeBlock,
      simulatorPort: config.simulatorPort,
      shortDomain: toDomain(config.shortUrl),
      isPublic: config.visitors,
    });
  } finally {
    await pool.end();
  }
}

/** Makes what every installation begins with, unless it is there. */
export async function seedPlatformData(url: string): Promise<boolean> {
  const { seedPlatform } = await import('@pahatid/db/builders');
  const pool = makePool({ url, applicationName: 'pahatid seed', max: 1, statementTimeoutMs: 0 });
  try {
    return await withTransaction(pool, (tx) => seedPlatform(tx));
  } finally {
    await pool.end();
  }
}
