import 'virtual:theme.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { installStyleNonce } from './lib/csp-nonce.ts';
import { initialLocale } from './lib/i18n/stored-locale.ts';
import { startTexts } from './lib/i18n/text-store.ts';
import './ui/base/base.css';

installStyleNonce();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element');

await startTexts(initialLocale());
createRoot(root).render(<App />);
