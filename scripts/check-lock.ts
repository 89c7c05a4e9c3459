/**
 * Checks package-lock.json: every package is bound to its bytes by a hash and to no registry, and none is missing. `npm
 * install` omits packages for other platforms that the registry at hand lacks, and `npm ci` then refuses the lock: choose
 * versions that the registry has whole.
 */

interface Entry {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

export interface Lock {
  packages: Record<string, Entry>;
}

/** Returns the problems, one a line; nothing if there are none. */
export function checkLock(lock: Lock): string {
  const problems = findMissing(lock).map((name) => `lacks ${name}`);
  for (const [place, { resolved, link, integrity }] of Object.entries(lock.packages)) {
    if (link || !place.includes('node_modules/')) continue;
    if (resolved !== undefined) problems.push(`${place} records a download address`);
    if (integrity === undefined) problems.push(`${place} has no integrity`);
  }
  return problems.map((problem) => `package-lock.json: ${problem}`).join('\n');
}

/** Returns optional packages that a package of the lock names and the lock does not have. */
function findMissing(lock: Lock): string[] {
  const missing = new Set<string>();
  for (const [owner, { optionalDependencies = {} }] of Object.entries(lock.packages))
    for (const name of Object.keys(optionalDependencies))
      if (!placesOf(owner, name).some((place) => place in lock.packages)) missing.add(name);
  return [...missing];
}

/** Paths where Node would look for it, from the owner's own folder up. */
function placesOf(owner: string, name: string): string[] {
  const places = [`node_modules/${name}`];
  for (let folder = owner; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    places.push(`${folder}/node_modules/${name}`);
  }
  return places;
}
