/** The value of a field before and after an audit log entry. */
export interface FieldChange {
  /** Path of the field, `profile.windowSize`; empty if the whole is one value. */
  path: string;
  kind: 'added' | 'dropped' | 'changed' | 'same';
  before: string | null;
  after: string | null;
}

/** Lists are one value: their order matters, and they are short. */
function flatten(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (value === null || value === undefined) return found;
  if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (each === null) found.set(join(path, key), '–');
      else flatten(each, join(path, key), found);
    }
    return found;
  }
  found.set(path, shown(value));
  return found;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.map(String).join(', ') || '–';
  return JSON.stringify(value);
}

/** In the order of the fields; what stayed the same comes last. */
export function diffStates(before: unknown, after: unknown): FieldChange[] {
  const was = flatten(before);
  const is = flatten(after);
  const changes = [...new Set([...was.keys(), ...is.keys()])].map((path): FieldChange => {
    const [a, b] = [was.get(path) ?? null, is.get(path) ?? null];
    const kind = a === b ? 'same' : a === null ? 'added' : b === null ? 'dropped' : 'changed';
    return { path, kind, before: a, after: b };
  });
  return [...changes.filter(({ kind }) => kind !== 'same'), ...changes.filter(({ kind }) => kind === 'same')];
}
