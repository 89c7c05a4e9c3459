/** Shows the message that the console stored on leaving ("Logout successful"), as long as its toasts do. */
import { takeKeptWords } from '../../../lib/kept-words.ts';

const shownMs = 4_000;
const note = document.querySelector<HTMLElement>('.toast');
// A page that is asked for once more in its language leaves it to that one.
const kept = note && !('leaving' in document.documentElement.dataset) ? takeKeptWords() : null;

if (note?.lastElementChild && kept) {
  note.lang = kept.lang;
  note.lastElementChild.textContent = kept.words;
  note.hidden = false;
  setTimeout(() => {
    note.hidden = true;
  }, shownMs);
}
