import path from 'node:path';

/** Paths of the embedded database's files below the data folder. */
export interface Layout {
  readonly root: string;
  /** PGDATA. */
  readonly cluster: string;
  /** How the name of a cluster being made begins; renamed to `cluster` when whole. */
  readonly draft: string;
  /** How the name of a cluster begins in whose place another was restored. */
  readonly replaced: string;
  readonly pidFile: string;
  readonly password: string;
  readonly lock: string;
  readonly owner: string;
  readonly log: string;
  readonly binaries: string;
  readonly temporaryBinaries: string;
}

export function makeLayout(dataDir: string): Layout {
  const root = path.join(path.resolve(dataDir), 'postgres');
  const cluster = path.join(root, 'cluster');
  return {
    root,
    cluster,
    draft: path.join(root, 'cluster.draft-'),
    replaced: path.join(root, 'cluster.replaced-'),
    pidFile: path.join(cluster, 'postmaster.pid'),
    password: path.join(root, 'password'),
    lock: path.join(root, 'start.lock'),
    owner: path.join(root, 'owner.json'),
    log: path.join(root, 'postgres.log'),
    binaries: path.join(root, 'binaries'),
    temporaryBinaries: path.join(root, 'temporary-binaries'),
  };
}
