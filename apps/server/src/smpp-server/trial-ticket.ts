/**
 * A test bind from the console comes from the address of the api, and is judged by that of the user who asked for it: the
 * api writes this address into the bind, with a ticket that only our processes can make. It is valid for a minute.
 */
import { timingSafeEqual } from 'node:crypto';
import type { BindRequest } from '@pahatid/smpp';
import type { Secrets } from '../secrets/secrets.ts';

interface Trial {
  readonly systemId: string;
  readonly clientIp: string;
}

const MINUTE_MS = 60_000;
/** system_type has twelve characters (SMPP 3.4 §5.2.3): 66 bits of the signature. */
const SIGNATURE_LENGTH = 11;

const sign = (secrets: Secrets, { systemId, clientIp }: Trial, minute: number): string =>
  `T${secrets
    .signTicket(['smpp-trial', systemId, clientIp, String(minute)])
    .toString('base64url')
    .slice(0, SIGNATURE_LENGTH)}`;

/** Fields of the bind. */
export const writeTrialTicket = (
  secrets: Secrets,
  trial: Trial,
  now: Date,
): { systemType: string; addressRange: string } => ({
  systemType: sign(secrets, trial, Math.floor(now.getTime() / MINUTE_MS)),
  addressRange: trial.clientIp,
});

/** Returns the address of the user, or null: it is no test bind. */
export function readTrialTicket(secrets: Secrets, { pdu }: Pick<BindRequest, 'pdu'>, now: Date): string | null {
  const { system_id: systemId, system_type: given, address_range: clientIp } = pdu;
  if (given.length !== SIGNATURE_LENGTH + 1 || !given.startsWith('T')) return null;
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const isValid = [minute, minute - 1].some((each) =>
    timingSafeEqual(
      Buffer.from(sign(secrets, { systemId, clientIp }, each)),
      Buffer.from(given.padEnd(12, ' '), 'latin1'),
    ),
  );
  return isValid ? clientIp : null;
}
