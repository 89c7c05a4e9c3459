/**
 * Databases of tests on all nodes of a server: of plain PostgreSQL it is the only one; of Citus, which does not make databases
 * on its other nodes, the nodes that the database of PAHATID_TEST_URL knows. A database is cloned on each of them, and the
 * clones find each other by their name.
 */
import pg from 'pg';

/** Of a test's tables: enough that customers are on different shards of different nodes. */
const SHARDS = 4;

const known = new Map<string, Promise<string[]>>();

/** Addresses of all nodes, the given one first. */
export const listNodes = (server: string): Promise<string[]> => {
  const found = known.get(server) ?? askNodes(server);
  known.set(server, found);
  return found;
};

const askNodes = (server: string): Promise<string[]> =>
  withAdmin(server, async (admin) => {
    if (!(await hasCitus(admin))) return [server];
    const { rows } = await admin.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and isactive order by groupid',
    );
    return [server, ...rows.map(({ host, port }) => Object.assign(new URL(server), { hostname: host, port }).href)];
  });

const hasCitus = async (client: pg.Client): Promise<boolean> =>
  (await client.query("select from pg_extension where extname = 'citus'")).rowCount !== 0;

/** Whether tests run on Citus. */
export const isOnCitus = async (server: string): Promise<boolean> => withAdmin(server, hasCitus);

/** Runs on each node in its database for administration. */
export const onAllNodes = async (server: string, work: (admin: pg.Client) => Promise<void>): Promise<void> => {
  for (const node of await listNodes(server)) await withAdmin(node, work);
};

export async function withAdmin<T>(server: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server, application_name: 'pahatid testkit' });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

export const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href;

/** Makes an empty database. */
export const createDatabase = async (server: string, name: string): Promise<void> => {
  await onAllNodes(server, async (admin) => {
    await admin.query(`create database ${name} template template0`);
  });
  const nodes = await listNodes(server);
  if (!(await isOnCitus(server))) return;
  for (const node of nodes)
    await withAdmin(urlOf(node, name), async (client) => {
      await client.query('create extension citus');
    });
  await withAdmin(urlOf(server, name), async (client) => {
    await client.query(`alter database ${name} set pahatid.shard_count = ${SHARDS}`);
    const { hostname, port } = new URL(server);
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
    for (const node of nodes.slice(1).map((each) => new URL(each)))
      await client.query('select citus_add_node($1, $2)', [node.hostname, Number(node.port)]);
  });
};

/** Closes it to connections, so that it can be cloned. */
export const closeTemplate = (server: string, name: string): Promise<void> =>
  onAllNodes(server, async (admin) => {
    await admin.query(`alter database ${name} is_template true allow_connections false`);
    // Citus' own process, and its connections between nodes.
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  });

export const cloneDatabase = async (server: string, name: string, template: string): Promise<void> => {
  const nodes = await listNodes(server);
  const settings = nodes.length === 1 ? '' : `alter database ${name} set pahatid.shard_count = ${SHARDS}`;
  const clone = (node: string) =>
    withAdmin(node, async (admin) => {
      await admin.query(`create database ${name} template ${template} strategy file_copy`);
      if (settings !== '') await admin.query(settings);
    });
  await Promise.all(nodes.map(clone));
};

export const dropDatabase = (server: string, name: string): Promise<void> =>
  onAllNodes(server, async (admin) => {
    await admin.query(`drop database if exists ${name} with (force)`);
  });
