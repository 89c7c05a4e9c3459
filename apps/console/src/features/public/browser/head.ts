/** Runs in the head of every public page, before the first paint: theme, remembered language, and their two switches. */
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
const keep = (key: string, value: string) => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage closed to us: the page still changes.
  }
};

const paint = () => {
  const choice = read('pahatid_theme');
  root.dataset['theme'] = choice === 'dark' || (choice !== 'light' && system.matches) ? 'dark' : 'light';
};
paint();
system.addEventListener('change', paint);

const cookieOf = (locale: string) => `umi_locale=${locale}`;
const setCookie = (locale: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: the page must be requested again immediately, and not every browser has cookieStore.
  document.cookie = `${cookieOf(locale)};path=/;max-age=31536000;samesite=lax`;
};

// The console stores its language here; if the server chose another, this sets its cookie and reloads once.
const remembered = read('umi_locale');
if (remembered && !/[?&]lang=/.test(location.search)) {
  const wanted = remembered.startsWith('zh') ? 'zh-CN' : 'en-US';
  if (wanted !== root.lang && !document.cookie.includes(cookieOf(wanted))) {
    setCookie(wanted);
    if (document.cookie.includes(cookieOf(wanted))) {
      root.dataset['leaving'] = '';
      location.reload();
    }
  }
}

document.addEventListener('click', ({ target }) => {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-locale],[data-theme-switch]') : null;
  const locale = element?.dataset['locale'];
  if (locale) {
    keep('umi_locale', locale);
    setCookie(locale);
  } else if (element) {
    keep('pahatid_theme', root.dataset['theme'] === 'dark' ? 'light' : 'dark');
    paint();
  }
});
