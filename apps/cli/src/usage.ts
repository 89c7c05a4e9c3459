/** A command line that cannot be run as it was given: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: pahatid COMMAND

  login --url URL            store the address and a key, which is read from standard input
  send --to NUMBER …         send a message: --text TEXT [--type verification|notification|marketing],
                             or --template ID [--var VALUE …]; [--sender ID] [--idempotency-key KEY] [--watch]
  watch MESSAGE_ID           print each status of a message until the last
  listen --forward URL       post each event to an address as its callback, signed: [--secret whsec_…], else a new one
                             is printed; [--type message.status …]
  call 'METHOD /path'        call any operation: [--params JSON] [--query JSON] [--body JSON] [--csv]
  verify-callback            check the signature of a callback whose body is read from standard input:
                             --id ID --timestamp SECONDS --signature TEXT; the secret is PAHATID_CALLBACK_SECRET
  mcp [--write] [--live]     serve the API to an assistant over standard input and output (MCP); reading only
                             without --write; sends with a live key only with --live

The address and the key are those of \`login\`, or PAHATID_URL with PAHATID_KEY, or with PAHATID_APP_ID and
PAHATID_APP_SECRET. Answers are JSON. Exit code 1: refused, or no answer; 2: wrong usage.
`;
