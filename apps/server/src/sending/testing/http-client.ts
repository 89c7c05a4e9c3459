/**
 * A client for measuring: one kept connection, one request at a time, written and read with next to no work, so that a
 * measurement on shared cores is one of the server. It understands what our server answers: a status, a length, a body.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

export class HttpClient {
  private readonly socket: Socket;
  private read: Buffer = Buffer.alloc(0);
  private waiting: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<HttpClient> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new HttpClient(socket);
  }

  post(path: string, authorization: string, body: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) throw new Error('the server has closed the connection');
      this.waiting = { resolve, reject };
      this.socket.write(
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  }

  close(): void {
    this.waiting = null;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.read = this.read.length === 0 ? chunk : Buffer.concat([this.read, chunk]);
    const headEnd = this.read.indexOf(END_OF_HEAD);
    if (headEnd === -1) return;
    const head = this.read.toString('latin1', 0, headEnd);
    const bodyAt = headEnd + END_OF_HEAD.length;
    const bodyEnd = bodyAt + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.read.length < bodyEnd) return;
    const answer = { status: Number(head.slice(9, 12)), body: this.read.toString('utf8', bodyAt, bodyEnd) };
    this.read = this.read.subarray(bodyEnd);
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve(answer);
  }
}
