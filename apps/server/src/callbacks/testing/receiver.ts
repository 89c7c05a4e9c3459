/** A customer's server: stores its requests, and responds as the test requires. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every type
  readonly body: any;
}

export type Answer = (heard: Heard, response: ServerResponse) => void;

export interface Receiver {
  readonly url: string;
  readonly heard: Heard[];
  /** Default 200. */
  answer: Answer;
  close(): Promise<void>;
}

export const answers = {
  ok: (_: Heard, response: ServerResponse) => void response.end('ok'),
  /** As a customer's server must. */
  challenge: ({ body }: Heard, response: ServerResponse) => void response.end(String(body.data.challenge ?? 'ok')),
  status:
    (status: number, headers: Record<string, string> = {}): Answer =>
    (_, response) =>
      void response.writeHead(status, headers).end('no'),
  never: () => undefined,
} satisfies Record<string, unknown>;

/** Listens on a free port of `host`, an address of loopback. */
export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const isJson = request.headers['content-type'] === 'application/json';
      const body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
      const one = { path: request.url ?? '', headers: request.headers, text, body };
      heard.push(one);
      receiver.answer(one, response);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host}:${port}/hook`,
    heard,
    answer: answers.ok,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
