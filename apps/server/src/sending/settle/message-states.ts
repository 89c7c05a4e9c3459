/** Pairs of states of a message that several steps move it from or to. */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';

/** Accepted, and not handed to a carrier. */
export const WAITING = { sendStatus: SendStatus.Waiting, clientStatus: ClientStatus.Accepted } as const;

/** Handed to a carrier, perhaps: the result is not known. */
export const IN_DOUBT = { sendStatus: SendStatus.Sending, clientStatus: ClientStatus.Accepted } as const;
