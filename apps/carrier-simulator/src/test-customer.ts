/** A customer of the simulator for its tests: binds, submits, and keeps everything it hears. */
import {
  connectSession,
  type DataSm,
  type DeliverSm,
  isReceipt,
  makePdu,
  type Receipt,
  type ResponsePdu,
  readReceipt,
  type Session,
  type SubmitSm,
} from '@pahatid/smpp';
import { type SimulatorOptions, startSimulator } from './simulator.ts';

export type CustomerEvent =
  | {
      event: 'response';
      token: string;
      status: number;
      messageId: string | undefined;
      late: boolean;
      pdu: ResponsePdu | undefined;
    }
  | { event: 'unknown'; token: string }
  | { event: 'receipt'; receipt: Receipt; pdu: DeliverSm | DataSm }
  | { event: 'message'; pdu: DeliverSm | DataSm }
  | { event: 'close'; reason: string };

export async function until(condition: () => boolean, what: string): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

type Cleanup = { after(run: () => Promise<void> | void): void };

/** A simulator on free ports that delivers everything immediately by default. */
export async function startQuick(t: Cleanup, options: SimulatorOptions = {}) {
  const all = { outcomes: { delivered: 1 }, receiptDelay: { fromMs: 0, toMs: 0 }, ...options.all };
  const simulator = await startSimulator({ port: 0, controlPort: 0, firstId: 1_000_000, ...options, all });
  t.after(() => simulator.stop());
  return simulator;
}

class Customer {
  readonly heard: CustomerEvent[] = [];
  session!: Session<string>;
  /** The status receipts are answered with; undefined leaves them unanswered. */
  answerWith: number | undefined = 0;

  of<E extends CustomerEvent['event']>(event: E): Extract<CustomerEvent, { event: E }>[] {
    return this.heard.filter((entry): entry is Extract<CustomerEvent, { event: E }> => entry.event === event);
  }

  submit(destination: string, text = 'Hi', fields: Partial<SubmitSm> = {}): void {
    const pdu = makePdu('submit_sm', {
      source_addr_ton: 5,
      source_addr: 'SARISARI',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: destination,
      registered_delivery: 1,
      short_message: Buffer.from(text),
      ...fields,
    });
    this.session.send(pdu, destination);
  }

  query(message_id: string, source_addr = 'SARISARI'): void {
    this.session.send(makePdu('query_sm', { message_id, source_addr_ton: 5, source_addr }), `query ${message_id}`);
  }

  async waitFor(event: CustomerEvent['event'], count = 1): Promise<void> {
    await until(() => this.of(event).length >= count, `${count} ${event}`);
  }
}

/** Binds; returns the status if the bind is refused. */
export async function bindCustomer(
  port: number,
  options: Partial<Parameters<typeof connectSession>[0]> = {},
): Promise<Customer | number> {
  const customer = new Customer();
  const { heard } = customer;
  const account = { host: '127.0.0.1', port, mode: 'transceiver', system_id: 'globe', password: 'globepw' } as const;
  const result = await connectSession<string>(
    { ...account, window: 100, ...options },
    {
      onResponse: (token, status, messageId, late, pdu) =>
        heard.push({ event: 'response', token, status, messageId, late, pdu }),
      onUnknown: (token) => heard.push({ event: 'unknown', token }),
      onDeliver: (pdu, respond) => {
        const receipt = isReceipt(pdu) ? readReceipt(pdu) : undefined;
        heard.push(receipt === undefined ? { event: 'message', pdu } : { event: 'receipt', receipt, pdu });
        if (customer.answerWith !== undefined) respond(customer.answerWith);
      },
      onClose: (reason) => heard.push({ event: 'close', reason }),
    },
  );
  if (!result.bound) return result.status ?? -1;
  customer.session = result.session;
  return customer;
}

/** Returns a bound customer that is closed when the test ends. */
export async function boundCustomer(
  t: Cleanup,
  port: number,
  options: Partial<Parameters<typeof connectSession>[0]> = {},
): Promise<Customer> {
  const customer = await bindCustomer(port, options);
  if (typeof customer === 'number') throw new Error(`refused: ${customer}`);
  t.after(() => customer.session.close());
  return customer;
}

/** Calls the control API and returns the JSON; throws on an error. */
export async function control<T = Record<string, unknown>>(
  port: number,
  call: string,
  body?: Record<string, unknown>,
): Promise<T> {
  const [method = 'GET', path = '/'] = call.split(' ');
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(`${response.status} ${answer.error ?? ''}`);
  return answer;
}
