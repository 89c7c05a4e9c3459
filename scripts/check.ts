/** `npm run check`: one line for each check, the problems below the one that found them. */
import { runChecks } from './checks.ts';

let failed = 0;
const startedAt = performance.now();
await runChecks(process.argv.slice(2), ({ name, problems, ms }) => {
  if (problems !== '') failed++;
  console.log(`${problems === '' ? 'ok   ' : 'FAILS'} ${name} (${ms} ms)${problems === '' ? '' : `\n${problems}\n`}`);
});
console.log(
  `${failed === 0 ? 'All checks pass' : `${failed} checks fail`} (${Math.round(performance.now() - startedAt)} ms)`,
);
process.exitCode = failed === 0 ? 0 : 1;
