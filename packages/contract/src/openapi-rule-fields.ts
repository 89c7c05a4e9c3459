/** Fields of callbacks' addresses and log, of thresholds, quiet hours and exports, as those of `openapi-fields.ts`. */
import type { FieldDescription } from './openapi-fields.ts';

export const ruleFields: Readonly<Record<string, FieldDescription>> = {
  // Callbacks
  verifyTime: { description: 'When the address last answered a test with its challenge, UTC; null: never.' },
  failingSince: { description: 'Since when no attempt has succeeded, UTC; null: the last one has.' },
  disableTime: { description: 'When the address was disabled, UTC; null: it is not.' },
  disabledReason: { description: 'Why the address was disabled; null: it is not.' },
  batched: { description: 'Whether events are sent in arrays, up to 500 or a second of them.' },
  events: { description: 'Types of events that the address receives.' },
  lastAttempt: { description: 'The latest attempt; null: none yet.' },
  'lastAttempt.status': { description: 'HTTP status of the response; null: there was none.', example: 200 },
  'tries.status': { description: 'HTTP status of the response; null: there was none.', example: 200 },
  ms: { description: 'From the request to the last octet that was read, milliseconds.', example: 84 },
  response: { description: 'Beginning of the response, up to 1,024 characters; null: there was none.', example: 'ok' },
  secrets: { description: 'Secrets that sign: two while one replaces the other. Never their text.' },
  'secrets.hint': { description: 'Last four characters of the secret.', example: 'k3Qw' },
  which: { description: 'undelivered: what no attempt delivered. all: delivered events too.' },
  subjectId: { description: 'The task, template or sender ID that the event is about; null: another event.' },
  'callbacks.body': {
    description: 'Body of the callback, as JSON in a text.',
    example: '{"type":"message.status","timestamp":"2026-11-22T01:02:03.456Z","data":{}}',
  },
  tries: { description: 'Attempts, newest first, up to 50.' },

  'callbacks.url': { description: 'Address that receives the event.', example: 'https://shop.example/sms' },
  'callback-endpoints.url': { description: 'The address.', example: 'https://shop.example/sms' },
  'endpoint.url': { description: 'The address.', example: 'https://shop.example/sms' },
  'callback-endpoints.waiting': { description: 'Events that wait for the address.', example: 3 },
  'callback.url': { description: 'The address.', example: 'https://shop.example/sms' },
  'callback.waiting': { description: 'Events that wait for the address.', example: 3 },

  // Quiet hours
  isExempt: { description: 'Whether marketing is sent at any hour, as staff allowed.' },
  'quiet-hours.from': { description: 'Hour of the day in Manila at which marketing stops.', example: 21 },
  'quiet-hours.to': { description: 'Hour of the next morning in Manila at which it goes on.', example: 7 },

  // Thresholds
  'thresholds.alertAt': { description: 'Amount at which contacts are notified; null: they are not.', example: 8000 },
  'thresholds.limitAt': {
    description: 'Amount at which nothing more is accepted; null: it only alerts.',
    example: 10000,
  },
  'thresholds.bound': {
    description: 'Rate in 1/100 %, or delay in seconds, at which a rule of quality acts; null: another kind.',
    example: 8000,
  },
  sameContentPer30s: { description: 'Messages of one text to one phone in 30 seconds; null: any number.', example: 1 },
  perMinute: { description: 'Messages to one phone in a minute; null: any number.', example: 2 },
  perHour: { description: 'Messages to one phone in an hour; null: any number.', example: 5 },
  'thresholds.perDay': { description: 'Messages to one phone in a day; null: any number.', example: 10 },
  'thresholds.amount': { description: 'Messages measured, or tasks paused or let go; null: neither.', example: 1200 },
  'lastEvent.amount': { description: 'Messages measured, or tasks paused or let go; null: neither.', example: 1200 },
  userName: { description: 'Name of the person that resumed it; null: nobody did.', example: 'Ana Reyes' },
  setBy: { description: 'Whose rule it is: the customer’s, or set by staff.' },
  'thresholds.metric': { description: 'What a rule of quality measures; null: another kind.' },
  minVolume: { description: 'With fewer messages the rule does not act; null: another kind.', example: 100 },
  graceSeconds: {
    description: 'Messages younger than this are not measured, seconds; null: another kind.',
    example: 300,
  },
  act: { description: 'What is done beside the alert; null: another kind.' },
  'thresholds.factor': {
    description: 'How many times the usual number is a sign of pumping; null: another kind.',
    example: 5,
  },
  slowTo: {
    description: 'Messages a minute that an application may send after a sign of pumping; null: another kind.',
    example: 30,
  },
  'thresholds.emails': { description: 'Addresses that are notified beside the owners.' },
  'thresholds.webhooks': { description: 'URLs that are notified.' },
  'state.volume': { description: 'Messages of which the quality was measured; null: another kind.', example: 1200 },
  periodEnd: { description: 'When the period of a volume ends, UTC; null: another kind.' },
  stage: { description: 'idle: disabled or nothing to measure. alert, limit: at or past it. ok: neither.' },
  pausedTasks: { description: 'Tasks that the rule has paused.', example: 0 },
  pausedApplication: { description: 'Whether the rule has paused its application.' },
  slowedApplication: { description: 'Whether the rule has slowed its application.' },
  'thresholds.exempt': { description: 'Numbers that the rule does not hold for.' },
  lastEvent: { description: 'What the rule did last; null: nothing yet.' },
  notified: { description: 'Whether contacts were notified: they are not within the silence time.' },

  // Exports
  exportId: { description: 'The export.' },
  'exports.list': { description: 'List of which the file is made.' },
  byteCount: { description: 'Size of the csv so far, bytes.', example: 182044 },
  'exports.percent': { description: 'How much of the time asked for is written, 0 to 100.', example: 40 },
  'query.sendStatus': { description: 'Send statuses, separated by commas.', example: '2,3' },
  'query.clientStatus': { description: 'Client statuses, separated by commas.', example: '2,3' },
  'query.smsType': { description: 'Types of messages, separated by commas.', example: '1,2' },
  'exports.query': { description: 'Filters, as those of `GET /records`.' },
};
