/** A scene with an SMPP server for its customer's application, and clients that bind to it. */
import { run, sql } from '@pahatid/db';
import { buildApplication, buildSender } from '@pahatid/db/builders';
import {
  type BindMode,
  type ConnectOptions,
  connectSession,
  type DataSm,
  type DeliverSm,
  encodeText,
  makePdu,
  type Pdu,
  type RequestPdu,
  type Respond,
  type ResponsePdu,
  type Session,
  type SubmitSm,
} from '@pahatid/smpp';
import { type TestDatabase, testDatabase } from '@pahatid/testkit';
import { type Logger, pino } from 'pino';
import { makeSecrets } from '../../secrets/secrets.ts';
import { masterKey, Scene } from '../../sending/testing/scene.ts';
import { type RunningSmppServer, type SmppServerOptions, startSmppServer } from '../start-smpp-server.ts';

export const password = 'demopass';
export const sender = 'SARISARI';
const secrets = makeSecrets(masterKey);

export interface SmppApplication {
  readonly appId: string;
  readonly customerId: string;
}

export class SmppWorld {
  readonly scene: Scene;
  readonly servers: RunningSmppServer[] = [];
  private readonly clients: SmppClient[] = [];

  constructor(scene: Scene) {
    this.scene = scene;
  }

  get port(): number {
    return this.servers[0]!.port;
  }

  async startServer(
    more: Partial<SmppServerOptions['config']> = {},
    offsetMs = 0,
    log: Logger = pino({ level: process.env['PAHATID_LOG'] ?? 'silent' }),
  ): Promise<RunningSmppServer> {
    const server = await startSmppServer({
      config: { host: '127.0.0.1', smppPort: 0, smppTls: null, trustProxy: [], demo: false, ...more },
      control: this.scene.pool,
      secrets,
      log,
      offsetMs,
    });
    this.servers.push(server);
    return server;
  }

  async addApplication(
    more: { whiteListIp?: string[]; customerId?: string; maxConnectNum?: number; tps?: number } = {},
  ): Promise<SmppApplication> {
    const { pool } = this.scene;
    const { customerId = this.scene.customerId, whiteListIp = ['127.0.0.1'], maxConnectNum = 10, tps = 100_000 } = more;
    const credentials = { appSecret: 'secret', smppPassword: password, secrets };
    const appId = await buildApplication(pool, { customerId, whiteListIp, credentials });
    await buildSender(pool, { customerId, appId, senderId: sender });
    await run(
      pool,
      sql`update application set max_connect_num = ${maxConnectNum}, tps = ${tps} where app_id = ${appId}`,
    );
    return { appId, customerId };
  }

  async bind(
    systemId: string,
    more: Partial<ConnectOptions> & {
      mode?: BindMode;
      onDeliver?: (pdu: DeliverSm | DataSm, respond: Respond) => void;
    } = {},
  ): Promise<SmppClient> {
    const client = await tryBind({ port: more.port ?? this.port, systemId, ...more });
    if (typeof client === 'number') throw new Error(`bind refused with ${client}`);
    this.clients.push(client);
    return client;
  }

  /** Returns the command_status of a refusal. */
  async refused(systemId: string, more: Partial<ConnectOptions> = {}): Promise<number> {
    const client = await tryBind({ port: more.port ?? this.port, systemId, ...more });
    if (typeof client === 'number') return client;
    this.clients.push(client);
    return 0;
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.session.close();
    for (const server of this.servers.splice(0)) await server.stop();
  }
}

/** With a database that is dropped when the test file has ended. */
export async function makeSmppWorld(): Promise<{ db: TestDatabase; scene: Scene; world: SmppWorld }> {
  const db = await testDatabase({ max: 20 });
  const scene = await Scene.build({ pool: db.pool });
  const world = new SmppWorld(scene);
  db.beforeClose(async () => {
    await world.close();
    await scene.close();
  });
  return { db, scene, world };
}

export interface Answer {
  readonly status: number;
  readonly messageId: string | undefined;
  readonly pdu: ResponsePdu | undefined;
}

export class SmppClient {
  session!: Session<number>;
  /** Of the bind's response, if it was in it. */
  peerInterfaceVersion: number | undefined;
  readonly delivered: (DeliverSm | DataSm)[] = [];
  closed: string | null = null;
  /** Requests that have a response, or will have none. */
  answered = 0;
  private readonly waiting = new Map<number, (answer: Answer | null) => void>();
  private next = 1;

  settle(token: number, answer: Answer | null): void {
    this.answered += 1;
    this.waiting.get(token)?.(answer);
    this.waiting.delete(token);
  }

  /** Null: no response came. */
  ask(pdu: RequestPdu): Promise<Answer | null> {
    const token = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(token, resolve);
      this.session.send(pdu, token);
    });
  }

  async submit(to: string, text: string, more: Partial<SubmitSm> = {}): Promise<Answer> {
    const answer = await this.ask(submitSm(to, text, more));
    if (answer === null) throw new Error('no response');
    return answer;
  }
}

export const submitSm = (to: string, text: string, more: Partial<SubmitSm> = {}): Pdu & { command: 'submit_sm' } =>
  makePdu('submit_sm', {
    source_addr_ton: 5,
    source_addr: sender,
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: to,
    registered_delivery: 1,
    short_message: encodeText(text, 'gsm7'),
    ...more,
  });

async function tryBind({
  port,
  systemId,
  onDeliver,
  ...more
}: Partial<ConnectOptions> & {
  port: number;
  systemId: string;
  onDeliver?: (pdu: DeliverSm | DataSm, respond: Respond) => void;
}): Promise<SmppClient | number> {
  const client = new SmppClient();
  const result = await connectSession<number>(
    { host: '127.0.0.1', mode: 'transceiver', system_id: systemId, password, window: 100, ...more, port },
    {
      onResponse: (token, status, messageId, _late, pdu) => client.settle(token, { status, messageId, pdu }),
      onUnknown: (token) => client.settle(token, null),
      onDeliver(pdu, respond) {
        client.delivered.push(pdu);
        if (onDeliver === undefined) respond();
        else onDeliver(pdu, respond);
      },
      onClose(reason) {
        client.closed = reason;
      },
    },
  );
  if (!result.bound) return result.status ?? -1;
  client.session = result.session;
  client.peerInterfaceVersion = result.peerInterfaceVersion;
  return client;
}
