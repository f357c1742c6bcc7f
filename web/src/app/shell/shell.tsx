import { t } from '@lingui/core/macro';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { dialogOnDemand } from '#ui/feedback/on-demand.tsx';
import { KeyboardHelpOnDemand } from '#ui/keyboard/keyboard-help-on-demand.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { Header } from './header.tsx';
import { SigningHoldBanner } from './hold-banner.tsx';
import { PermittedScreen } from '#app/routing/permitted-screen.tsx';
import { places } from '#app/routing/route-names.ts';
import styles from './shell.module.css';
import { screenCommands } from './screen-commands.ts';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
import { useTitle } from './use-title.ts';
import { VisitBanner } from '#app/tenants/visit-banner.tsx';

const SidebarDrawerOnDemand = dialogOnDemand(async () => (await import('./sidebar-drawer.tsx')).SidebarDrawer);

/** Frame of all screens except viewers: sidebar, header, screen, status bar. */
export function Shell() {
  const [sidebar, setSidebar] = usePreference('sidebar', ['open', 'rail']);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const title = useTitle();
  const main = useFocusOnNavigation();
  useGlobalShortcuts(() => setHelpOpen(true));

  return (
    <div className={styles.shell} data-sidebar={sidebar}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t`Skip to content`}
      </a>
      <div className={styles.sidebar}>
        <Sidebar isRail={sidebar === 'rail'} onToggle={() => setSidebar(sidebar === 'rail' ? 'open' : 'rail')} />
      </div>
      <SidebarDrawerOnDemand opened={isMenuOpen} onClose={() => setMenuOpen(false)} />
      <div className={styles.banner}>
        <VisitBanner />
        <SigningHoldBanner />
      </div>
      <Header onOpenMenu={() => setMenuOpen(true)} onShowKeys={() => setHelpOpen(true)} />
      <main id="main" ref={main} tabIndex={-1} aria-label={title} className={styles.main}>
        <PermittedScreen>
          <Outlet />
        </PermittedScreen>
      </main>
      <StatusBar />
      <KeyboardHelpOnDemand opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

const useGlobalShortcuts = (showHelp: () => void) => {
  const navigate = useNavigate();
  useCommands(
    [
      { command: screenCommands.studies, run: () => void navigate(places.studies()) },
      { command: screenCommands.patients, run: () => void navigate(places.PatientList()) },
      { command: screenCommands.reports, run: () => void navigate(places.reports()) },
      { command: screenCommands.notifications, run: () => void navigate({ to: '/notifications' }) },
      { command: screenCommands.help, run: showHelp, hint: t`shortcuts` },
    ],
    { everywhere: true },
  );
};
