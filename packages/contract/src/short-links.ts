import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { appId, count, instant, listOf, name, ofCustomer, page, useState, uuid, version } from './shapes.ts';
import { clickDimensions, linkExpiryDays, linkModes, linkNameLimit, linkStates } from './short-links-values.ts';
import { datePresets, type TimeUnit } from './statistics-values.ts';

const figures = {
  /** All but those that wait for a receipt to be judged by. */
  clickCount: count,
  /** By people. */
  humanCount: count,
  /** By programs: `headCount + scannerCount + earlyCount`. */
  robotCount: count,
  /** Recipients with a first click by a person; of links with one code per recipient. */
  recipientCount: count,
};
const clickFigures = z.object(figures);
export type ClickFigures = z.output<typeof clickFigures>;

const wholeFigures = {
  ...figures,
  /** HEAD, or loaded ahead of a person. */
  headCount: count,
  /** Known programs: previews, search engines, safety checks. */
  scannerCount: count,
  /** Sooner than any receipt. */
  earlyCount: count,
  /** Messages of tasks with a code per recipient that arrived. */
  deliveredCount: count,
  /** Recipients of those tasks who clicked, as a share of the delivered, 0 to 1; null where nothing was delivered. */
  clickRate: z.number().nullable(),
  firstClickTime: instant.nullable(),
  lastClickTime: instant.nullable(),
};

export const shortLink = z.object({
  linkId: uuid,
  linkName: z.string(),
  /** What goes into a text. */
  shortUrl: z.string(),
  /** The same without a scheme, which phones know as a link too. */
  domain: z.string(),
  code: z.string(),
  targetUrl: z.string(),
  fallbackUrl: z.string().nullable(),
  mode: z.enum(linkModes),
  appId: appId.nullable(),
  appName: z.string().nullable(),
  templateId: uuid.nullable(),
  templateName: z.string().nullable(),
  expireTime: instant,
  useState,
  linkState: z.enum(linkStates),
  version,
  createTime: instant,
  updateTime: instant,
  createdBy: z.string().nullable(),
  /** Tasks whose messages bear it. */
  taskCount: count,
  ...wholeFigures,
  /** Customer's name; staff only. */
  operator: z.string().optional(),
});
export type ShortLink = z.output<typeof shortLink>;

export const linkClick = z.object({
  clickId: uuid,
  clickTime: instant,
  /** Masked for viewers and staff; null where the code is everybody's, or the number is not kept any more. */
  mobileNumber: z.string().nullable(),
  taskId: uuid.nullable(),
  taskName: z.string().nullable(),
  carrier: z.string().nullable(),
  areaCode: z.string().nullable(),
  os: z.string(),
  browser: z.string(),
  device: z.string(),
  /** Null: waits for a receipt to be judged by. */
  verdict: z.enum(['human', 'head', 'scanner', 'early']).nullable(),
});
export type LinkClick = z.output<typeof linkClick>;

const clickPart = z.object({ key: z.string(), ...figures });
export type ClickPart = z.output<typeof clickPart>;

export const linkStatistics = z.object({
  from: instant,
  to: instant,
  zone: z.string(),
  unit: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** True if a preset of days was asked for by minute: its last 24 hours are returned. */
  isShortened: z.boolean(),
  /** Every minute, day or month of the range, those without a click too. */
  times: z.array(instant),
  totals: z.object(wholeFigures),
  /** By time: those with a click. */
  items: z.array(z.object({ logDate: instant, ...figures })),
  /** By each other dimension, the largest first; hours as 0 to 23 of the zone, in order. */
  parts: z.record(z.enum(clickDimensions), z.array(clickPart)),
  /** Names of the links and tasks among them. */
  names: z.record(z.string(), z.string()),
});
export type LinkStatistics = z.output<typeof linkStatistics>;

const params = z.object({ linkId: uuid });
const url = z.string().trim().min(1).max(4_000);
const fields = {
  linkName: name(linkNameLimit),
  /** http or https, at most 2,000 characters, on a public host. */
  targetUrl: url,
  /** Where the link leads once it has expired or is disabled; a page of ours says so where there is none. */
  fallbackUrl: url.nullable(),
  appId: appId.nullable(),
  templateId: uuid.nullable(),
  /** Days from now, or the instant itself. */
  expiryDays: z.union(linkExpiryDays.map((days) => z.literal(days))),
  expireTime: instant,
};
const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;

export const shortLinkRoutes = {
  'GET /short-links': route({
    summary: 'Short links, the newest first',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      ...ofCustomer,
      /** Part of the name, code or target. */
      search: z.string().trim().max(100).optional(),
      appId: appId.optional(),
      mode: z.enum(linkModes).optional(),
      linkState: z.enum(linkStates).optional(),
    }),
    response: listOf(shortLink),
  }),
  'POST /short-links': route({
    summary: 'Add a short link',
    access: writers,
    status: 201,
    body: z.strictObject({
      linkName: fields.linkName,
      targetUrl: fields.targetUrl,
      mode: z.enum(linkModes).default('perRecipient'),
      fallbackUrl: fields.fallbackUrl.default(null),
      appId: fields.appId.default(null),
      templateId: fields.templateId.default(null),
      /** 90 unless either is told. */
      expiryDays: fields.expiryDays.optional(),
      expireTime: fields.expireTime.optional(),
    }),
    response: shortLink,
    errors: ['LINK_LIMIT', 'APP_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
  }),
  'GET /short-links/statistics': route({
    summary: 'Clicks on short links by time and by what is known of them',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...ofCustomer,
      linkId: uuid.optional(),
      appId: appId.optional(),
      taskId: uuid.optional(),
      /** In place of `from` and `to`; the last 7 days by default. By minute, its last 24 hours. */
      preset: z.enum(datePresets).optional(),
      from: instant.optional(),
      to: instant.optional(),
      unit: z
        .enum(['0', '1', '2'])
        .default('1')
        .transform((unit) => Number(unit) as TimeUnit),
      /** The viewer's own unless told. */
      zone: z.string().max(60).optional(),
      /** Rows of the csv; by time unless told. The answer holds all. */
      dimension: z.enum(['logDate', ...clickDimensions]).default('logDate'),
    }),
    response: linkStatistics,
    errors: ['RANGE_TOO_LONG'],
  }),
  'GET /short-links/:linkId': route({
    summary: 'One short link with its figures',
    access: readers,
    params,
    response: shortLink,
  }),
  'PATCH /short-links/:linkId': route({
    summary: 'Change, disable or enable a short link; of two changes at once the second is refused',
    access: writers,
    params,
    body: z.strictObject({
      ...z.object(fields).partial().shape,
      useState: useState.optional(),
      version: version.optional(),
    }),
    response: shortLink,
    errors: ['VERSION_CONFLICT', 'APP_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
  }),
  'DELETE /short-links/:linkId': route({
    summary: 'Delete a short link that no task under way sends; it leads nowhere from then on',
    access: writers,
    params,
    answer: 'empty',
    errors: ['LINK_IN_USE'],
  }),
  'GET /short-links/:linkId/clicks': route({
    summary: 'Clicks on one short link, the latest first, as long as records are kept',
    access: readers,
    params,
    csv: true,
    query: z.strictObject({
      ...page,
      /** `human`: by people alone. */
      by: z.enum(['all', 'human']).default('all'),
    }),
    response: listOf(linkClick),
  }),
};
