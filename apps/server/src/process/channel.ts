/**
 * Requests and replies between the supervisor and its children, over the channel that Node gives a child process.
 * Either side may ask; a handle (a listening socket) may accompany a reply. Other messages are ignored.
 */
import type { ChildProcess, SendHandle } from 'node:child_process';

/** Of which address a listening socket is wanted. */
export type ListenerName = 'listener' | 'smppListener' | 'smppTlsListener';
export type Question = 'metrics' | 'roles' | ListenerName;

export interface Answer {
  readonly value: unknown;
  readonly handle?: SendHandle | undefined;
}

interface Ask {
  readonly ask: Question;
  readonly id: number;
}
interface Reply {
  readonly reply: number;
  readonly value: unknown;
}

type Peer = Pick<ChildProcess | NodeJS.Process, 'send' | 'connected'> & {
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
};

export class Channel {
  private readonly peer: Peer;
  private readonly waiting = new Map<number, (answer: { value: unknown; handle: unknown } | null) => void>();
  private nextId = 1;

  /** `answer`: handles questions of the other side; undefined for unknown ones. */
  constructor(peer: Peer, answer: (question: Question) => Promise<Answer | undefined>) {
    this.peer = peer;
    peer.on('message', (message, handle) => {
      if (isReply(message)) this.waiting.get(message.reply)?.({ value: message.value, handle });
      else if (isAsk(message)) void this.reply(message, answer);
    });
  }

  /** Returns null if the other side does not reply in time, or there is none. */
  async ask(question: Question, timeoutMs: number): Promise<{ value: unknown; handle: unknown } | null> {
    if (this.peer.send === undefined || !this.peer.connected) return null;
    const id = this.nextId++;
    return await new Promise((resolve) => {
      const done = (answer: { value: unknown; handle: unknown } | null): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(done, timeoutMs, null);
      this.waiting.set(id, done);
      this.send({ ask: question, id } satisfies Ask);
    });
  }

  private async reply({ ask, id }: Ask, answer: (question: Question) => Promise<Answer | undefined>): Promise<void> {
    const found = await answer(ask).catch(() => undefined);
    if (found !== undefined) this.send({ reply: id, value: found.value } satisfies Reply, found.handle);
  }

  /** The other side may exit at any moment: callers waiting for it time out. */
  private send(message: object, handle?: SendHandle): void {
    if (this.peer.connected) this.peer.send?.(message, handle, {}, () => undefined);
  }
}

const isAsk = (message: unknown): message is Ask =>
  typeof message === 'object' && message !== null && 'ask' in message && 'id' in message;

const isReply = (message: unknown): message is Reply =>
  typeof message === 'object' && message !== null && 'reply' in message;
