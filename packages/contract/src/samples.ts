/** Complete small programs that call the API or receive its callbacks: shown to new users, and run by tests. */

export const sampleLanguages = ['curl', 'node', 'python'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

export interface SampleTarget {
  /** With `/api/v1`. */
  readonly baseUrl: string;
  readonly appId: string;
}

/** Environment variables from which the samples read secrets. */
export const appSecretVariable = 'PAHATID_APP_SECRET';
export const callbackSecretVariable = 'PAHATID_CALLBACK_SECRET';

type Sample = (target: SampleTarget) => string;

const send: Record<SampleLanguage, Sample> = {
  curl: ({ baseUrl, appId }) => `curl -sS -u "${appId}:$${appSecretVariable}" ${baseUrl}/messages \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-10293-ready' \\
  -d '{"to": "+639171234567", "smsType": 2, "content": "Your order 10293 is ready for pick-up."}'`,

  node: ({ baseUrl, appId }) => `const credentials = \`${appId}:\${process.env.${appSecretVariable}}\`;
const answer = await fetch('${baseUrl}/messages', {
  method: 'POST',
  headers: {
    Authorization: \`Basic \${Buffer.from(credentials).toString('base64')}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-10293-ready',
  },
  body: JSON.stringify({
    to: '+639171234567',
    smsType: 2,
    content: 'Your order 10293 is ready for pick-up.',
  }),
});
const message = await answer.json();
if (!answer.ok) throw new Error(message.code);
console.log(message.messageId, message.pkgTotal);`,

  python: ({ baseUrl, appId }) => `import base64, json, os, urllib.error, urllib.request

credentials = f"${appId}:{os.environ['${appSecretVariable}']}"
request = urllib.request.Request(
    "${baseUrl}/messages",
    method="POST",
    headers={
        "Authorization": "Basic " + base64.b64encode(credentials.encode()).decode(),
        "Content-Type": "application/json",
        "Idempotency-Key": "order-10293-ready",
    },
    data=json.dumps({
        "to": "+639171234567",
        "smsType": 2,
        "content": "Your order 10293 is ready for pick-up.",
    }).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        message = json.load(answer)
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["code"])
print(message["messageId"], message["pkgTotal"])`,
};

const read: Record<SampleLanguage, Sample> = {
  curl: ({ baseUrl, appId }) => `curl -sS -u "${appId}:$${appSecretVariable}" ${baseUrl}/messages/$MESSAGE_ID`,

  node: ({ baseUrl, appId }) => `const credentials = \`${appId}:\${process.env.${appSecretVariable}}\`;
const answer = await fetch(\`${baseUrl}/messages/\${process.env.MESSAGE_ID}\`, {
  headers: { Authorization: \`Basic \${Buffer.from(credentials).toString('base64')}\` },
});
const message = await answer.json();
if (!answer.ok) throw new Error(message.code);
console.log(message.clientStatus, message.dealResult);`,

  python: ({ baseUrl, appId }) => `import base64, json, os, urllib.error, urllib.request

credentials = f"${appId}:{os.environ['${appSecretVariable}']}"
request = urllib.request.Request(
    "${baseUrl}/messages/" + os.environ["MESSAGE_ID"],
    headers={"Authorization": "Basic " + base64.b64encode(credentials.encode()).decode()},
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        message = json.load(answer)
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["code"])
print(message["clientStatus"], message["dealResult"])`,
};

const verifyNode = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.${callbackSecretVariable}.replace('whsec_', ''), 'base64');

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const { type, data } = JSON.parse(body);
  // Store it under its webhook-id first: after a 2xx it is not sent again.
  console.log(request.headers['webhook-id'], type, data);
  response.end(type === 'test' ? data.challenge : undefined);
}).listen(process.env.PORT ?? 8081);`;

const verifyPython = `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["${callbackSecretVariable}"].replace("whsec_", ""))


def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected.encode(), given.encode()) for given in signatures)


class Callbacks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        event = json.loads(body) if genuine else {}
        if genuine:
            # Store it under its webhook-id first: after a 2xx it is not sent again.
            print(self.headers["webhook-id"], event["type"], event["data"], flush=True)
        self.send_response(200 if genuine else 401)
        self.end_headers()
        if event.get("type") == "test":
            self.wfile.write(event["data"]["challenge"].encode())


HTTPServer(("", int(os.environ.get("PORT", 8081))), Callbacks).serve_forever()`;

export const makeSendSample = (language: SampleLanguage, target: SampleTarget): string => send[language](target);

/** A call with a key, for a shell. */
export const makeKeySample = ({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string }): string =>
  `curl -sS -H "Authorization: Bearer ${apiKey}" ${baseUrl}/messages \\
  -H 'Content-Type: application/json' \\
  -d '{"to": "+639171234567", "smsType": 2, "content": "Your order 10293 is ready for pick-up."}'`;

/** Reads the id of the message from MESSAGE_ID. */
export const makeReadSample = (language: SampleLanguage, target: SampleTarget): string => read[language](target);

/** A server on PORT that takes callbacks. A shell can't be one. */
export const verifySamples: Record<Exclude<SampleLanguage, 'curl'>, string> = {
  node: verifyNode,
  python: verifyPython,
};
