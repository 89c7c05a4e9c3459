import { closeSync, openSync, writeSync } from 'node:fs';

const FLUSH_MS = 50;
const FLUSH_CHARACTERS = 65_536;

/** Appends lines to a file, at most 50 ms after they were written here. */
export class JournalFile {
  private readonly file: number;
  private lines = '';
  private timer: NodeJS.Timeout | undefined = undefined;

  constructor(path: string) {
    this.file = openSync(path, 'a');
  }

  append(line: string): void {
    this.lines += `${line}\n`;
    if (this.lines.length >= FLUSH_CHARACTERS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines === '') return;
    writeSync(this.file, this.lines);
    this.lines = '';
  }
}
