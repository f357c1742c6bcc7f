import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { archive } from '@radwork/contract/imaging/archive';
import { importJobs } from '@radwork/contract/imaging/import-jobs';
import { reports } from '@radwork/contract/reading/reports';
import { IconCloudSearch, IconStack, IconUpload } from '@tabler/icons-react';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { may, readSession } from '#core/state/session.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { WaitingTimesPanel } from './waiting-times-panel.tsx';
import { CriticalPanel } from './critical-panel.tsx';
import styles from './dashboard.module.css';
import type { DashboardSearch } from './dashboard-search.ts';
import { ExportButton } from './export-button.tsx';
import { PeriodSelector } from './period-selector.tsx';
import { Pending, ReadNext, type ReadingStart, Recent } from './read-next.tsx';
import { TurnaroundPanel, WorkloadPanel } from './reading-panels.tsx';
import { WorkTiles } from './work-tiles.tsx';
import { useDashboardPart } from './use-dashboard-part.ts';
import { VolumePanel } from './volume-panel.tsx';

const route = getRouteApi('/signed-in/shell/dashboard');

/** Screen /dashboard: the next tasks and the figures of the organization. The address holds the period. */
export function DashboardScreen({ reading }: { reading: ReadingStart | undefined }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const tiles = useDashboardPart('tiles');
  const change = (next: DashboardSearch) => void navigate({ to: '/dashboard', search: next, replace: true });
  const isEmpty = tiles.data?.tiles?.hasStudies === false;
  return (
    <>
      <ScreenTitle title={t`Dashboard`} actions={!isEmpty && <ExportButton search={search} />}>
        {!isEmpty && <PeriodSelector search={search} onChange={change} />}
      </ScreenTitle>
      <div className={styles.board}>{isEmpty ? <NothingYet /> : <Panels tiles={tiles} reading={reading} />}</div>
    </>
  );
}

function Panels({ tiles, reading }: { tiles: ReturnType<typeof useDashboardPart>; reading: ReadingStart | undefined }) {
  const userType = readSession()?.user.userType;
  const runsPractice = userType === 'ADMIN' || userType === 'SUPER_ADMIN';
  return (
    <>
      <WorkTiles result={tiles} />
      {/* Waits for the numbers, which decide which panels appear. Otherwise the panels would move. */}
      {!tiles.isPending && (
        <div className={styles.panels}>
          <div className={styles.column}>
            {reading ? <ReadNext {...reading} /> : <Pending />}
            <Recent />
            <VolumePanel />
          </div>
          <div className={styles.column}>
            {may(reports.list) && <CriticalPanel />}
            <WaitingTimesPanel />
            <TurnaroundPanel />
            {runsPractice && <WorkloadPanel />}
          </div>
        </div>
      )}
    </>
  );
}

/**
 * Shown while an organization has no studies. Offers only those links to add studies that the user's permissions allow.
 */
function NothingYet() {
  const actions = [
    may(archive.store) && (
      <Button
        key="upload"
        leftSection={<IconUpload size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/studies/create" {...props} />}
      >
        {t`Upload images`}
      </Button>
    ),
    may(importJobs.create) && (
      <Button
        key="archive"
        variant="default"
        leftSection={<IconCloudSearch size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/stydys-search" {...props} />}
      >
        {t`Search remote archive`}
      </Button>
    ),
  ].filter(Boolean);
  return (
    <EmptyState
      icon={IconStack}
      title={t`No studies yet`}
      detail={
        actions.length > 0
          ? t`Upload images or import them from a remote archive to get started.`
          : t`Your tasks appear here when studies arrive.`
      }
      action={actions}
    />
  );
}
