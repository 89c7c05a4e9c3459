/** The SMPP server for customers' software: listeners, binds, submitted messages, receipts. */
import { readFileSync } from 'node:fs';
import { touchSecret } from '@pahatid/db/queries/api-messages';
import { type NewSmppBind, noteSmppRefusal, type SmppAccount } from '@pahatid/db/queries/smpp-binds';
import { type BindAnswer, type BindRequest, listenSmpp, type SmppServer, STATUS } from '@pahatid/smpp';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { makeApplicationGate } from '../http/authenticate-application.ts';
import { smppBindRefusals } from '../metrics/smpp-metrics.ts';
import { isAllowed } from '../process/allowed-addresses.ts';
import type { Config } from '../process/config.ts';
import { makeReviewRules } from '../review-rules/review-rules.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { CallAcceptor } from '../sending/accept/accept-calls.ts';
import { makeAcceptor } from '../sending/accept/acceptor.ts';
import { makeNotifier } from '../sending/notifier.ts';
import type { DeliverToken, LiveBind } from './bound-application.ts';
import { type BindDecision, type BindRefusal, decideBind } from './decide-bind.ts';
import { Deliveries } from './deliveries.ts';
import { FailedBinds } from './failed-binds.ts';
import { LiveBinds } from './live-binds.ts';
import { type ServeDeps, serveRequest } from './serve-session.ts';
import { TextSweep } from './text-sweep.ts';

/** Sockets that have not bound. */
const MOST_UNBOUND = 200;
const MOST_UNBOUND_PER_ADDRESS = 20;
const WINDOW = 10;
const SYSTEM_ID = 'pahatid';
/** Of a stop: for responses to come and go. With the unbind it is shorter than a role's stop may take. */
const GRACE_MS = 1_500;

export interface SmppServerOptions {
  readonly config: Pick<Config, 'host' | 'smppPort' | 'smppTls' | 'trustProxy' | 'demo'>;
  readonly control: Pool;
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Listening sockets of the supervisor. */
  readonly handles?: { readonly plain: object | null; readonly tls: object | null };
  readonly offsetMs?: number;
}

export interface RunningSmppServer {
  readonly port: number;
  readonly tlsPort: number | null;
  /** Answers what is under way, unbinds all, and ends. */
  stop(): Promise<void>;
}

export async function startSmppServer(options: SmppServerOptions): Promise<RunningSmppServer> {
  const { config, control, secrets, log, handles, offsetMs = 0 } = options;
  let isDraining = false;
  const acceptor = makeAcceptor(control, log);
  const notifier = makeNotifier(control, (err) =>
    log.warn({ err }, 'notification of submitted messages failed, senders poll'),
  );
  const callAcceptor = new CallAcceptor({
    control,
    accept: () => acceptor.quick(),
    notifySenders: () => notifier.notifySenders(),
  });
  const gate = makeApplicationGate({ pools: { control, data: control }, now: () => new Date(), log });
  const deps: ServeDeps = {
    control,
    gate,
    rules: makeReviewRules(control),
    callAcceptor,
    acceptor,
    log,
    isDraining: () => isDraining,
  };
  const live = new LiveBinds({ control, log, isDemo: config.demo });
  await live.start();
  const deliveries = new Deliveries({ control, log, applications: live.applications, offsetMs });
  const texts = new TextSweep(live, deps, offsetMs);
  const failures = new FailedBinds();
  const decide = (request: BindRequest) => decideBind(request, { control, secrets, failures, isDemo: config.demo });
  const binding = { decide, live, deliveries, serve: deps, control, log };
  const listen = (port: number, handle: object | null, tls?: { key: Buffer; cert: Buffer }): Promise<SmppServer> =>
    listenSmpp<DeliverToken>({
      host: config.host,
      port,
      ...(handle === null ? {} : { handle }),
      ...(tls === undefined ? {} : { tls }),
      system_id: SYSTEM_ID,
      maxUnbound: MOST_UNBOUND,
      maxUnboundPerAddress: MOST_UNBOUND_PER_ADDRESS,
      isProxy: (address) => config.trustProxy.length > 0 && isAllowed(config.trustProxy, address),
      onBind: (request) => answerBind(request, binding),
    });
  const plain = await listen(config.smppPort, handles?.plain ?? null);
  const { smppTls } = config;
  const secure =
    smppTls === null
      ? null
      : await listen(smppTls.port, handles?.tls ?? null, {
          key: readFileSync(smppTls.keyFile),
          cert: readFileSync(smppTls.certFile),
        });
  log.info({ host: config.host, port: plain.port, tlsPort: secure?.port }, 'SMPP server listening');
  return {
    port: plain.port,
    tlsPort: secure?.port ?? null,
    async stop() {
      isDraining = true;
      await Promise.all([plain.stop(GRACE_MS), secure?.stop(GRACE_MS)]);
      await texts.stop();
      await callAcceptor.idle();
      await deliveries.stop();
      await live.stop();
      await notifier.stop();
      await acceptor.stop();
    },
  };
}

interface Binding {
  readonly decide: (request: BindRequest) => Promise<BindDecision>;
  readonly live: LiveBinds;
  readonly deliveries: Deliveries;
  readonly serve: ServeDeps;
  readonly control: Pool;
  readonly log: Logger;
}

async function answerBind(request: BindRequest, binding: Binding): Promise<BindAnswer<DeliverToken>> {
  const { decide, live, control, log, serve } = binding;
  if (serve.isDraining()) return { accept: false, status: STATUS.ESME_RBINDFAIL };
  try {
    const decision = await decide(request);
    if ('status' in decision) return await refuse(decision, binding);
    const slot = await live.take(decision.account, { ...request, clientIp: decision.clientIp });
    if (slot === null)
      return await refuse({ ...decision, status: STATUS.ESME_RBINDFAIL, reason: 'connections', afterMs: 0 }, binding);
    await touchSecret(control, decision.secretId, new Date()).catch((error: unknown) =>
      log.warn({ err: error, appId: decision.account.appId }, 'last use of an SMPP password not recorded'),
    );
    return accept(slot, decision.account, binding);
  } catch (error) {
    log.warn({ err: error }, 'bind could not be decided, answered ESME_RSYSERR');
    throw error;
  }
}

async function refuse(
  { account, reason, status, afterMs, clientIp }: BindRefusal,
  { control, log }: Binding,
): Promise<BindAnswer<DeliverToken>> {
  smppBindRefusals.inc({ reason });
  log.info({ appId: account?.appId, reason, clientIp }, 'bind of software refused');
  if (account !== null)
    await noteSmppRefusal(control, { ...account, clientIp, reason }).catch((error: unknown) =>
      log.warn({ err: error, appId: account.appId }, 'refused bind not recorded'),
    );
  return { accept: false, status, afterMs };
}

function accept(
  slot: NewSmppBind,
  account: SmppAccount,
  { live, deliveries, serve }: Binding,
): BindAnswer<DeliverToken> {
  const { bindId } = slot;
  let bind: LiveBind | null = null;
  return {
    accept: true,
    options: { window: WINDOW },
    onAbandoned: () => live.end(bindId),
    onBound(session) {
      bind = live.add(slot, account, session);
    },
    handler: {
      onRequest(pdu) {
        if (bind !== null) serveRequest(pdu, bind, serve);
      },
      onResponse: (deliveryId, status, _messageId, late) => {
        if (!late) deliveries.settle(deliveryId, status);
      },
      onUnknown: (deliveryId) => deliveries.settle(deliveryId, null),
      onWindow: () => {
        if (bind !== null) deliveries.fill(bind.application);
      },
      onClose: () => live.end(bindId),
    },
  };
}
