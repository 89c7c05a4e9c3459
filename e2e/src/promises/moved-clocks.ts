/**
 * Clocks that can be set: the database's, for every statement of every process, and the wall clocks of processes. The
 * database's is moved by functions of the same names, found before PostgreSQL's own on the search path.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { World } from './world.ts';

const functions = `
  create schema moved;
  grant usage on schema moved to public;
  create table moved.clock (ahead interval not null);
  grant select on moved.clock to public;
  insert into moved.clock values ('0');
  create function moved.clock_timestamp() returns timestamptz volatile language sql
    as 'select pg_catalog.clock_timestamp() + (select ahead from moved.clock)';
  create function moved.now() returns timestamptz stable language sql
    as 'select pg_catalog.now() + (select ahead from moved.clock)';`;

export class MovedClocks {
  readonly #world: World;
  readonly #file: string;

  private constructor(world: World, file: string) {
    this.#world = world;
    this.#file = file;
  }

  /** For the processes that are started from now on with `env`. */
  static async of(t: TestContext, world: World): Promise<MovedClocks> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-clock-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const clocks = new MovedClocks(world, path.join(folder, 'ahead'));
    clocks.setProcesses(0);
    await world.pool.query(functions);
    const { rows } = await world.pool.query<{ name: string }>('select quote_ident(current_database()) as name');
    await world.pool.query(`alter database ${rows[0]?.name} set search_path = public, moved, pg_catalog`);
    return clocks;
  }

  /** Environment of processes whose wall clock follows `setProcesses`. */
  get env(): Record<string, string> {
    const preload = pathToFileURL(path.join(import.meta.dirname, 'moved-date.ts')).href;
    return { NODE_OPTIONS: `--import=${preload}`, MOVED_DATE: this.#file };
  }

  async setDatabase(aheadMs: number): Promise<void> {
    await this.#world.pool.query(`update moved.clock set ahead = $1::float8 * interval '1 millisecond'`, [aheadMs]);
  }

  setProcesses(aheadMs: number): void {
    writeFileSync(`${this.#file}.draft`, String(aheadMs));
    renameSync(`${this.#file}.draft`, this.#file);
  }

  async setAll(aheadMs: number): Promise<void> {
    this.setProcesses(aheadMs);
    await this.setDatabase(aheadMs);
  }
}
