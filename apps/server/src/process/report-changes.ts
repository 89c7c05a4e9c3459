export interface FailureReport {
  failed(error: unknown): void;
  worked(): void;
}

/**
 * Reports a failure of repeated work unless it is the same as the one before: a database that is away for a minute
 * would otherwise be one log line for each attempt of each loop.
 */
export function reportChanges(report: (error: unknown) => void): FailureReport {
  let last: string | null = null;
  return {
    failed(error) {
      const said = String(error);
      if (said !== last) report(error);
      last = said;
    },
    worked() {
      last = null;
    },
  };
}
