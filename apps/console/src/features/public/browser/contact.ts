/** Sends the enquiry and says what became of it; what was typed is kept until it has arrived. */
const form = document.querySelector<HTMLFormElement>('#enquiry');

async function send(enquiry: HTMLFormElement) {
  const problem = enquiry.querySelector<HTMLElement>('.form-problem');
  const button = enquiry.querySelector('button');
  const done = document.querySelector<HTMLElement>('#enquiry-done');
  if (!problem || !button || !done || button.disabled) return;
  const say = (word: string) => {
    problem.textContent = enquiry.dataset[word] ?? '';
  };
  const given = Object.fromEntries(
    [...new FormData(enquiry)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
  );
  problem.textContent = '';
  const missing = ['name', 'email', 'message'].find((name) => !given[name]);
  const bad = missing ?? ((given['message']?.length ?? 0) < 10 ? 'message' : undefined);
  if (bad) {
    say('missing');
    enquiry.querySelector<HTMLElement>(`[name=${bad}]`)?.focus();
    return;
  }
  const words = button.textContent;
  button.disabled = true;
  button.textContent = enquiry.dataset['sending'] ?? words;
  try {
    const answer = await fetch('/api/v1/enquiries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...given, locale: document.documentElement.lang }),
    });
    if (answer.ok) {
      enquiry.hidden = true;
      done.hidden = false;
      done.focus();
    } else {
      const { errors } = (await answer.json().catch(() => ({}))) as { errors?: { field: string }[] };
      say(answer.status === 429 ? 'many' : errors?.some(({ field }) => field === 'email') ? 'email' : 'failed');
    }
  } catch {
    say('failed');
  }
  button.disabled = false;
  button.textContent = words;
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(form);
});

export {};
