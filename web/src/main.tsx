import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import '@fontsource/jetbrains-mono/latin-600.css';
import '#ui/tokens.css';
import '#ui/base.css';
import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from '#app/app.tsx';
import { createAppRouter } from '#app/router.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const client = new QueryClient();
createRoot(root).render(<App client={client} router={createAppRouter()} />);
