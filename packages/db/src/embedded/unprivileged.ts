import { readFileSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/** PostgreSQL refuses to run as root, so root lends it another user's rights. */
export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Tried in this order, then any other user except root. initdb requires an entry for the user in the passwd file. */
const PREFERRED = ['postgres', 'nobody', 'daemon', 'node'];

/** @param passwd content of /etc/passwd */
export function chooseUser(passwd: string): User {
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid > 0);
  const chosen = PREFERRED.map((name) => users.find((user) => user.name === name)).find((user) => user !== undefined);
  const user = chosen ?? users[0];
  if (user === undefined) throw new Error('PostgreSQL does not run as root, and /etc/passwd has no other user');
  return user;
}

/** The user to run PostgreSQL as, or null when we are no root and simply run it as ourselves. */
export function userForPostgres(clusterDir: string, passwdFile: string): User | null {
  if (process.getuid?.() !== 0) return null;
  // Existing data stays with its owner, regardless of which user would be chosen today.
  const owner = statOrNull(clusterDir);
  const passwd = readFileSync(passwdFile, 'utf8');
  if (owner !== null && owner.uid !== 0) return { name: nameOf(passwd, owner.uid), uid: owner.uid, gid: owner.gid };
  return chooseUser(passwd);
}

function nameOf(passwd: string, uid: number): string {
  const line = passwd.split('\n').find((each) => each.split(':')[2] === String(uid));
  return line?.split(':')[0] ?? String(uid);
}

/**
 * Whether `user` can traverse every folder above `target` and read it (and execute it, if it is a program or folder).
 */
export function canReach(target: string, user: User): boolean {
  const parts = path.resolve(target).split(path.sep);
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = statOrNull(parts.slice(0, depth).join(path.sep) || '/');
    if (folder === null || !has(folder, user, 0o1)) return false;
  }
  const last = statOrNull(target);
  return last !== null && has(last, user, last.isDirectory() || (last.mode & 0o100) !== 0 ? 0o5 : 0o4);
}

function has(stats: Stats, user: User, rights: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & rights) === rights;
}

function statOrNull(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}
