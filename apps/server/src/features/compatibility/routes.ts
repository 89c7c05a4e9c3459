/**
 * APIs of other vendors that software may have been written for: with another base URL and credentials it sends here.
 * Every call becomes one of our own (decision 151).
 */
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { acceptForms } from './form.ts';
import { registerSemaphore } from './semaphore-routes.ts';
import { registerTwilio } from './twilio-routes.ts';

export async function registerCompatibility(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope);
    registerTwilio(scope, deps.config.publicUrl);
    registerSemaphore(scope);
  });
}
