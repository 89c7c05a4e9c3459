/** Code blocks of the guides, with a button that copies, and tabs that need no script. */
import { escapeHtml, highlight } from './highlight.ts';

export interface Code {
  language: string;
  /** What the bar above it says. */
  label: string;
  code: string;
}

export interface CodeLabels {
  copy: string;
  /** Name of the choice between the tabs. */
  language: string;
}

export function drawCode(code: Code, labels: CodeLabels): string {
  return `<figure class="docs-code"><figcaption>${escapeHtml(nameOf(code.label))}${copyButton(labels)}</figcaption>${drawText(code)}</figure>`;
}

/** A radio button for each tab, of a `group` that the page has once: arrow keys move between them, and the style sheet shows the chosen one. */
export function drawTabs(
  codes: readonly Code[],
  labels: CodeLabels,
  group = `tab${codes.map(({ code }) => code.length).join('-')}`,
): string {
  const choices = codes
    .map(
      ({ label }, index) =>
        `<input type="radio" name="${group}" id="${group}-${index}"${index === 0 ? ' checked' : ''}><label for="${group}-${index}">${escapeHtml(label)}</label>`,
    )
    .join('');
  const texts = codes.map((code) => `<div>${copyButton(labels)}${drawText(code)}</div>`).join('');
  return `<fieldset class="docs-code docs-tabs"><legend class="visually-hidden">${escapeHtml(labels.language)}</legend>${choices}${texts}</fieldset>`;
}

const drawText = ({ code, language }: Code): string =>
  `<pre dir="ltr" tabindex="0"><code>${highlight(code, language)}</code></pre>`;

const copyButton = ({ copy }: CodeLabels): string =>
  `<button type="button" class="docs-copy" data-copy="">${escapeHtml(copy)}</button>`;

/** As its makers spell it. */
const names: Readonly<Record<string, string>> = {
  bash: 'Shell',
  http: 'HTTP',
  ini: 'Configuration',
  json: 'JSON',
  perl: 'Perl',
  typescript: 'TypeScript',
  text: '',
};

const nameOf = (label: string): string => names[label] ?? label;
