/**
 * The page's Content-Security-Policy allows style elements by nonce only. Ant Design takes the nonce from its provider,
 * but a few of its parts (scroll-bar measure, scroll lock) create style elements: the shim gives it to those.
 */
export const cspNonce: string | undefined = readNonce();

function readNonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  // The development server leaves the placeholder as it is, and sends no policy.
  return content && !content.startsWith('__') ? content : undefined;
}

export function installStyleNonce() {
  if (!cspNonce) return;
  const nonce = cspNonce;
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}
