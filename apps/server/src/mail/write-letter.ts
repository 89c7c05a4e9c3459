/** The layout of mails that report an event and link to a screen: text and HTML with the same content. */
import type { Language } from '@pahatid/domain';

export interface LetterWords {
  readonly lang: Language;
  readonly subject: string;
  readonly lead: string;
  readonly act: { readonly label: string; readonly link: string };
  readonly note: string;
}

export function writeLetter({ lang, subject, lead, act, note }: LetterWords): {
  subject: string;
  text: string;
  html: string;
} {
  const colon = lang === 'zh-CN' ? '：' : ':';
  return {
    subject,
    text: `${lead}\n\n${act.label}${colon}\n${act.link}\n\n${note}\n`,
    html: `<!doctype html><html lang="${lang}"><body style="font-family:-apple-system,'Segoe UI',Arial,sans-serif;color:#0E1F26;line-height:1.6">
<p>${escapeHtml(lead)}</p>
<p><a href="${escapeHtml(act.link)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#00667D;color:#FFFFFF;text-decoration:none">${escapeHtml(act.label)}</a></p>
<p style="color:#45565D;font-size:12px">${escapeHtml(note)}</p>
</body></html>`,
  };
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
