/** `/api/collection.json`: requests for Postman and what imports its format. */
import { makeCollection } from '@pahatid/contract';
import type { FastifyInstance } from 'fastify';

export function serveCollection(app: FastifyInstance, publicUrl: string): void {
  let json: string | null = null;
  app.get('/api/collection.json', async (_request, reply) => {
    json ??= JSON.stringify(makeCollection(publicUrl));
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="pahatid.postman_collection.json"')
      .header('cache-control', 'no-cache')
      .send(json);
  });
}
