import { helpText, readCommandLine } from './command-line.ts';
import { startSimulator } from './simulator.ts';

async function main(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(helpText());
    return;
  }
  const simulator = await startSimulator(options);
  process.stdout.write(
    `Carrier simulator: SMPP port ${simulator.port} (${[...simulator.carriers.keys()].join(', ')}), ` +
      `control http://127.0.0.1:${simulator.controlPort}\n`,
  );
  let isStopping = false;
  const stop = () => {
    // A second signal skips the wait for graceful shutdown.
    if (isStopping) process.exit(1);
    isStopping = true;
    simulator.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function fail(error: unknown): never {
  process.stderr.write(`carrier simulator: ${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is taken; --port and --control choose others, 0 takes a free one`;
  if (code === 'EACCES' && port !== undefined) return `port ${port} may not be used by this user`;
  return error.message.replaceAll('\n', ' ');
}

main().catch(fail);
