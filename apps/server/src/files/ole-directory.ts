import { FileProblemError } from './problem.ts';
import type { ChunkSource } from './source.ts';

/**
 * The directory of an OLE compound file ([MS-CFB]), the container of .xls, .doc, .msi and encrypted .xlsx alike. Reads
 * just enough to distinguish these and to verify that the workbook's bytes are complete: a library that parses .xls
 * returns fewer rows for a truncated file, without an error.
 */
export interface OleDirectory {
  readonly names: ReadonlySet<string>;
  /** The first bytes of the stream called Workbook or Book. */
  readonly workbookHead: Buffer | undefined;
}

interface OleEntry {
  name: string;
  start: number;
  size: number;
}

const endOfChain = 0xfffffffe;
const lastRegularSector = 0xfffffffa;
const miniStreamCutoff = 4096;

export const oleMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export async function readOleDirectory(source: ChunkSource): Promise<OleDirectory> {
  const header = await source.read(0, 512);
  if (header.length < 512) throw new FileProblemError('FILE_TRUNCATED');
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw new FileProblemError('FILE_UNREADABLE');
  const volume = new OleVolume(source, 1 << shift);
  await volume.readAllocation(header);
  const directory = await volume.readChain(header.readUInt32LE(48), undefined);
  const entries = parseEntries(directory);
  const workbook = entries.find((entry) => entry.name === 'Workbook') ?? entries.find((entry) => entry.name === 'Book');
  const root = entries[0];
  let workbookHead: Buffer | undefined;
  if (workbook && root) {
    if (workbook.size >= miniStreamCutoff) {
      await volume.assertChainPresent(workbook.start, workbook.size);
      workbookHead = await volume.readSector(workbook.start);
    } else {
      await volume.assertChainPresent(root.start, root.size);
      const mini = await volume.readChain(root.start, root.size);
      workbookHead = mini.subarray(workbook.start * 64, workbook.start * 64 + 64);
    }
  }
  return { names: new Set(entries.map((entry) => entry.name)), workbookHead };
}

class OleVolume {
  private readonly source: ChunkSource;
  private readonly sectorBytes: number;
  private allocation = new Uint32Array(0);

  constructor(source: ChunkSource, sectorBytes: number) {
    this.source = source;
    this.sectorBytes = sectorBytes;
  }

  /** Sector 0 follows the header, which fills one sector. */
  private offsetOf(sector: number): number {
    return (sector + 1) * this.sectorBytes;
  }

  /** A final sector that is not padded is tolerated here; `assertChainPresent` knows how much of it counts. */
  async readSector(sector: number): Promise<Buffer> {
    const bytes = sector <= lastRegularSector ? await this.source.read(this.offsetOf(sector), this.sectorBytes) : null;
    if (bytes === null || bytes.length === 0) throw new FileProblemError('FILE_TRUNCATED');
    return bytes;
  }

  async readAllocation(header: Buffer): Promise<void> {
    const maxSectors = Math.ceil(this.source.size / this.sectorBytes);
    const tableCount = header.readUInt32LE(44);
    if (tableCount * (this.sectorBytes / 4) > maxSectors + 2 * this.sectorBytes) {
      throw new FileProblemError('FILE_TRUNCATED');
    }
    const tables: number[] = [];
    for (let at = 76; at < 512 && tables.length < tableCount; at += 4) tables.push(header.readUInt32LE(at));
    let next = header.readUInt32LE(68);
    for (let hops = 0; tables.length < tableCount && next <= lastRegularSector && hops < maxSectors; hops += 1) {
      const sector = await this.readSector(next);
      if (sector.length < this.sectorBytes) throw new FileProblemError('FILE_TRUNCATED');
      for (let at = 0; at < this.sectorBytes - 4 && tables.length < tableCount; at += 4) {
        tables.push(sector.readUInt32LE(at));
      }
      next = sector.readUInt32LE(this.sectorBytes - 4);
    }
    this.allocation = new Uint32Array(tables.length * (this.sectorBytes / 4));
    let filled = 0;
    for (const table of tables) {
      const sector = await this.readSector(table);
      if (sector.length < this.sectorBytes) throw new FileProblemError('FILE_TRUNCATED');
      for (let at = 0; at < this.sectorBytes; at += 4) this.allocation[filled++] = sector.readUInt32LE(at);
    }
  }

  private *chain(start: number): Generator<number> {
    let sector = start;
    for (let hops = 0; sector !== endOfChain; hops += 1) {
      const next = this.allocation[sector];
      if (next === undefined || hops > this.allocation.length) throw new FileProblemError('FILE_UNREADABLE');
      yield sector;
      sector = next;
    }
  }

  async assertChainPresent(start: number, size: number): Promise<void> {
    let left = size;
    for (const sector of this.chain(start)) {
      const wanted = Math.min(left, this.sectorBytes);
      if (this.offsetOf(sector) + wanted > this.source.size) throw new FileProblemError('FILE_TRUNCATED');
      left -= wanted;
      if (left === 0) return;
    }
    if (left > 0) throw new FileProblemError('FILE_UNREADABLE');
  }

  /** Small streams only (the directory, the mini stream): bounded at 16 MiB. */
  async readChain(start: number, size: number | undefined): Promise<Buffer> {
    const parts: Buffer[] = [];
    let total = 0;
    for (const sector of this.chain(start)) {
      const bytes = await this.readSector(sector);
      parts.push(bytes);
      total += bytes.length;
      if (total > 16 * 1024 * 1024) throw new FileProblemError('FILE_UNREADABLE');
      if (size !== undefined && total >= size) break;
    }
    return Buffer.concat(parts);
  }
}

function parseEntries(directory: Buffer): OleEntry[] {
  const entries: OleEntry[] = [];
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const nameBytes = directory.readUInt16LE(at + 64);
    const type = directory[at + 66];
    if (type === 0 || nameBytes < 2 || nameBytes > 64) continue;
    entries.push({
      name: directory.toString('utf16le', at, at + nameBytes - 2),
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}
