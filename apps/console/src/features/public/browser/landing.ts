/** Opens the demo, and shows the message that the console stored on leaving ("Logout successful"), as long as its toasts do. */
import { takeNextPageMessage } from '../../../lib/next-page-message.ts';
import { offerDemo } from './try-demo.ts';

const shownMs = 4_000;
const note = document.querySelector<HTMLElement>('.toast');
// A page that is asked for once more in its language leaves it to that one.
const message = note && !('leaving' in document.documentElement.dataset) ? takeNextPageMessage() : null;

if (note?.lastElementChild && message) {
  note.lang = message.lang;
  note.lastElementChild.textContent = message.text;
  note.hidden = false;
  setTimeout(() => {
    note.hidden = true;
  }, shownMs);
}

offerDemo();
