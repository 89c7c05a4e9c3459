import type { CallInput, Captcha } from '@pahatid/contract';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { findProof } from '../../lib/proof-of-work/find-proof.ts';

/** From this difficulty on the work takes seconds, so progress is shown. */
const longBits = 20;
const attempts = 3;

type Wanted = Pick<CallInput<'POST /captcha'>['body'], 'kind' | 'theme'>;

/** Does the work that the server asks for before a puzzle, and gets the puzzle. */
export async function takePuzzle(wanted: Wanted, onLongWork: () => void, signal: AbortSignal): Promise<Captcha> {
  for (let attempt = 1; ; attempt++) {
    const { ticket, prefix, bits } = await call('POST /captcha/work');
    if (bits >= longBits) onLongWork();
    const proof = await findProof(prefix, bits, signal);
    try {
      return await call('POST /captcha', { body: { ...wanted, ticket, proof } });
    } catch (error) {
      // Meanwhile failures on this network have increased, so the difficulty was too low.
      if (!(error instanceof ApiError) || error.code !== 'CAPTCHA_FAILED' || attempt === attempts) throw error;
    }
  }
}
