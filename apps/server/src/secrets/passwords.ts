/**
 * Passwords: argon2id with OWASP's minimum (19 MiB, two passes, one lane). A check takes 10 ms of a core and 19 MiB, so
 * at most four run concurrently and two hundred wait: a flood of sign-ins can starve neither the machine nor the other
 * calls.
 */
import { hash, verify } from '@node-rs/argon2';

/** argon2id is the library's own choice of algorithm. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const currentForm = `$argon2id$v=19$m=${options.memoryCost},t=${options.timeCost},p=${options.parallelism}$`;

const maxRunning = 4;
const maxWaiting = 200;

export class PasswordsBusyError extends Error {
  override name = 'PasswordsBusyError';
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * If `kept` is null (no such account), takes as long as for a wrong password and returns false. Throws
   * `PasswordsBusyError`.
   */
  verify(kept: string | null, password: string): Promise<boolean>;
  /** Whether a hash was created with outdated parameters. */
  isOutdated(kept: string): boolean;
}

export function makePasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];
  // A hash that no password opens, made once; accounts that do not exist are checked against it.
  const dummy = hash(crypto.randomUUID(), options);

  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) throw new PasswordsBusyError();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  return {
    hash: (password) => limited(() => hash(password.normalize('NFC'), options)),
    verify: (kept, password) =>
      limited(async () => {
        const isRight = await verify(kept ?? (await dummy), password.normalize('NFC'));
        return isRight && kept !== null;
      }),
    isOutdated: (kept) => !kept.startsWith(currentForm),
  };
}
