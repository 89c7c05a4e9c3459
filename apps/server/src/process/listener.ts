/**
 * The address that the api serves on, held by the supervisor. Each api process listens on this one socket, so there is
 * always a listener while one process is replaced by the next: clients that connect meanwhile wait in its queue.
 *
 * Node has no public API to bind a socket without accepting from it; this is the one that its own `cluster` uses.
 */
import type { SendHandle } from 'node:child_process';
import net, { isIP } from 'node:net';

type CreateHandle = (address: string, port: number, family: 4 | 6) => (SendHandle & { close(): void }) | number;

export interface Listener {
  readonly handle: SendHandle;
  close(): void;
}

/**
 * Returns null if it can't be done (a host name as address, port 0, a system that refuses): each process then binds
 * separately.
 */
export function bindListener(host: string, port: number): Listener | null {
  const family = isIP(host);
  const create = (net as unknown as { _createServerHandle?: CreateHandle })._createServerHandle;
  if (create === undefined || (family !== 4 && family !== 6) || port === 0) return null;
  const handle = create(host, port, family);
  // A number is the system's error.
  return typeof handle === 'number' ? null : { handle, close: () => handle.close() };
}
