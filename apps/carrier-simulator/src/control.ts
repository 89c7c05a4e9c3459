/**
 * The simulator's controls and journal, as JSON over HTTP on the loopback interface. Tests in other processes set
 * faults and read the journal here.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import { readDisconnectHow } from './faults.ts';
import type { Journal, JournalFilter } from './journal.ts';
import { MALFORMED } from './malformed.ts';

export type ControlServer = { port: number; stop(): Promise<void> };
type Carriers = ReadonlyMap<string, Carrier>;
type Body = Record<string, unknown>;

const MAX_BODY_OCTETS = 1_048_576;
const MAX_PAGE = 10_000;

class ControlError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Every call, as `--help` and the README show it. */
export const CONTROL_CALLS: readonly (readonly [call: string, does: string])[] = [
  ['GET /', 'this list'],
  ['GET /counters', 'totals, and the same for each carrier'],
  ['POST /reset', 'forgets journal and counters; binds, faults and due receipts stay'],
  [
    'GET /journal?carrier=&destination=&source=&status=&from=0&limit=1000',
    'submits: { items, next }; next is the following from',
  ],
  ['GET /journal.ndjson?carrier=…', 'all of them, a JSON object a line'],
  ['GET /destinations?minCopies=2&limit=1000', 'destinations that got at least so many messages'],
  ['GET /destinations/639171234567', 'how many messages it got, by carrier'],
  ['GET /malformed', 'the malformed PDUs there are, with their octets'],
  ['GET /carriers', 'profiles and faults'],
  ['GET /carriers/globe', 'the same of one; "all" stands for every carrier in the calls below'],
  [
    'PATCH /carriers/globe',
    'changes the profile: { "tps": 300, "outcomes": { "delivered": 1 }, "receipt": { "tlvs": [] } }',
  ],
  [
    'PATCH /carriers/globe/faults',
    'switches faults: { "earlyReceipt": 0.1, "errors": [{ "status": 88, "rate": 0.05 }] }',
  ],
  ['DELETE /carriers/globe/faults', 'switches all of them off'],
  ['POST /carriers/globe/disconnect', '{ "how": "unbind" | "reset" | "close" }'],
  ['POST /carriers/globe/malformed', '{ "name" } of a malformed PDU, to every bind'],
  ['POST /carriers/globe/octets', '{ "hex": "…" } to every bind, PDU or not'],
  [
    'POST /carriers/globe/messages',
    'a message from a phone: { "from", "to", "text", "joinedBy"?, "reference"?, "order"? }',
  ],
  ['POST /carriers/globe/receipts', 'a receipt of any id: { "id", "destination", "source"?, "stat"?, "err"? }'],
];

/** Loopback only, wherever the carriers listen. */
export async function startControl(port: number, carriers: Carriers, journal: Journal): Promise<ControlServer> {
  const server = createServer((request, response) => {
    void answer(request, response, carriers, journal);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, carriers: Carriers, journal: Journal) {
  try {
    assertNoBrowser(request);
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/journal.ndjson') {
      await streamJournal(response, journal, url.searchParams);
      return;
    }
    const result = await route(request, url, carriers, journal);
    send(response, 200, result);
  } catch (error) {
    const status = error instanceof ControlError ? error.status : 400;
    send(response, status, { error: error instanceof Error ? error.message : String(error) });
  }
}

/** A web page must not reach a carrier's switches through its visitor's browser. */
function assertNoBrowser(request: IncomingMessage): void {
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined) {
    throw new ControlError(403, 'not for browsers');
  }
}

async function route(request: IncomingMessage, url: URL, carriers: Carriers, journal: Journal): Promise<unknown> {
  const [resource, name, part] = url.pathname.split('/').slice(1).map(decodeURIComponent);
  if (resource === 'carriers' && name !== undefined) return routeCarrier(request, carriers, name, part);
  switch (`${request.method} /${resource}`) {
    case 'GET /':
      return Object.fromEntries(CONTROL_CALLS);
    case 'GET /counters':
      return counters(carriers, journal);
    case 'POST /reset':
      journal.clear();
      for (const carrier of carriers.values()) carrier.clearCounters();
      return { done: true };
    case 'GET /journal':
      return journalPage(journal, url.searchParams);
    case 'GET /destinations':
      return name === undefined ? manyCopies(carriers, url.searchParams) : copies(carriers, name);
    case 'GET /malformed':
      return { items: MALFORMED };
    case 'GET /carriers':
      return [...carriers.values()].map(describe);
    default:
      throw new ControlError(404, 'no such call; GET / lists them');
  }
}

async function routeCarrier(
  request: IncomingMessage,
  carriers: Carriers,
  name: string,
  part: string | undefined,
): Promise<unknown> {
  const chosen = name === 'all' ? [...carriers.values()] : [carriers.get(name)];
  if (chosen[0] === undefined) throw new ControlError(404, `no such carrier: ${name}`);
  const body = await readBody(request);
  const forEach = (run: (carrier: Carrier) => void) => {
    for (const carrier of chosen) if (carrier !== undefined) run(carrier);
    return { done: true };
  };
  switch (`${request.method} ${part ?? ''}`) {
    case 'GET ':
      return name === 'all' ? [...carriers.values()].map(describe) : describe(chosen[0]);
    case 'PATCH ':
      return forEach((carrier) => carrier.change(body));
    case 'PATCH faults':
      return forEach((carrier) => carrier.setFaults(body));
    case 'DELETE faults':
      return forEach((carrier) => carrier.clearFaults());
    case 'POST disconnect':
      return forEach((carrier) => carrier.disconnect(readDisconnectHow(body.how ?? 'close')));
    case 'POST malformed':
      return forEach((carrier) => carrier.sendMalformed(text(body, 'name')));
    case 'POST octets':
      return forEach((carrier) => carrier.sendOctets(Buffer.from(text(body, 'hex').replaceAll(' ', ''), 'hex')));
    case 'POST messages': {
      const message = { ...body, from: text(body, 'from'), to: text(body, 'to'), text: text(body, 'text') };
      return forEach((carrier) => carrier.sendInbound(message));
    }
    case 'POST receipts': {
      const receipt = { ...body, id: text(body, 'id'), destination: text(body, 'destination') };
      return forEach((carrier) => carrier.sendReceipt(receipt));
    }
    default:
      throw new ControlError(404, 'no such call; GET / lists them');
  }
}

function describe(carrier: Carrier) {
  return { ...carrier.profile, faults: carrier.faults, binds: carrier.bindCount };
}

function counters(carriers: Carriers, journal: Journal) {
  const byCarrier = Object.fromEntries([...carriers].map(([name, carrier]) => [name, carrier.counters()]));
  const sum = (of: (carrier: ReturnType<Carrier['counters']>) => number) =>
    Object.values(byCarrier).reduce((total, carrier) => total + of(carrier), 0);
  return {
    journal: journal.length,
    received: sum((carrier) => carrier.received),
    submits: sum((carrier) => carrier.submits),
    messages: sum((carrier) => carrier.messages),
    unique: sum((carrier) => carrier.unique),
    duplicates: sum((carrier) => carrier.duplicates),
    incomplete: sum((carrier) => carrier.incomplete),
    receiptsScheduled: sum((carrier) => carrier.receiptsScheduled),
    deliveriesWaiting: sum((carrier) => carrier.deliveriesWaiting),
    carriers: byCarrier,
  };
}

function journalFilter(query: URLSearchParams): JournalFilter {
  const filter: JournalFilter = {};
  const [carrier, destination, source, status] = ['carrier', 'destination', 'source', 'status'].map((name) =>
    query.get(name),
  );
  if (carrier) filter.carrier = carrier;
  if (destination) filter.destination = destination;
  if (source) filter.source = source;
  if (status) filter.status = Number(status);
  return filter;
}

function journalPage(journal: Journal, query: URLSearchParams) {
  const limit = pageSize(query);
  const items = [];
  for (const entry of journal.entries(journalFilter(query), Number(query.get('from') ?? 0))) {
    items.push(entry);
    if (items.length === limit) return { items, next: entry.at + 1 };
  }
  return { items, next: null };
}

async function streamJournal(response: ServerResponse, journal: Journal, query: URLSearchParams): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  let lines = '';
  for (const entry of journal.entries(journalFilter(query))) {
    lines += `${JSON.stringify(entry)}\n`;
    if (lines.length < 65_536) continue;
    if (!response.write(lines)) await new Promise((resolve) => response.once('drain', resolve));
    lines = '';
  }
  response.end(lines);
}

function manyCopies(carriers: Carriers, query: URLSearchParams) {
  const minCopies = Number(query.get('minCopies') ?? 2);
  const limit = pageSize(query);
  const items = [];
  for (const [carrier, { counts }] of carriers) {
    for (const found of counts.destinations(minCopies)) {
      if (items.length < limit) items.push({ carrier, ...found });
    }
  }
  return { items };
}

function copies(carriers: Carriers, destination: string) {
  const byCarrier = [...carriers].map(([name, { counts }]) => [name, counts.copiesTo(destination)] as const);
  return {
    destination,
    copies: byCarrier.reduce((total, [, count]) => total + count, 0),
    carriers: Object.fromEntries(byCarrier),
  };
}

function pageSize(query: URLSearchParams): number {
  return Math.min(MAX_PAGE, Math.max(1, Number(query.get('limit') ?? 1_000) || 1));
}

function text(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new ControlError(400, `${name} must be a string`);
  return value;
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > MAX_BODY_OCTETS) throw new ControlError(413, 'too long');
    chunks.push(chunk);
  }
  if (octets === 0) return {};
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ControlError(400, 'a JSON object is expected');
  return body as Body;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
