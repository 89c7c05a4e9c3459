/**
 * Loaded before a program (`--import`): its wall clock follows a file that contains its offset in milliseconds, as if
 * the machine's clock were set. The monotonic clock and timers are unaffected, as on a real machine.
 */
import { readFileSync } from 'node:fs';

const file = process.env['MOVED_DATE'] ?? '';
const RealDate = Date;
let aheadMs = 0;

function look(): void {
  try {
    aheadMs = Number(readFileSync(file, 'utf8'));
  } catch {
    // Being written at this moment, or deleted with the test.
  }
}
look();
setInterval(look, 10).unref();

class MovedDate extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + aheadMs);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}
globalThis.Date = MovedDate as DateConstructor;
