/** Mail of plain paragraphs, as text and as HTML. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);

/** Builds a letter; a `strong` paragraph is emphasized. */
export function makeLetter(subject: string, paragraphs: readonly string[], strong?: string): Letter {
  const style = 'font:600 28px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px';
  const html = paragraphs
    .map((text) => (text === strong ? `<p style="${style}">${escapeHtml(text)}</p>` : `<p>${escapeHtml(text)}</p>`))
    .join('\n');
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<div style="font:15px/24px -apple-system,'Segoe UI',sans-serif;color:#0e1f26">\n${html}\n</div>\n`,
  };
}
