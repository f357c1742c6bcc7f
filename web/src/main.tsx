import './core/language.ts';
// This import comes first, because it requests the data of the address while the rest of the code runs.
import { queryClient } from './app/query-client.ts';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import '@fontsource/jetbrains-mono/latin-600.css';
import './ui/layout/tokens.css';
import './ui/layout/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/routing/router.tsx';
import { styleNonce } from './ui/layout/theme.ts';
import { ignoreTextOnControls } from './ui/keyboard/ignore-text-on-controls.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// A library stops the page from scrolling below a dialog. The library reads the nonce for its style element here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

ignoreTextOnControls();

createRoot(root).render(<App client={queryClient} router={createAppRouter()} />);
