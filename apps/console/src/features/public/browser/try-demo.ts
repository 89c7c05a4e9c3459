/** Opens the demo that is here: with the proof of work that makes it expensive for programs, then the console. */
import { makeDelivery } from './worked-form.ts';

const delivery = makeDelivery('/demo-visits');

async function open(button: HTMLButtonElement, problem: HTMLElement | null) {
  const label = button.textContent;
  const { opening = label, many = '', failed = '' } = button.dataset;
  button.disabled = true;
  button.textContent = opening;
  if (problem) problem.textContent = '';
  const answer = await delivery.deliver({}).catch(() => null);
  if (answer?.ok === true) return window.location.assign('/home');
  if (problem) problem.textContent = answer?.status === 429 ? many : failed;
  button.disabled = false;
  button.textContent = label;
}

export function offerDemo() {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-try-demo]'))
    button.onclick = () => void open(button, document.querySelector<HTMLElement>('.try-demo-problem'));
}
