/**
 * What the page shows when not even its first parts arrived: no component and no catalogue is there to say it with. The
 * looks come from `base.css`, which is part of the page.
 */
const words = {
  zh: ['页面没有加载完成', '请检查网络连接，然后重试。', '重试'],
  en: ['The page did not load', 'Check your connection, then try again.', 'Retry'],
} as const;

export function showNothingArrived(place: HTMLElement) {
  const [title, text, retry] = words[document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'];
  const main = document.createElement('main');
  main.className = 'nothing-arrived';
  main.setAttribute('role', 'alert');
  const heading = document.createElement('h1');
  heading.textContent = title;
  const line = document.createElement('p');
  line.textContent = text;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = retry;
  button.addEventListener('click', () => window.location.reload());
  main.append(heading, line, button);
  place.replaceChildren(main);
}
