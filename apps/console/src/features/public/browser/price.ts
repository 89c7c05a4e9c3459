/** The calculator: segments of a text × phones × the least and the highest list price; and the table, shortened. */
import { countSegments, listUnicodeCharacters, segmentStarts, type UnicodeCharacter } from '@pahatid/domain';
import type { PriceCopy } from '../copy/shapes.ts';

const unitsPerPeso = 10_000;
const mostPhones = 2_000_000;
/** Marks of a text in another script would be on every character. */
const mostMarkedShare = 0.25;

const number = (value: number) => value.toLocaleString('en-US');
const money = (units: number) =>
  `₱${(units / unitsPerPeso).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
const make = (tag: string, text: string) => {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
};

/** Of all carriers, 1/10,000 PHP. */
const pricesOf = (smsType: number): number[] =>
  [...document.querySelectorAll<HTMLElement>(`[data-type="${smsType}"]`)].map((cell) => Number(cell.dataset['units']));

/** `₱0.35`, or the least and the highest. */
const range = (units: readonly number[]): string => {
  const [least, most] = [Math.min(...units), Math.max(...units)];
  return least === most ? money(least) : `${money(least)} – ${money(most)}`;
};

/** What can be said of a text. */
interface Reading {
  text: string;
  count: ReturnType<typeof countSegments>;
  unicode: readonly UnicodeCharacter[];
  /** The text in the GSM alphabet; null if that is not possible, or if it is already. */
  plain: string | null;
}

function read(text: string): Reading {
  const unicode = listUnicodeCharacters(text);
  const isReplaceable = unicode.length > 0 && unicode.every(({ substitute }) => substitute !== null);
  const plain = unicode.reduceRight(
    (rest, { from, to, substitute }) => rest.slice(0, from) + (substitute ?? '') + rest.slice(to),
    text,
  );
  return { text, count: countSegments(text), unicode, plain: isReplaceable ? plain : null };
}

function start(form: HTMLFormElement) {
  const says = JSON.parse(form.dataset['says'] ?? '{}') as PriceCopy['calculator']['says'];
  const find = <E extends HTMLElement>(selector: string): E => {
    const element = form.querySelector<E>(selector);
    if (element === null) throw new Error(`The calculator has no ${selector}`);
    return element;
  };
  const area = find<HTMLTextAreaElement>('textarea');
  const segmentsText = (count: number) => fill(count === 1 ? says.segment : says.segments, { n: number(count) });

  /** The text behind the textarea and the bar below it, a part for each segment. */
  const drawSegments = ({ text, count, unicode, plain }: Reading) => {
    const starts = segmentStarts(text);
    const parts = starts.map((from, index) => ({ from, to: starts[index + 1] ?? text.length }));
    const drawn = parts.map(({ from, to }) => {
      const part = make('span', '');
      let at = from;
      for (const mark of plain === null ? [] : unicode.filter((each) => each.from >= from && each.from < to)) {
        part.append(text.slice(at, mark.from), make('mark', mark.character));
        at = mark.to;
      }
      part.append(text.slice(at, to), make('b', ''));
      return part;
    });
    // A final line break needs something after it to be as high as in the textarea.
    find('.segment-mirror').replaceChildren(...drawn, '\u200b');
    const bars = parts.map(({ from, to }) => {
      const units = count.encoding === 'UCS-2' ? to - from : countSegments(text.slice(from, to)).units;
      const bar = make('i', '');
      bar.append(make('span', fill(says.part, { n: units, of: count.perSegment })));
      bar.style.setProperty('--share', `${(units / count.perSegment) * 100}%`);
      return bar;
    });
    find('.segment-bar').replaceChildren(...bars);
    find('.segment-counts span').textContent = fill(says.characters, {
      n: number(count.characters),
      encoding: count.encoding === 'UCS-2' ? 'Unicode' : 'GSM',
    });
    find('.segment-counts b').textContent = segmentsText(count.segments);
  };

  const showFinding = ({ unicode, count, plain }: Reading) => {
    const [first] = unicode;
    find('.unicode-finding').hidden = first === undefined || unicode.length > count.characters * mostMarkedShare;
    find('.unicode-finding .button').hidden = plain === null;
    find('.unicode-finding span').textContent = fill(says.unicode, { character: first?.character ?? '' });
  };

  const showCost = ({ count, unicode, plain }: Reading) => {
    const given = new FormData(form);
    const phones = Number(given.get('phones'));
    const prices = pricesOf(Number(given.get('type')));
    const isPhones = Number.isInteger(phones) && phones >= 1 && phones <= mostPhones;
    const isValid = isPhones && count.segments > 0;
    find('[name=phones]').setAttribute('aria-invalid', String(!isPhones));
    find('[data-value=phones]').textContent = isPhones ? number(phones) : '–';
    find('[data-value=segments]').textContent = `× ${count.segments}`;
    find('[data-value=price]').textContent = `× ${range(prices)}`;
    const costOf = (segments: number) => range(prices.map((price) => phones * segments * price));
    const output = find('output');
    output.className = isValid ? '' : 'is-problem';
    output.textContent = isValid ? costOf(count.segments) : says.invalid;
    find('.calculator-range').hidden = !isValid || new Set(prices).size === 1;
    const plainSegments = countSegments(plain ?? '').segments;
    const saving = find('.calculator-plain');
    saving.hidden = !isValid || plain === null || plainSegments >= count.segments;
    saving.textContent = fill(says.plain, {
      plain: unicode[0]?.substitute ?? '',
      segments: segmentsText(plainSegments),
      money: costOf(plainSegments),
    });
  };

  const show = () => {
    const reading = read(area.value);
    drawSegments(reading);
    showFinding(reading);
    showCost(reading);
  };
  find('.unicode-finding .button').addEventListener('click', () => {
    area.value = read(area.value).plain ?? area.value;
    show();
    area.focus();
  });
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  show();
}

/** Carriers with the same prices stand in one line; if there is one price in all, it is shown instead of the table. */
function shortenTable() {
  const kept = new Map<string, HTMLTableRowElement>();
  for (const row of document.querySelectorAll<HTMLTableRowElement>('.price-table tbody tr')) {
    const prices = [...row.cells].map((cell) => cell.dataset['units'] ?? '').join(' ');
    const same = kept.get(prices);
    row.hidden = same !== undefined;
    if (same === undefined) kept.set(prices, row);
    else same.cells[0]?.append(' · ', row.cells[0]?.textContent ?? '');
  }
  const one = document.querySelector<HTMLElement>('#one-price');
  const list = document.querySelector<HTMLElement>('.price-list');
  if (one === null || list === null || new Set([1, 2, 3].flatMap(pricesOf)).size > 1) return;
  one.hidden = false;
  list.hidden = true;
}

shortenTable();
const form = document.querySelector<HTMLFormElement>('#calculator');
if (form) start(form);
