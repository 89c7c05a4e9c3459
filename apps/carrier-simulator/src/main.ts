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
  const stop = () => {
    simulator.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`carrier simulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
