/**
 * The browser of the tests: the one from the registry (`@sparticuz/chromium`), unpacked once into the checkout's cache,
 * or another set by `PAHATID_CHROMIUM`. If the machine lacks its shared libraries, those packed with it are used;
 * likewise its fonts.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const cacheDir = path.resolve(import.meta.dirname, '../../node_modules/.cache/pahatid-chromium');

interface Executable {
  path: string;
  env: Record<string, string>;
}

const findExecutable = async (): Promise<Executable> => {
  const named = process.env['PAHATID_CHROMIUM'];
  if (named) return { path: named, env: {} };
  if (!existsSync(cacheDir)) await unpack();
  const executable = path.join(cacheDir, 'chromium');
  const libraries = runs(executable) ? {} : { LD_LIBRARY_PATH: path.join(cacheDir, 'al2023', 'lib') };
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: packedFonts() };
  return { path: executable, env: { ...libraries, ...fonts } };
};

/** Unpacks next to the final place and renames, so that a half-unpacked one is never used. */
const unpack = async (): Promise<void> => {
  mkdirSync(path.dirname(cacheDir), { recursive: true });
  const half = mkdtempSync(`${cacheDir}-`);
  // The package unpacks into the temporary folder, and its libraries only if it detects Amazon Linux.
  const before = { TMPDIR: process.env['TMPDIR'], AWS_EXECUTION_ENV: process.env['AWS_EXECUTION_ENV'] };
  process.env['TMPDIR'] = half;
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs24.x';
  const libraryPath = process.env['LD_LIBRARY_PATH'];
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
    renameSync(half, cacheDir);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(cacheDir)) throw error;
  } finally {
    for (const [name, value] of Object.entries({ ...before, LD_LIBRARY_PATH: libraryPath }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
};

/** The configuration that comes with the fonts names folders of another machine. */
const packedFonts = (): string => {
  const folder = path.join(cacheDir, 'fonts');
  const dirs = `<dir>${folder}</dir><cachedir>${path.join(folder, 'cache')}</cachedir>`;
  const file = path.join(folder, 'fonts.conf');
  // Another test's browser may be reading it.
  writeFileSync(`${file}.${process.pid}`, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>\n`);
  renameSync(`${file}.${process.pid}`, file);
  return folder;
};

const runs = (executable: string): boolean => {
  try {
    execFileSync(executable, ['--headless', '--no-sandbox', '--version'], { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
};

/** Chromium without a look outwards; `--no-sandbox` because the tests may run as root. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

export const launchBrowser = async (): Promise<Browser> => {
  const executable = await findExecutable();
  return chromium.launch({
    executablePath: executable.path,
    args: flags,
    env: { ...(process.env as Record<string, string>), ...executable.env },
  });
};

/** The first session request returns 401, which the browser logs; it is no error. */
const isSignedOut = (text: string): boolean => text.includes('status of 401');

export interface Look {
  locale?: string;
  /** CSS pixels. */
  width?: number;
  height?: number;
  dark?: boolean;
}

/**
 * Opens a separate visitor: cookies, storage and language isolated from all others; page errors are collected in
 * `errors`.
 */
export const openVisitor = async (
  browser: Browser,
  baseUrl: string,
  look: Look = {},
): Promise<{ context: BrowserContext; page: Page; errors: string[] }> => {
  const locale = look.locale ?? 'en-US';
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale,
    timezoneId: 'Asia/Manila',
    viewport: { width: look.width ?? 1440, height: look.height ?? 960 },
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  await context.addInitScript((value) => {
    if (localStorage.getItem('umi_locale') === null) localStorage.setItem('umi_locale', value);
  }, locale);
  const page = await context.newPage();
  // Enough also for a machine of a tenth of the speed.
  page.setDefaultTimeout(180_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isSignedOut(message.text())) errors.push(message.text());
  });
  return { context, page, errors };
};
