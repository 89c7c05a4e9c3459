import type { FileLimits } from './limits.ts';
import { builtInFormat, generalFormat, type NumberFormat, parseNumberFormat } from './number-format.ts';
import { FileProblemError } from './problem.ts';
import { StringStore } from './string-store.ts';
import { XmlPieces } from './text-encoding.ts';
import { decodeCellText, readAttribute, type XmlHandler, XmlScanner } from './xml-scan.ts';
import type { ZipArchive } from './zip-archive.ts';

/** Information about the sheets, from a workbook's small parts. */
export interface Workbook {
  /** Worksheets, visible ones first, each group in the author's order. */
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  readonly date1904: boolean;
  /** By the cells' style number. */
  readonly formats: readonly NumberFormat[];
  readonly stringsPart: string | undefined;
}

interface Relation {
  type: string;
  part: string;
}

/** Maximum number of sheets in a workbook; real files have fewer, and each costs memory. */
const maxSheets = 1_000;
const maxStyles = 65_536;

export async function readWorkbook(zip: ZipArchive): Promise<Workbook> {
  const root = await readRelations(zip, '');
  const workbookPart = [...root.values()].find(({ type }) => type === 'officeDocument')?.part ?? 'xl/workbook.xml';
  // A .docx or a plain archive, or a binary workbook (.xlsb) under a false name.
  if (!zip.has(workbookPart) || !workbookPart.toLowerCase().endsWith('.xml')) throw notAWorkbook();
  const relations = await readRelations(zip, workbookPart);
  const handler = new WorkbookHandler();
  await readXml(zip, workbookPart, handler);
  if (!handler.isWorkbook) throw notAWorkbook();
  const sheets = handler.sheets.flatMap(({ name, relation }) => {
    const target = relations.get(relation);
    return target?.type === 'worksheet' && zip.has(target.part) ? [{ name, part: target.part }] : [];
  });
  const partOf = (type: string): string | undefined => {
    const found = [...relations.values()].find((relation) => relation.type === type)?.part;
    return found !== undefined && zip.has(found) ? found : undefined;
  };
  const stylesPart = partOf('styles');
  const styles = new StylesHandler();
  if (stylesPart !== undefined) await readXml(zip, stylesPart, styles);
  return { sheets, date1904: handler.date1904, formats: styles.formats(), stringsPart: partOf('sharedStrings') };
}

function notAWorkbook(): FileProblemError {
  return new FileProblemError('FILE_CONTENT_MISMATCH', { found: 'zip' });
}

async function readXml(zip: ZipArchive, part: string, handler: XmlHandler): Promise<void> {
  const pieces = new XmlPieces();
  const scanner = new XmlScanner(handler);
  for await (const bytes of zip.read(part)) scanner.push(pieces.decode(bytes));
  scanner.end();
}

/**
 * Returns relations by id. Types are identified by the last path segment, which both editions of the standard share.
 */
async function readRelations(zip: ZipArchive, part: string): Promise<Map<string, Relation>> {
  const slash = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, slash);
  const relationsPart = `${folder}_rels/${part.slice(slash)}.rels`;
  const relations = new Map<string, Relation>();
  if (!zip.has(relationsPart)) return relations;
  await readXml(zip, relationsPart, {
    open(name, attributes) {
      if (name !== 'Relationship' || readAttribute(attributes, 'TargetMode') === 'External') return;
      const type = readAttribute(attributes, 'Type')?.split('/').at(-1) ?? '';
      const target = readAttribute(attributes, 'Target') ?? '';
      relations.set(readAttribute(attributes, 'Id') ?? '', { type, part: resolvePart(folder, target) });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return relations;
}

function resolvePart(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

class WorkbookHandler implements XmlHandler {
  isWorkbook = false;
  date1904 = false;
  private readonly visible: { name: string; relation: string }[] = [];
  private readonly hidden: { name: string; relation: string }[] = [];

  get sheets(): { name: string; relation: string }[] {
    return [...this.visible, ...this.hidden];
  }

  open(name: string, attributes: string): void {
    if (name === 'workbook') this.isWorkbook = true;
    if (name === 'workbookPr') this.date1904 = /^(?:1|true|on)$/iu.test(readAttribute(attributes, 'date1904') ?? '');
    if (name !== 'sheet' || this.visible.length + this.hidden.length >= maxSheets) return;
    const list = /hidden/iu.test(readAttribute(attributes, 'state') ?? '') ? this.hidden : this.visible;
    // Excel's own limit of a name is 31 characters.
    list.push({
      name: (readAttribute(attributes, 'name') ?? '').slice(0, 100),
      relation: readAttribute(attributes, 'id') ?? '',
    });
  }

  close(): void {}

  text(): void {}
}

class StylesHandler implements XmlHandler {
  private readonly own = new Map<number, NumberFormat>();
  private readonly ids: number[] = [];
  private inCellFormats = false;

  formats(): NumberFormat[] {
    return this.ids.map((id) => this.own.get(id) ?? builtInFormat(id));
  }

  open(name: string, attributes: string): void {
    if (name === 'cellXfs') this.inCellFormats = true;
    if (name === 'numFmt' && this.own.size < maxStyles) {
      const code = readAttribute(attributes, 'formatCode') ?? '';
      const id = Number(readAttribute(attributes, 'numFmtId'));
      this.own.set(id, code.length > 255 ? generalFormat : parseNumberFormat(code));
    }
    if (name === 'xf' && this.inCellFormats && this.ids.length < maxStyles) {
      this.ids.push(Number(readAttribute(attributes, 'numFmtId') ?? 0));
    }
  }

  close(name: string): void {
    if (name === 'cellXfs') this.inCellFormats = false;
  }

  text(): void {}
}

/** All shared strings; runs of rich text joined, phonetic readings left out. */
export async function readSharedStrings(zip: ZipArchive, part: string, limits: FileLimits): Promise<StringStore> {
  const store = new StringStore(limits);
  let collected = '';
  let inText = false;
  let inPhonetic = false;
  await readXml(zip, part, {
    open(name) {
      if (name === 'si') collected = '';
      else if (name === 't') inText = !inPhonetic;
      else if (name === 'rPh') inPhonetic = true;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'si') store.add(collected);
      else if (name === 'rPh') inPhonetic = false;
    },
    text(raw, literal) {
      if (inText && collected.length <= limits.maxCellChars) collected += literal ? raw : decodeCellText(raw);
    },
  });
  return store;
}
