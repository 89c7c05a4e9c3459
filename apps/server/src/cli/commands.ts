import { ROLE_NAMES } from '../process/config.ts';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

export { UsageError } from './usage-error.ts';

interface Entry {
  readonly form: string;
  readonly does: string;
  readonly load: () => Promise<Command>;
}

/** Each loaded on demand: `doctor` must work even if the database driver cannot be loaded. */
const COMMANDS: Record<string, Entry> = {
  start: {
    form: `start [--roles ${ROLE_NAMES.join(',')}]`,
    does: 'starts everything and stays in the foreground',
    load: async () => (await import('./start.ts')).startCommand,
  },
  migrate: {
    form: 'migrate',
    does: 'brings the database up to date',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  seed: {
    form: 'seed',
    does: 'makes the demo accounts and data unless they are there (PAHATID_DEMO=on)',
    load: async () => (await import('./seed.ts')).seedCommand,
  },
  user: {
    form: 'user add --account NAME --email ADDRESS --role ROLE [--customer NAME] [--name NAME]',
    does: 'adds a person; the password comes from the input, or is made and shown once',
    load: async () => (await import('./user.ts')).userCommand,
  },
  verify: {
    form: 'verify [--customer NAME|ID] [--since DATE] [--limit N] [--json] [--repair]',
    does: 'proves that everything counted agrees with what it was counted from (verify --help)',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  doctor: {
    form: 'doctor',
    does: 'shows every setting and what is wrong with this machine',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  backup: {
    form: 'backup [--to DIR] [--keep N] | backup list [--from DIR] | backup rehearse [--from DIR] [--in DIR]',
    does: 'backs up the embedded database, also while messages are being sent; lists backups; restores the last one for a test',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    form: 'restore --at TIME|last [--from DIR] | restore --mark TIME [--from DIR]',
    does: 'restores the embedded database, with sending paused; --mark: pauses sending in one of yours that was restored',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  version: {
    form: 'version',
    does: 'prints the version of this release',
    load: async () => (await import('./version.ts')).versionCommand,
  },
  client: {
    form: 'client COMMAND',
    does: 'the API on the command line, as `npm run client` (client help)',
    load: async () => (await import('./client.ts')).clientCommand,
  },
  run: {
    form: 'run --role ROLE',
    does: 'one role in this process (what start runs)',
    load: async () => (await import('./run.ts')).runCommand,
  },
  help: {
    form: 'help',
    does: 'this text',
    load: async () => async () => {
      console.log(usage());
      return 0;
    },
  },
};

const ALIASES: Record<string, string> = { '--help': 'help', '-h': 'help', '--version': 'version' };

export function findCommand(name: string): Command {
  const entry = COMMANDS[ALIASES[name] ?? name];
  if (entry === undefined) throw new UsageError(`there is no command ${name}`);
  return async (words, env) => (await entry.load())(words, env);
}

export function usage(): string {
  const lines = Object.values(COMMANDS).map(({ form, does }) => `  ${form}\n      ${does}`);
  return `pahatid COMMAND (in a checkout: npm run pahatid -- COMMAND)\n\n${lines.join('\n')}`;
}
