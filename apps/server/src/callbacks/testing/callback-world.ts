/** Two customers with applications that have callbacks, and a dispatcher whose clock the test controls. */
import { after } from 'node:test';
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { messageIdAt, one, run, sql, uuidV7, withTransaction, writeOutcomes } from '@pahatid/db';
import { buildApplication, buildSupplier } from '@pahatid/db/builders';
import { rotateCallbackSecret } from '@pahatid/db/queries/callback-endpoints';
import { pino } from 'pino';
import { makeTestApi, type TestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { type Dispatcher, makeDispatcher } from '../dispatcher.ts';
import { makeCallbackGuard } from '../guard.ts';
import { makePoster } from '../post.ts';
import { makeCallbackSecret } from '../sign.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const { Accepted, Submitted } = ClientStatus;
const states = {
  accepted: { sendStatus: SendStatus.Waiting, clientStatus: Accepted },
  submitted: { sendStatus: SendStatus.Successful, clientStatus: Submitted },
};

export interface MadeEndpoint {
  readonly endpointId: string;
  readonly appId: string;
  readonly secret: string;
}

export interface CallbackWorld {
  readonly api: TestApi;
  /** Called by the first customer's endpoints. */
  readonly receiver: Receiver;
  /** Moved ahead of the real one. */
  clock: { offsetMs: number };
  /** Serves until nothing is due. */
  dispatch(): Promise<void>;
  makeDispatcher(limitMs?: number): Dispatcher;
  /** An application of the first customer with an address. */
  addEndpoint(url?: string, state?: 'enabled' | 'unverified'): Promise<MadeEndpoint>;
  /** A message of an application, submitted. */
  addMessage(appId: string, msisdn?: string): Promise<bigint>;
  /** Moves messages from one state into another, as a flush does. Returns how many were not in it. */
  move(messageIds: readonly bigint[], from: ClientStatus, to: ClientStatus): Promise<number>;
  endpoint(endpointId: string): Promise<Record<string, unknown>>;
}

export async function makeCallbackWorld(): Promise<CallbackWorld> {
  const receiver = await startReceiver();
  after(() => receiver.close());
  const api = await makeTestApi({ features: apiFeatures, config: { callbackAllow: ['127.0.0.0/8'] } });
  const { pool } = api.db;
  const { customerId, deps } = api;
  const clock = { offsetMs: 0 };
  const supplierId = await buildSupplier(pool, {
    supplierAccount: 'told',
    port: 1,
    systemId: 'x',
    password: 'x',
    secrets: deps.secrets,
  });
  const routeId = uuidV7();
  let made = 0;

  const make = (limitMs?: number): Dispatcher =>
    makeDispatcher(
      {
        pool,
        log: pino({ level: process.env.PAHATID_LOG ?? 'silent' }),
        owner: uuidV7(),
        get offsetMs() {
          return clock.offsetMs;
        },
      },
      {
        publicUrl: 'https://pahatid.example',
        secrets: deps.secrets,
        poster: makePoster(makeCallbackGuard(deps.config), limitMs === undefined ? {} : { limitMs }),
      },
    );
  const dispatcher = make();
  api.db.beforeClose(() => dispatcher.stop());

  return {
    api,
    receiver,
    clock,
    makeDispatcher: make,
    async dispatch() {
      while (await dispatcher.step()) await dispatcher.settle();
    },
    async addEndpoint(url = receiver.url, state = 'enabled') {
      const [endpointId, secret, now] = [uuidV7(), makeCallbackSecret(), new Date()];
      const appId = await buildApplication(pool, { customerId });
      await run(pool, sql`update application set callback_url = ${url} where app_id = ${appId}`);
      await run(
        pool,
        sql`insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state)
            values (${endpointId}, ${customerId}, 'application', ${appId}, ${url}, ${state})`,
      );
      const sealed = deps.secrets.seal('webhook-secret', secret);
      await rotateCallbackSecret(pool, { customerId, endpointId, sealed, hint: 'hint', now, overlapMs: 0 });
      return { endpointId, appId, secret };
    },
    async addMessage(appId, msisdn = '639171234567') {
      const messageId = messageIdAt(Date.now() - 60_000, 7, ++made % 1024) + BigInt(Math.floor(made / 1024)) * 262_144n;
      await run(
        pool,
        sql`insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
              charge_type, price, route_id, supplier_id, send_status, client_status, submitted_at)
            values (${customerId}, ${String(messageId)}, ${appId}, 2, ${msisdn}, 'PH', 'SHOP', 'Hello', 1, 'SenderPays', 3500,
              ${routeId}, ${supplierId}, 3, 1, now())`,
      );
      return messageId;
    },
    async move(messageIds, from, to) {
      const sendStatus = to === ClientStatus.Blocked ? SendStatus.Failed : SendStatus.Successful;
      const before = from === Accepted ? states.accepted : { ...states.submitted, clientStatus: from };
      const missed = await withTransaction(pool, (tx) =>
        writeOutcomes(
          tx,
          messageIds.map((messageId) => ({
            customerId,
            messageId,
            before: { ...before, partsDelivered: 0 },
            after: { sendStatus, clientStatus: to },
            dealResult: 'DELIVERED',
            carrierCode: 'DELIVRD',
            submittedMs: null,
            answeredMs: null,
            reportMs: Date.now(),
            partsDelivered: 0,
          })),
        ),
      );
      return missed.length;
    },
    endpoint: (endpointId) => one(pool, sql`select * from callback_endpoint where endpoint_id = ${endpointId}`),
  };
}
