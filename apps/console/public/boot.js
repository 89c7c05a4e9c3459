/* Runs before the first paint, so that no page shows the wrong theme or direction for a moment.
   It sets attributes; src/ui/theme/color-mode.ts and src/lib/i18n/locale.ts hold the full rules. And it tells the library
   that checks shapes not to make functions of text: the page's policy forbids it, and even the try is reported. */
globalThis.__zod_globalConfig = { jitless: true };
(() => {
  const root = document.documentElement;
  try {
    const mode = localStorage.getItem('pahatid_theme');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    const locale = localStorage.getItem('umi_locale') || navigator.language || 'zh-CN';
    root.lang = locale;
    root.dir = /^(he|ar|fa|ku)/.test(locale) ? 'rtl' : 'ltr';
  } catch {
    root.dataset.theme = 'light';
  }
})();
