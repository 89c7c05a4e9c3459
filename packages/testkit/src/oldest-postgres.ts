/** The oldest PostgreSQL that the product supports: tests what its planner does differently from the embedded one. */
import { DebianPostgres, isDebianPostgresInstalled } from './debian-postgres.ts';

/** Returns the address of a superuser's database in a new cluster, without fsync; null if it is not installed. */
export async function oldestPostgresUrl(): Promise<string | null> {
  if (!isDebianPostgresInstalled()) return null;
  const server = await DebianPostgres.make();
  await server.start({ fsync: 'off', shared_buffers: '128MB' });
  return server.url;
}
