import { z } from 'zod';
import { route } from './route.ts';
import { appId, auditStatus, clientStatus, instant, messageId, taskStatus, useState, uuid } from './shapes.ts';
import { linkStates } from './short-links-values.ts';

/** The owning customer; staff only. */
const operator = z.string().optional();

const found = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task'), id: uuid, title: z.string(), taskStatus, operator }),
  z.object({ kind: z.literal('template'), id: uuid, title: z.string(), auditStatus, operator }),
  z.object({ kind: z.literal('application'), id: appId, title: z.string(), useState, operator }),
  z.object({ kind: z.literal('sender'), id: uuid, title: z.string(), auditStatus, operator }),
  z.object({ kind: z.literal('group'), id: uuid, title: z.string(), operator }),
  z.object({ kind: z.literal('shortLink'), id: uuid, title: z.string(), linkState: z.enum(linkStates), operator }),
  z.object({
    kind: z.literal('key'),
    id: uuid,
    title: z.string(),
    /** How its text begins. */
    prefix: z.string(),
    customerId: uuid,
    useState,
    operator,
  }),
  z.object({ kind: z.literal('customer'), id: uuid, title: z.string(), useState }),
  z.object({
    kind: z.literal('record'),
    id: messageId,
    /** The number as this user may see it. */
    title: z.string(),
    clientStatus,
    clientSid: z.string(),
    time: instant,
    operator,
  }),
]);
export type Found = z.output<typeof found>;

export const searchRoutes = {
  'GET /search': route({
    summary:
      'A few tasks, templates, applications, sender IDs, groups, short links, customers (staff) and messages, by name, number or id; API keys by the beginning of their text',
    access: 'session',
    query: z.strictObject({ q: z.string().trim().min(1).max(100) }),
    response: z.object({ items: z.array(found) }),
  }),
};
