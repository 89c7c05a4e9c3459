/**
 * A PDF of one page, A4, as ISO 32000-1 has it: numbered objects, the table of where they begin, and a trailer. No fonts
 * are in it: Helvetica is one of the standard fonts, and for Chinese the reader takes its own font of the character
 * collection Adobe-GB1.
 */

export const pageWidth = 595.28;
export const pageHeight = 841.89;

interface PdfFacts {
  title: string;
  author: string;
  now: Date;
}

/** `content`: the operators that draw the page. Fonts are F1 Helvetica, F2 its bold, F3 for Chinese. */
export function makePdf(content: string, facts: PdfFacts): Buffer {
  const stream = Buffer.from(content, 'latin1');
  return writeObjects([
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents 4 0 R
/Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 7 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H /DescendantFonts [8 0 R] >>',
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /FontDescriptor 9 0 R /DW 1000
/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> >>`,
    `<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880]
/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>`,
    `<< /Title ${toText(facts.title)} /Author ${toText(facts.author)} /Creator (Pahatid) /CreationDate (D:${toDate(facts.now)}) >>`,
  ]);
}

function writeObjects(objects: readonly string[]): Buffer {
  let file = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  // Each entry is 20 octets, its end of line included.
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** UTF-16, big endian, in hexadecimal. */
export const toUtf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

/** A text outside the page: marked as UTF-16. */
const toText = (text: string): string => `<feff${toUtf16(text)}>`;

const toDate = (now: Date): string => `${now.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`;
