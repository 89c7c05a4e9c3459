/** Requests of one bound session: each gets its response once its effect is committed. */
import { type ResponseBody, type ServerRequest, STATUS, statusName } from '@pahatid/smpp';
import type { Logger } from 'pino';
import { smppAnswers } from '../metrics/smpp-metrics.ts';
import { type AcceptSubmitDeps, acceptSubmit } from './accept-submit.ts';
import type { BoundApplication, LiveBind } from './bound-application.ts';
import { acceptPart } from './join-parts.ts';
import { cancelSubmitted, querySubmitted } from './query-cancel.ts';
import { readSubmit } from './read-submit.ts';
import { StatusError } from './statuses.ts';
import { acceptMulti, readDestinations } from './submit-multi.ts';

export interface ServeDeps extends AcceptSubmitDeps {
  readonly log: Logger;
  /** Nothing more is accepted: the process ends. */
  readonly isDraining: () => boolean;
}

export function serveRequest(pdu: ServerRequest, bind: LiveBind, deps: ServeDeps): void {
  bind.submits += 1;
  const { application } = bind;
  const count = pdu.command === 'submit_multi' ? Math.max(1, pdu.dest_address.length) : 1;
  // Not taken, so the sender may repeat it: also to the process that comes after this one.
  const isDraining = deps.isDraining();
  if (isDraining || !application.takeSubmit(count)) {
    answer(pdu, bind, STATUS.ESME_RTHROTTLED);
    // Read on until the client has answered the unbind: what it sent before gets its response.
    if (!isDraining) application.slowDown(bind);
    return;
  }
  void serve(pdu, bind, deps, () => work(pdu, application, deps));
}

/** Returns the response; throws a `StatusError` instead of one. */
async function work(pdu: ServerRequest, application: BoundApplication, deps: ServeDeps): Promise<ResponseBody> {
  switch (pdu.command) {
    case 'submit_sm':
    case 'data_sm': {
      const submitted = readSubmit(pdu, application.account.serviceTypes, new Date());
      const accept = submitted.part === null ? acceptSubmit : acceptPart;
      return { message_id: await accept(application, submitted, deps) };
    }
    case 'submit_multi':
      return await acceptMulti(application, pdu, readDestinations(pdu), deps);
    case 'query_sm':
      return await querySubmitted(application, pdu.message_id, deps);
    case 'cancel_sm':
      await cancelSubmitted(application, pdu, deps);
      return {};
    case 'replace_sm':
      throw new StatusError(STATUS.ESME_RREPLACEFAIL);
    default:
      throw new StatusError(STATUS.ESME_RINVCMDID);
  }
}

async function serve(
  pdu: ServerRequest,
  bind: LiveBind,
  { log }: ServeDeps,
  work: () => Promise<ResponseBody>,
): Promise<void> {
  bind.open += 1;
  try {
    bind.session.respond(pdu.sequence_number, STATUS.ESME_ROK, await work());
    smppAnswers.inc({ command: pdu.command, status: 'ESME_ROK' });
  } catch (error) {
    if (!(error instanceof StatusError)) {
      const { appId } = bind.application.account;
      log.warn({ err: error, appId }, 'request of bound software failed, answered ESME_RSYSERR');
    }
    answer(pdu, bind, error instanceof StatusError ? error.status : STATUS.ESME_RSYSERR);
  } finally {
    bind.open -= 1;
  }
}

function answer(pdu: ServerRequest, bind: LiveBind, status: number): void {
  bind.session.respond(pdu.sequence_number, status);
  smppAnswers.inc({ command: pdu.command, status: statusName(status) });
  bind.lastStatus = status;
  bind.lastStatusMs = Date.now();
}
