/* Runs before the first paint, so that no page shows the wrong theme or direction for a moment.
   It sets attributes; src/ui/theme/color-mode.ts and src/lib/i18n/locale.ts hold the full rules. And it tells the library
   that checks shapes not to make functions of text: the page's policy forbids it, and even the try is reported. */
globalThis.__zod_globalConfig = { jitless: true };
(() => {
  const root = document.documentElement;
  const texts = document.currentScript.dataset;
  let locale = navigator.language || 'zh-CN';
  try {
    const mode = localStorage.getItem('pahatid_theme');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    locale = localStorage.getItem('umi_locale') || locale;
  } catch {
    root.dataset.theme = 'light';
  }
  root.lang = locale;
  root.dir = /^(he|ar|fa|ku)/.test(locale) ? 'rtl' : 'ltr';

  /* What the page's own scripts will ask for, asked for now: texts, and who is signed in. */
  const path = location.pathname;
  const names =
    (/^zh(?!-?(tw|hk|mo|hant))/i.test(locale) ? texts.zh : /^en(?!-gb$)/i.test(locale) ? texts.en : undefined)?.split(
      ' ',
    ) ?? [];
  const parts = path === '/' ? 1 : path === '/setup' || path === '/invitation' ? 2 : 3;
  for (const name of names.slice(0, parts)) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = name;
    document.head.append(link);
  }
  const isAsked = path === '/' ? /[?&]login=/.test(location.search) : path !== '/setup' && path !== '/invitation';
  if (isAsked && texts.en && !/[?&]ended=/.test(location.search))
    globalThis.__pahatid_session = fetch('/api/v1/session', {
      headers: { Accept: 'application/json, application/problem+json', 'Accept-Language': locale },
    });

  /* Where not even the first of them arrives, no component and no catalogue is there to say so. */
  const words = root.lang.startsWith('zh')
    ? ['页面没有加载完成', '请检查网络连接，然后重试。', '重试']
    : ['The page did not load', 'Check your connection, then try again.', 'Retry'];
  globalThis.__pahatid_nothing_arrived = () => {
    const [title, text, retry] = ['h1', 'p', 'button'].map((name, index) => {
      const element = document.createElement(name);
      element.textContent = words[index];
      return element;
    });
    retry.type = 'button';
    retry.addEventListener('click', () => location.reload());
    const main = document.createElement('main');
    main.className = 'nothing-arrived';
    main.setAttribute('role', 'alert');
    main.dir = 'ltr';
    main.append(title, text, retry);
    document.body.replaceChildren(main);
  };
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) globalThis.__pahatid_nothing_arrived();
    },
    true,
  );
})();
