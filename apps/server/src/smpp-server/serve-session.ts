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
  const { application } = bind;
  switch (pdu.command) {
    case 'submit_sm':
    case 'data_sm':
      void serve(pdu, bind, deps, async () => {
        spend(application, 1, deps);
        const submitted = readSubmit(pdu, application.account.serviceTypes, new Date());
        const accept = submitted.part === null ? acceptSubmit : acceptPart;
        return { message_id: await accept(application, submitted, deps) };
      });
      return;
    case 'submit_multi':
      void serve(pdu, bind, deps, async () => {
        const destinations = readDestinations(pdu);
        spend(application, destinations.length, deps);
        return await acceptMulti(application, pdu, destinations, deps);
      });
      return;
    case 'query_sm':
      void serve(pdu, bind, deps, () => {
        spend(application, 1, deps);
        return querySubmitted(application, pdu.message_id, deps);
      });
      return;
    case 'cancel_sm':
      void serve(pdu, bind, deps, async () => {
        spend(application, 1, deps);
        await cancelSubmitted(application, pdu.message_id, deps);
        return {};
      });
      return;
    case 'replace_sm':
      answer(pdu, bind, STATUS.ESME_RREPLACEFAIL);
      return;
    default:
      answer(pdu, bind, STATUS.ESME_RINVCMDID);
  }
}

/** Not taken, so the sender may repeat it: also to the process that comes after this one. */
function spend(application: BoundApplication, count: number, { isDraining }: ServeDeps): void {
  if (isDraining() || !application.takeSubmit(count)) throw new StatusError(STATUS.ESME_RTHROTTLED);
}

async function serve(
  pdu: ServerRequest,
  bind: LiveBind,
  { log }: ServeDeps,
  work: () => Promise<ResponseBody>,
): Promise<void> {
  bind.submits += 1;
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
