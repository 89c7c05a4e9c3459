import { z } from 'zod';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, listOf, name, page, useState, uuid } from './shapes.ts';

const submitClass = z.enum(['accepted', 'throttled', 'queueFull', 'temporary', 'permanent', 'bindFatal']);
const octet = z.number().int().min(0).max(255);

/**
 * How long a receipt is waited for, in hours. Receipts are not matched by their ID alone for longer than the longest,
 * because IDs wrap.
 */
export const RECEIPT_HOURS = { default: 72, least: 1, most: 72 } as const;

/** How one carrier differs from the standard; omitted fields follow the standard. */
export const supplierProfile = z
  .strictObject({
    /** How to interpret IDs in responses when receipts write them differently. */
    idBase: z.enum(['dec', 'hex', 'text']),
    /** What data_coding 0 is at this carrier. */
    alphabet: z.enum(['gsm7', 'latin1', 'ascii']),
    sourceTon: octet,
    sourceNpi: octet,
    destinationTon: octet,
    destinationNpi: octet,
    /** SMPP 3.4 §5.2.11: five characters and the end. */
    serviceType: z.string().max(5),
    /** SMPP 3.4 §5.2.3 */
    systemType: z.string().max(12),
    /** Relative time of SMPP 3.4 §7.1.1, or nothing. */
    validityPeriod: z.string().regex(/^(?:\d{12}000R)?$/),
    /** Offset of dates in receipts from UTC, minutes. */
    receiptZoneMinutes: z.number().int().min(-720).max(840),
    acceptdIsFinal: z.boolean(),
    /** How a receipt is matched to its message: by its ID where that is unique, or only by ID and MSISDN together. */
    receiptMatch: z.enum(['id', 'phone']),
    /** A submitted message without a final receipt becomes unknown after this time; one in doubt may be sent again. */
    receiptHours: z.number().int().min(RECEIPT_HOURS.least).max(RECEIPT_HOURS.most),
    /** Whether the carrier may be asked by query_sm about messages without a final receipt. */
    query: z.boolean(),
    /**
     * The queue that ESME_RMSGQFUL (0x14) refers to: that of one MSISDN, whose message waits, or that of the account,
     * which slows down.
     */
    queueFull: z.enum(['message', 'account']),
    /** Classes of own statuses: `{"0x401": "permanent"}`. */
    statusClasses: z.record(z.string().regex(/^(?:0x[0-9a-fA-F]{1,8}|\d{1,10})$/), submitClass),
    tls: z.boolean(),
    responseTimeoutMs: z.number().int().min(1_000).max(600_000),
  })
  .partial();
export type SupplierProfile = z.output<typeof supplierProfile>;

/** Why an account is not used, or only probed, although binds are up: its answers when it was suspended last. */
export const supplierBreaker = z.object({
  state: z.enum(['open', 'halfOpen']),
  reason: z.enum(['errors', 'throttled', 'timeouts', 'slow']),
  /** When the trouble began. */
  since: instant,
  figures: z.object({
    accepted: count,
    /** Because of the message. */
    refused: count,
    errors: count,
    throttled: count,
    /** Without an answer in time. */
    timeouts: count,
    /** Mean time to an answer, milliseconds. */
    answerMs: z.number(),
  }),
});
export type SupplierBreaker = z.output<typeof supplierBreaker>;

const supplier = z.object({
  supplierId: uuid,
  supplierAccount: z.string(),
  carrier: z.string().nullable(),
  host: z.string(),
  port: z.number().int(),
  systemId: z.string(),
  bindType: z.enum(['transceiver', 'transmitter+receiver']),
  /** Of the account, over all senders; of pairs as many pairs. */
  bindCount: count,
  /** submit_sm unanswered per bind. */
  windowSize: count,
  /** submit_sm per second over all binds and processes, so segments. */
  tps: count,
  profile: supplierProfile,
  useState,
  version: count,
  createTime: instant,
  updateTime: instant,
  /** Live binds that can submit. */
  boundCount: count,
  /** Senders that have binds, and report their state. */
  senderCount: count,
  /** The newest error of a bind that is down. */
  lastError: z.string().nullable(),
  /** Time since which messages take other routes because no sender can reach the supplier, or it was suspended. */
  failedTime: instant.nullable(),
  /** Null: it answers well. */
  breaker: supplierBreaker.nullable(),
  /** Messages accepted for it that have no response from the carrier yet. */
  waitingCount: count,
  /** Unanswered submit_sm now, over all live binds. */
  windowUsed: count,
  /** submit_sm in the last second, over all live binds. */
  rate: count,
});
export type Supplier = z.output<typeof supplier>;

const supplierBind = z.object({
  /** The sender's process. */
  owner: uuid,
  bindNo: count,
  bindType: z.enum(['transceiver', 'transmitter', 'receiver']),
  state: z.enum(['connecting', 'bound', 'waiting', 'refused', 'ended']),
  since: instant,
  seenTime: instant,
  lastError: z.string().nullable(),
  /** submit_sm unanswered now. */
  windowUsed: count,
  /** submit_sm in the last second. */
  rate: count,
  /** When it is tried again; null while it is bound. */
  retryTime: instant.nullable(),
});
export type SupplierBind = z.output<typeof supplierBind>;

/** What part of the pace each sender uses. */
const supplierShare = z.object({
  owner: uuid,
  /** Segments a second. */
  share: count,
  /** Segments a second it has work for; null: it has no bind to submit on. */
  wanted: count.nullable(),
});

const supplierDetail = supplier.extend({ binds: z.array(supplierBind), shares: z.array(supplierShare) });
export type SupplierDetail = z.output<typeof supplierDetail>;

/** Possibly unintended effect of a change of suppliers or routes; the change was made regardless. */
export const routingWarning = z.discriminatedUnion('code', [
  /** No route is left for these: new messages to them are refused. */
  z.object({
    code: z.literal('NO_ROUTE_LEFT'),
    areaCode: z.string(),
    carrier: z.string().nullable(),
    smsTypes: z.array(z.number().int()),
  }),
  /** Accepted messages wait here; those that have another route take it, the others keep waiting. */
  z.object({ code: z.literal('MESSAGES_WAIT'), messages: count }),
]);
export type RoutingWarning = z.output<typeof routingWarning>;
const warnings = z.array(routingWarning);

/** A host name or an address, IPv6 without brackets. */
const host = z
  .string()
  .trim()
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\.?|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)$/,
  );
/** Characters that a C-Octet String of SMPP holds without change (SMPP 3.4 §3.1). */
const octets = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/);

const fields = {
  supplierAccount: name(50),
  carrier: name(30).nullable(),
  host,
  port: z.number().int().min(1).max(65_535),
  /** SMPP 3.4 §5.2.1: 15 characters. */
  systemId: octets(15),
  bindType: z.enum(['transceiver', 'transmitter+receiver']),
  bindCount: z.number().int().min(1).max(64),
  windowSize: z.number().int().min(1).max(10_000),
  tps: z.number().int().min(1).max(100_000),
  profile: supplierProfile,
};
/** SMPP 3.4 §5.2.2: 8 characters. Taken, sealed, and never answered. */
const password = octets(8);
const version = z.number().int().min(1);

/** How a trial bind ended. */
const bindOutcome = z.enum([
  'bound',
  /** The carrier answered the bind with a command_status other than 0. */
  'refused',
  'hostNotFound',
  'connectionRefused',
  'unreachable',
  'connectTimeout',
  'tlsFailed',
  /** Connected, and the bind stayed unanswered. */
  'bindTimeout',
  /** The peer closed the connection before it responded. */
  'closed',
  /** The peer does not speak SMPP. */
  'notSmpp',
]);
export type BindOutcome = z.output<typeof bindOutcome>;

/** One PDU of a trial bind. */
const bindTracePdu = z.object({
  direction: z.enum(['out', 'in']),
  /** Milliseconds since the trial began. */
  atMs: count,
  command: z.string(),
  /** command_status; null in requests. */
  status: count.nullable(),
  statusName: z.string().nullable(),
  sequence: count,
  /** The octets in hexadecimal, eight `*` in place of the password; cut after 1,024 octets. */
  hex: z.string(),
});
export type BindTracePdu = z.output<typeof bindTracePdu>;

export const bindTest = z.object({
  outcome: bindOutcome,
  bindType: z.enum(['transceiver', 'transmitter']),
  status: count.nullable(),
  statusName: z.string().nullable(),
  /** Operating system error of a failed connection. */
  detail: z.string().nullable(),
  /** How the carrier names itself. */
  peerSystemId: z.string().nullable(),
  /** sc_interface_version: 52 is SMPP 3.4. */
  peerInterfaceVersion: count.nullable(),
  durationMs: count,
  trace: z.array(bindTracePdu),
});
export type BindTest = z.output<typeof bindTest>;

const params = z.object({ supplierId: uuid });
const staff = [Role.Operator, Role.Admin] as const;

export const supplierRoutes = {
  'GET /suppliers': route({
    summary: 'Supplier accounts with the state of their binds',
    access: staff,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['supplierAccount', '-supplierAccount']).default('supplierAccount'),
      search: z.string().trim().max(100).optional(),
      useState: z.enum(['0', '1']).optional(),
    }),
    response: listOf(supplier),
  }),
  'POST /suppliers': route({
    summary: 'Add a supplier account; senders bind to it at once',
    access: staff,
    status: 201,
    body: z.strictObject({
      supplierAccount: fields.supplierAccount,
      carrier: fields.carrier.default(null),
      host: fields.host,
      port: fields.port,
      systemId: fields.systemId,
      password,
      bindType: fields.bindType.default('transceiver'),
      bindCount: fields.bindCount.default(2),
      windowSize: fields.windowSize.default(100),
      tps: fields.tps.default(1_000),
      profile: fields.profile.default({}),
    }),
    response: supplier,
    errors: ['SUPPLIER_ACCOUNT_TAKEN'],
  }),
  'POST /suppliers/test-bind': route({
    summary: 'Open one bind with these parameters over the network, and close it again; says what was exchanged',
    access: staff,
    body: z.strictObject({
      /**
       * Supplier whose stored password is used if none is given: only for the address and system ID it is stored for.
       */
      supplierId: uuid.optional(),
      host: fields.host,
      port: fields.port,
      systemId: fields.systemId,
      password: password.optional(),
      bindType: fields.bindType.default('transceiver'),
      profile: fields.profile.default({}),
      /** Timeout for the connection, then for the bind response. */
      timeoutMs: z.number().int().min(500).max(30_000).default(10_000),
    }),
    response: bindTest,
  }),
  'GET /suppliers/:supplierId': route({
    summary: 'One supplier account with its binds and how its pace is shared',
    access: staff,
    params,
    response: supplierDetail,
  }),
  'PATCH /suppliers/:supplierId': route({
    summary: 'Edit a supplier account; senders take it over at once, what is on the wire is waited for',
    access: staff,
    params,
    body: z
      .strictObject({ ...fields, password })
      .partial()
      .extend({ version }),
    response: supplier,
    errors: ['SUPPLIER_ACCOUNT_TAKEN', 'CONFLICT'],
  }),
  'POST /suppliers/:supplierId/enable': route({
    summary: 'Enable a supplier account',
    access: staff,
    params,
    response: supplier.extend({ warnings }),
    errors: ['CONFLICT'],
  }),
  'POST /suppliers/:supplierId/disable': route({
    summary: 'Disable a supplier account: nothing more goes there, what waits takes other routes',
    access: staff,
    params,
    response: supplier.extend({ warnings }),
    errors: ['CONFLICT'],
  }),
};
