/** Which modules the sign-in is made of. */

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * Returns whether a module is imported by the named ones, directly or through our own sources. Modules shared with
 * screens then go into a separate chunk, which contains nothing heavier.
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
