/** Codes to sign in by e-mail and to reset a password, by e-mail or SMS. */
import { resendAfterS } from '@pahatid/contract';
import type { FastifyInstance } from 'fastify';
import { codeLifetimeMs } from '../../codes/code-rules.ts';
import { readEmail, readPhone } from '../../codes/read-destination.ts';
import { askForCode } from '../../codes/request-code.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';

export function registerCodes(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /codes', async ({ body, ...call }) => {
    const destination = 'phone' in body ? readPhone(body.phone) : readEmail(body.email);
    const channel = 'phone' in body ? 'sms' : 'email';
    await askForCode(deps, call, { purpose: body.purpose, destination, channel });
    return { resendAfterS, expiresInS: codeLifetimeMs / 1000 };
  });
}
