/** Requests of one bound session: each gets its response once its effect is committed. */
import { type ServerRequest, STATUS, statusName } from '@pahatid/smpp';
import type { Logger } from 'pino';
import { smppAnswers } from '../metrics/smpp-metrics.ts';
import { type AcceptSubmitDeps, acceptSubmit } from './accept-submit.ts';
import type { LiveBind } from './bound-application.ts';
import { readSubmit } from './read-submit.ts';
import { StatusError } from './statuses.ts';

export interface ServeDeps extends AcceptSubmitDeps {
  readonly log: Logger;
  /** Nothing more is accepted: the process ends. */
  readonly isDraining: () => boolean;
}

export function serveRequest(pdu: ServerRequest, bind: LiveBind, deps: ServeDeps): void {
  switch (pdu.command) {
    case 'submit_sm':
      void serveSubmit(pdu, bind, deps);
      return;
    case 'replace_sm':
      answer(pdu, bind, STATUS.ESME_RREPLACEFAIL);
      return;
    default:
      answer(pdu, bind, STATUS.ESME_RINVCMDID);
  }
}

async function serveSubmit(
  pdu: ServerRequest & { command: 'submit_sm' },
  bind: LiveBind,
  deps: ServeDeps,
): Promise<void> {
  const { application } = bind;
  bind.submits += 1;
  // Not taken, so the sender may repeat it: also to the process that comes after this one.
  if (deps.isDraining() || !application.takeSubmit()) {
    answer(pdu, bind, STATUS.ESME_RTHROTTLED);
    return;
  }
  bind.open += 1;
  try {
    const submitted = readSubmit(pdu, application.account.serviceTypes, new Date());
    const messageId = await acceptSubmit(application, submitted, deps);
    bind.session.respondSubmit(pdu.sequence_number, STATUS.ESME_ROK, messageId);
    smppAnswers.inc({ command: pdu.command, status: 'ESME_ROK' });
  } catch (error) {
    answer(pdu, bind, toStatus(error, bind, deps));
  } finally {
    bind.open -= 1;
  }
}

function toStatus(error: unknown, bind: LiveBind, { log }: ServeDeps): number {
  if (error instanceof StatusError) return error.status;
  log.warn(
    { err: error, appId: bind.application.account.appId },
    'request of bound software failed, answered ESME_RSYSERR',
  );
  return STATUS.ESME_RSYSERR;
}

function answer(pdu: ServerRequest, bind: LiveBind, status: number): void {
  bind.session.respond(pdu.sequence_number, status);
  smppAnswers.inc({ command: pdu.command, status: statusName(status) });
  bind.lastStatus = status;
  bind.lastStatusMs = Date.now();
}
