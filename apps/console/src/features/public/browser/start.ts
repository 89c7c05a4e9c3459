/**
 * The script of the quick start: that of every page of the documentation, and a test key that is made on the page. Nothing
 * is asked before the button is pressed, so the page is the same for every visitor. The key is only in the text of this
 * page, and leaves it with the visitor.
 */
import './docs.ts';

const placeholder = 'pk_test_…';
const dayMs = 86_400_000;
const validDays = 7;

interface Answer {
  status: number;
  body: {
    code?: string;
    apiKey?: string;
    user?: { role: string };
    items?: { appId: string }[];
  };
}

async function ask(path: string, body?: object): Promise<Answer> {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`/api/v1${path}`, init);
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

/** Texts of the results, all in the page: the one named is shown. */
type Outcome = 'made' | 'signIn' | 'role' | 'application' | 'proof' | 'failed';

async function makeKey(keyName: string): Promise<Outcome> {
  const session = await ask('/session');
  if (session.status === 401) return 'signIn';
  if (!['owner', 'member'].includes(session.body.user?.role ?? '')) return 'role';
  const found = await ask('/applications?useState=1&limit=1');
  const appId = found.body.items?.[0]?.appId;
  if (appId === undefined) return found.status === 200 ? 'application' : 'failed';
  const made = await ask('/keys', {
    keyName,
    appId,
    mode: 'test',
    scopes: ['messages:send', 'messages:read'],
    expireTime: new Date(Date.now() + validDays * dayMs).toISOString(),
  });
  if (made.body.code === 'STEP_UP_REQUIRED') return 'proof';
  if (made.body.apiKey === undefined) return 'failed';
  const { apiKey } = made.body;
  replaceInSamples(placeholder, apiKey);
  // A page that the browser keeps to go back to has no key.
  const forget = () => {
    replaceInSamples(apiKey, placeholder);
    show(null);
  };
  window.addEventListener('pagehide', forget, { once: true });
  return 'made';
}

function replaceInSamples(from: string, to: string) {
  for (const sample of document.querySelectorAll('.docs-code pre')) {
    const texts = document.createTreeWalker(sample, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      currentNode.nodeValue = (currentNode.nodeValue ?? '').replaceAll(from, to);
    }
  }
}

const button = document.querySelector<HTMLButtonElement>('[data-key]');

/** The text of one result, or of none; there is nothing to make once there is a key. */
function show(outcome: Outcome | null) {
  for (const text of document.querySelectorAll<HTMLElement>('[data-outcome]'))
    text.hidden = text.dataset['outcome'] !== outcome;
  if (button) button.hidden = outcome === 'made';
}

button?.addEventListener('click', () => {
  button.disabled = true;
  void makeKey(button.dataset['key'] ?? '')
    .catch((): Outcome => 'failed')
    .then((outcome) => {
      show(outcome);
      button.disabled = false;
    });
});
