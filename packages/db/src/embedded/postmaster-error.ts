/** Carries what PostgreSQL wrote to its log, or why it was not started. */
export class PostmasterError extends Error {
  constructor(said: string) {
    super(`PostgreSQL did not start:\n${said}`);
    this.name = 'PostmasterError';
  }
}
