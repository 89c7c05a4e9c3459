/** The command line was wrong: the message and the usage are shown, no stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}
