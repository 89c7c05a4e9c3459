/**
 * Ends the process of a test file that something keeps after its last test, such as the loops of a role that a failed test did
 * not stop: the runner's own timeout does not, and would wait forever.
 */
import { after } from 'node:test';

const LEFT_OPEN_MS = Number(process.env.PAHATID_TEST_LEFT_OPEN_MS ?? 120_000);

export function endIfLeftOpen(): void {
  after(() => {
    const end = (): never => {
      console.error(`left open after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit(1);
    };
    setTimeout(end, LEFT_OPEN_MS).unref();
  });
}
