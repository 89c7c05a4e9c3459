/** submit_multi: one text to several numbers, under one id. */
import type { PduOf, ResponseBody, SubmitFailure, SubmitSm } from '@pahatid/smpp';
import { STATUS } from '@pahatid/smpp';
import { type AcceptSubmitDeps, acceptCall, issueId } from './accept-submit.ts';
import type { BoundApplication } from './bound-application.ts';
import { judgeSubmittedText } from './judge-submit.ts';
import { readSubmit, readText } from './read-submit.ts';
import { StatusError } from './statuses.ts';
import { writeTerms } from './terms.ts';

/** SMPP 3.4 §4.5.1. */
const MOST_DESTINATIONS = 254;

/** Each number's own id is in `smpp_issued`. */
const BY_ID = -1;

type Address = Pick<SubmitSm, 'dest_addr_ton' | 'dest_addr_npi' | 'destination_addr'>;

/** Numbers of a submit_multi; throws a `StatusError` if they are none. */
export function readDestinations({ dest_address }: PduOf<'submit_multi'>): Address[] {
  if (dest_address.length === 0 || dest_address.length > MOST_DESTINATIONS)
    throw new StatusError(STATUS.ESME_RINVNUMDESTS);
  return dest_address.map((each) => {
    if ('dl_name' in each) throw new StatusError(STATUS.ESME_RINVDLNAME);
    return each;
  });
}

/** Throws the status of the first if none of the numbers was accepted. */
export async function acceptMulti(
  application: BoundApplication,
  pdu: PduOf<'submit_multi'>,
  destinations: readonly Address[],
  deps: AcceptSubmitDeps,
): Promise<ResponseBody> {
  const { appId, customerId, serviceTypes } = application.account;
  const now = new Date();
  const issuedId = await issueId(deps);
  const failures: SubmitFailure[] = [];
  const fail = (address: Address, { status }: StatusError): void => {
    failures.push({ ...pickAddress(address), error_status_code: status });
  };
  const taken: { address: Address; message: Awaited<ReturnType<typeof judgeSubmittedText>> }[] = [];
  for (const address of destinations)
    try {
      const submitted = readSubmit({ ...pdu, ...pickAddress(address), command: 'submit_sm' }, serviceTypes, now);
      if (submitted.part !== null) throw new StatusError(STATUS.ESME_RINVESMCLASS);
      const judged = await judgeSubmittedText(application, submitted, readText(submitted), deps);
      const { notBefore, validFor, registeredDelivery } = submitted;
      const smpp = writeTerms({ ...submitted, registeredDelivery: BY_ID }, judged.msisdn);
      const issued = [{ issuedId, asked: registeredDelivery }];
      taken.push({ address, message: { ...judged, notBefore, validFor, smpp, issued } });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      fail(address, error);
    }
  const messages = taken.map(({ message }) => message);
  const results =
    messages.length === 0
      ? []
      : await acceptCall(
          { appId, customerId, messages, key: null, mayWaitMs: application.mayWaitMs() },
          deps.callAcceptor,
        );
  for (const [index, result] of results.entries())
    if (result instanceof StatusError) fail(taken[index]!.address, result);
  if (failures.length === destinations.length) throw new StatusError(failures[0]!.error_status_code);
  return { message_id: String(issuedId), unsuccess_sme: failures } as ResponseBody;
}

const pickAddress = ({ dest_addr_ton, dest_addr_npi, destination_addr }: Address): Address => ({
  dest_addr_ton,
  dest_addr_npi,
  destination_addr,
});
