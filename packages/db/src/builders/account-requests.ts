import { uuidV7 } from '../ids.ts';
import { confirmAccountRequest, insertAccountRequest, type NewAccountRequest } from '../queries/account-requests.ts';
import type { Db } from '../sql.ts';

/** A request for an account that waits for a decision, each from another address. */
export const buildAccountRequest = async (
  db: Db,
  {
    isConfirmed = true,
    at = new Date(),
    ...given
  }: Partial<NewAccountRequest> & { isConfirmed?: boolean; at?: Date } = {},
): Promise<string> => {
  const tokenHash = Buffer.from(uuidV7());
  const id = await insertAccountRequest(db, {
    name: 'Maria Reyes',
    company: 'Sampaguita Clinic',
    email: `maria.${uuidV7().slice(-12)}@sampaguita.example`,
    phone: null,
    uses: ['notices'],
    monthlyVolume: 'to100k',
    channels: ['console'],
    senderId: null,
    firstMessageDay: null,
    message: null,
    locale: 'en-US',
    ip: '203.0.113.9',
    requestedAt: at,
    tokenHash,
    ...given,
  });
  if (isConfirmed) await confirmAccountRequest(db, tokenHash, at);
  return id;
};
