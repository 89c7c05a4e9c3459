import { getCustomerId } from '@pahatid/db';
import { listViewSettings, setViewSetting } from '@pahatid/db/queries/view-settings';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../http/serve.ts';

export function registerViewSettings(app: FastifyInstance): void {
  serve(app, 'GET /view-settings', async ({ user, inScope }) => ({
    items: await inScope((tx) => listViewSettings(tx, user.userId)),
  }));

  serve(app, 'PUT /view-settings/:list', async ({ params, body, user, scope, inScope }) => {
    const setting = { list: params.list, ...body };
    const owner = { userId: user.userId, customerId: getCustomerId(scope) };
    await inScope((tx) => setViewSetting(tx, owner, setting));
    return setting;
  });
}
