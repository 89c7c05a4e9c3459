import { inScope, type Scope } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import { hasJustChanged } from './browser-cookies.ts';
import type { Call } from './call.ts';
import type { ApiDeps } from './deps.ts';

/** Reads on a replica, or on the leader for a browser in which something was just changed. */
export const readIn =
  (
    getScope: () => Scope,
    request: FastifyRequest,
    { config, pools, replicas = null }: Pick<ApiDeps, 'config' | 'pools' | 'replicas'>,
  ): Call<'GET /records'>['inReadScope'] =>
  (work) =>
    replicas === null || hasJustChanged(request, config.publicUrl)
      ? inScope(pools.data, getScope(), work)
      : replicas.read(getScope(), work);
