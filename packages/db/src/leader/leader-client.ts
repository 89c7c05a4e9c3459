import pg from 'pg';
import { splitHosts } from './hosts.ts';
import { assertTakesWrites, type Follower, Leader } from './leader.ts';

const leaders = new Map<string, Leader>();

/** The driver's client, or for an address of several servers one that connects to that which takes writes. */
export function clientClassFor(url: string): typeof pg.Client {
  const servers = splitHosts(url);
  if (servers.length === 1) return pg.Client;
  const leader = leaders.get(url) ?? new Leader(servers);
  leaders.set(url, leader);
  return makeLeaderClient(leader);
}

/** What the driver's client has in addition to what its types say. */
interface Internals {
  host: string;
  port: number;
  readonly connection: { readonly stream: { destroy(): void } };
}

type OnError = (error: Error) => void;
type OnClient = (error: null, client: pg.Client) => void;
type Connected = OnError | OnClient;

const makeLeaderClient = (leader: Leader): typeof pg.Client =>
  class LeaderClient extends pg.Client implements Follower {
    server: string | null = null;

    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: leader.servers[0] });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connected = this.#connectToLeader();
      if (callback === undefined) return connected;
      connected.then((client) => (callback as OnClient)(null, client), callback as OnError);
      return undefined;
    }

    destroy(): void {
      (this as unknown as Internals).connection.stream.destroy();
    }

    async #connectToLeader(): Promise<pg.Client> {
      const server = await leader.find();
      const { host, port } = new pg.Client({ connectionString: server });
      Object.assign(this, { host, port } satisfies Partial<Internals>);
      try {
        await super.connect();
        await assertTakesWrites(this);
      } catch (error) {
        leader.forget(server);
        this.destroy();
        throw error;
      }
      this.server = server;
      leader.follow(this);
      this.once('end', () => leader.leave(this));
      return this;
    }
  };
