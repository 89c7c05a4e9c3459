/** Where the time of a run of the tests went. */
import { existsSync, readFileSync } from 'node:fs';

const SHOWN = 25;

/** What test-cost.ts noted: of each file milliseconds of processor time, to be added up. */
export function readCosts(notes: string): [file: string, cpuMs: number][] {
  if (!existsSync(notes)) return [];
  const lines = readFileSync(notes, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { file, cpuMs } = JSON.parse(line) as { file: string; cpuMs: number };
    return [file, cpuMs];
  });
}

/** Lines to print; none where one file ran alone. */
export function listSlowest(wallMs: ReadonlyMap<string, number>, cpuMs: ReadonlyMap<string, number>): string[] {
  if (wallMs.size < 2) return [];
  const sum = (values: Iterable<number>): number => [...values].reduce((total, each) => total + each, 0);
  const line = (wall: number, cpu: number, name: string): string => `${inSeconds(wall)}${inSeconds(cpu)}  ${name}`;
  const slowest = [...wallMs].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  return [
    '\nSlowest files: seconds, and of the processor',
    ...slowest.map(([file, ms]) => line(ms, cpuMs.get(file) ?? 0, file)),
    line(sum(wallMs.values()), sum(cpuMs.values()), `all ${wallMs.size} files`),
  ];
}

const inSeconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(8);
