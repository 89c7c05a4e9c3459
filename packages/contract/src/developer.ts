import { z } from 'zod';
import { applicationSecret } from './applications.ts';
import { AccessType, Role } from './enums.ts';
import { route } from './route.ts';
import { appId, listOf, ofCustomer, page, useState } from './shapes.ts';

/** A live password of an application, with which software calls over HTTP. */
const apiKey = applicationSecret.extend({
  appId,
  appName: z.string(),
  useState,
  /** An application for SMPP alone is refused over HTTP. */
  accessType: z.union(Object.values(AccessType).map((value) => z.literal(value))),
});
export type ApiKey = z.output<typeof apiKey>;

export const developerRoutes = {
  'GET /developer/keys': route({
    summary: 'Live passwords of all applications, never their text; by application, the newest first',
    access: [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin],
    byCustomer: true,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['appId', '-appId']).default('appId'), ...ofCustomer }),
    response: listOf(apiKey),
  }),
};
