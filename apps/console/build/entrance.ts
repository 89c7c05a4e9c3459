/** Which modules the sign-in is made of. */

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * Answers whether a module is one that the named ones import, directly or on the way through our own sources. What such
 * modules share with screens then goes into one chunk of its own, which nothing heavier rides in.
 */
export function importedBy(entries: readonly string[], own: RegExp): (id: string, graph: ModuleGraph) => boolean {
  let found: Set<string> | null = null;
  return (id, graph) => {
    found ??= walk(entries, own, graph);
    return found.has(id);
  };
}

function walk(entries: readonly string[], own: RegExp, graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const waiting = [...entries];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    if (own.test(id)) waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
