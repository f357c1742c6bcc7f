import { Button, DirectionProvider, MantineProvider, MantineThemeProvider, Modal, Drawer } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { direction } from '#core/language.ts';
import { cssVariables, theme } from '#ui/layout/theme.ts';
import { client } from './client.ts';
import styles from './gallery.module.css';
import { rooms } from './rooms.ts';

const router = createRouter({
  routeTree: createRootRoute({ staticData: { can: 'public' }, component: Rooms }),
  history: createMemoryHistory(),
});

/** Keeps dialogs in their frame and does not move the focus, so that many can be open. */
const inFrame = { withinPortal: false, trapFocus: false, lockScroll: false, returnFocus: false };
const framed = {
  components: { Modal: Modal.extend({ defaultProps: inFrame }), Drawer: Drawer.extend({ defaultProps: inFrame }) },
};

/** Page with all components of the user interface kit in all states. */
export function Gallery() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme="dark">
      <DirectionProvider initialDirection={direction} detectDirection={false}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
          <Notifications position="bottom-right" />
        </QueryClientProvider>
      </DirectionProvider>
    </MantineProvider>
  );
}

function Rooms() {
  const entries = Object.entries(rooms);
  return (
    <main className={styles.page}>
      <h1>Component gallery</h1>
      <nav aria-label="Rooms" className={styles.rooms}>
        {entries.map(([room]) => (
          <a key={room} href={`#${room}`}>
            {room}
          </a>
        ))}
      </nav>
      {entries.map(([room, specimens]) => (
        <section key={room} id={room} aria-label={room}>
          <h2 className={styles.room}>{room}</h2>
          {Object.entries(specimens).map(([name, states]) => (
            <Component key={name} name={name} states={states} />
          ))}
        </section>
      ))}
    </main>
  );
}

const focusable =
  'button:enabled, a[href], input:enabled:not([tabindex="-1"]), select:enabled, [tabindex="0"], [data-row]';

function Component({ name, states }: { name: string; states: Record<string, ReactNode> }) {
  const frames = useRef<HTMLDivElement>(null);
  const moveFocus = () => {
    const controls = [...(frames.current?.querySelectorAll<HTMLElement>(focusable) ?? [])];
    controls[0]?.focus();
  };
  return (
    <article className={styles.component} id={name}>
      <header className={styles.head}>
        <h3>{name}</h3>
        <Button size="compact-xs" variant="subtle" aria-label={`Focus ${name}`} onClick={moveFocus}>
          Focus
        </Button>
      </header>
      <div ref={frames} className={styles.states}>
        {Object.entries(states).map(([state, content]) => (
          <div key={state} role="group" aria-label={`${name}, ${state}`} className={styles.state}>
            <p className="muted">{state}</p>
            <div className={styles.frame}>
              <MantineThemeProvider theme={framed} inherit>
                {content}
              </MantineThemeProvider>
            </div>
          </div>
        ))}
      </div>
    </article>
  );
}
