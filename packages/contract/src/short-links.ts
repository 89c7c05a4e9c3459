import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import {
  appId,
  auditStatus,
  count,
  instant,
  listOf,
  name,
  ofCustomer,
  page,
  reviewReason,
  text,
  useState,
  uuid,
  version,
} from './shapes.ts';
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
  /** Recipients of those tasks that clicked, as a share of the delivered, 0 to 1; null if nothing was delivered. */
  clickRate: z.number().nullable(),
  firstClickTime: instant.nullable(),
  lastClickTime: instant.nullable(),
};

const shortLink = z.object({
  linkId: uuid,
  linkName: z.string(),
  /** The URL inserted into a text. */
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
  auditStatus,
  /** For a rejection: the catalogue code, and the reviewer's own text. */
  auditCode: reviewReason.nullable(),
  auditReason: z.string().nullable(),
  /** Why staff disabled it, or a domain that it leads to, for everybody. */
  blockedReason: z.string().nullable(),
  version,
  createTime: instant,
  updateTime: instant,
  createdBy: z.string().nullable(),
  /** Tasks whose messages contain it. */
  taskCount: count,
  ...wholeFigures,
  /** Customer's name; staff only. */
  operator: z.string().optional(),
});
export type ShortLink = z.output<typeof shortLink>;

const linkClick = z.object({
  clickId: uuid,
  clickTime: instant,
  /** Masked for viewers and staff; null if the code is shared, or the number is no longer stored. */
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

const linkStatistics = z.object({
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
  /** By each other dimension, largest first; hours as 0 to 23 of the zone, in order. */
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
  /** Where the link leads once it has expired or is disabled; if null, our own page reports it. */
  fallbackUrl: url.nullable(),
  appId: appId.nullable(),
  templateId: uuid.nullable(),
  /** Days from now, or the instant itself. */
  expiryDays: z.union(linkExpiryDays.map((days) => z.literal(days))),
  expireTime: instant,
};
const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;
const staff = [Role.Reviewer, Role.Operator, Role.Admin] as const;

/** A domain that staff closed for everybody, with all below it. */
const blockedLinkDomain = z.object({
  domain: z.string(),
  reason: z.string(),
  blockTime: instant,
  blockedBy: z.string().nullable(),
  /** Links of customers that lead there. */
  linkCount: count,
});

/** A visitor's message from the page shown in place of a blocked link. */
const linkReport = z.object({
  reportId: uuid,
  time: instant,
  linkId: uuid,
  linkName: z.string(),
  shortUrl: z.string(),
  targetUrl: z.string(),
  operator: z.string(),
  message: z.string(),
});

const domain = z.object({ domain: z.string().min(1).max(253) });
const reason = z.strictObject({ reason: text(200).min(1) });

export const shortLinkRoutes = {
  'GET /short-links': route({
    summary: 'Short links, the newest first',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-createTime', 'createTime']).default('-createTime'),
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
      /** Default 90 if neither is given. */
      expiryDays: fields.expiryDays.optional(),
      expireTime: fields.expireTime.optional(),
    }),
    response: shortLink,
    errors: ['LINK_LIMIT', 'LINK_DOMAIN_BLOCKED', 'APP_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
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
      /** Default: the viewer's own. */
      zone: z.string().max(60).optional(),
      /** Rows of the csv; default by time. The response contains all. */
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
    errors: ['VERSION_CONFLICT', 'LINK_DOMAIN_BLOCKED', 'APP_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
  }),
  'DELETE /short-links/:linkId': route({
    summary: 'Delete a short link that no task under way sends; it leads nowhere from then on',
    access: writers,
    params,
    answer: 'empty',
    errors: ['LINK_IN_USE'],
  }),
  'PUT /blocked-links/:linkId': route({
    summary: 'Disable a short link for everybody: visitors see a warning instead',
    access: staff,
    params,
    body: reason,
    answer: 'empty',
    status: 204,
  }),
  'DELETE /blocked-links/:linkId': route({
    summary: 'Let a short link that staff disabled lead on again',
    access: staff,
    params,
    answer: 'empty',
    status: 204,
  }),
  'GET /blocked-link-domains': route({
    summary: 'Domains to which no short link leads any more, in the order of the alphabet',
    access: staff,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['domain', '-domain']).default('domain') }),
    response: listOf(blockedLinkDomain),
  }),
  'PUT /blocked-link-domains/:domain': route({
    summary: 'Disable all short links to a domain and to what is below it, for everybody',
    access: staff,
    params: domain,
    body: reason,
    answer: 'empty',
    status: 204,
    errors: ['LINK_DOMAIN_INVALID'],
  }),
  'DELETE /blocked-link-domains/:domain': route({
    summary: 'Let short links lead to a domain again',
    access: staff,
    params: domain,
    answer: 'empty',
    status: 204,
  }),
  'GET /link-reports': route({
    summary: 'What visitors reported about blocked links, newest first',
    access: staff,
    csv: true,
    query: z.strictObject({ ...page, sort: z.enum(['-time', 'time']).default('-time'), ...ofCustomer }),
    response: listOf(linkReport),
  }),
  'DELETE /link-reports/:reportId': route({
    summary: 'Remove a report that was dealt with',
    access: staff,
    params: z.object({ reportId: uuid }),
    answer: 'empty',
    status: 204,
  }),
  'GET /short-links/:linkId/clicks': route({
    summary: 'Clicks on one short link, the latest first, as long as records are kept',
    access: readers,
    params,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-clickTime', 'clickTime']).default('-clickTime'),
      /** `human`: by people alone. */
      by: z.enum(['all', 'human']).default('all'),
    }),
    response: listOf(linkClick),
  }),
};
