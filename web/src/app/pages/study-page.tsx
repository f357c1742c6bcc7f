import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import {
  IconFolderOff,
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
  IconWindowMaximize,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError, query } from '#core/http/api.ts';
import { usePreference } from '#core/state/preferences.ts';
import { may } from '#core/state/session.ts';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { WithChat } from '#reading/chat/with-chat.tsx';
import { ChatToggle } from '#reading/chat/chat-toggle.tsx';
import { IdentityNotice } from '#imaging/identities/identity-notice.tsx';
import { MatchingTexts } from '#knowledge/library/matching-texts.tsx';
import { StudyFollowUps } from '#reading/follow-ups/study-follow-ups.tsx';
import { LoadingReport } from '#reading/reports/panel/loading-report.tsx';
import { EditStudyButton } from '#imaging/studies/editing/edit-study-button.tsx';
import { lastListAddress } from '#imaging/studies/last-list-address.ts';
import { viewerPath } from '#imaging/studies/study-actions.tsx';
import { PriorPane } from '#imaging/studies/priors/prior-pane.tsx';
import { PriorStudies } from '#imaging/studies/priors/prior-studies.tsx';
import { StudyAudit } from '#imaging/studies/page/study-audit.tsx';
import { RejectedImages } from '#imaging/rejections/rejected-images.tsx';
import { RunningMoves } from '#imaging/rejections/running-moves.tsx';
import { SeriesMenuOnDemand } from '#app/series-menu-on-demand.tsx';
import { studyCommands } from '#imaging/studies/study-commands.ts';
import { StudyContext } from '#imaging/studies/page/study-context.tsx';
import { StudyMetadata } from '#imaging/studies/metadata/study-metadata.tsx';
import { StudyPatientStrip } from '#imaging/studies/page/study-patient-strip.tsx';
import { StudySummary } from '#imaging/studies/page/study-summary.tsx';
import { StudyGroups } from '#imaging/study-groups/study-groups.tsx';
import { WorkflowPanel } from '#reading/workflow/workflow-panel.tsx';
import { OutdatedItem } from '#ui/lists/list-notice.tsx';
import { PaneSwitch } from '#ui/layout/pane-switch.tsx';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands, useKeysOf, withKeys } from '#ui/keyboard/commands.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useRecentStudy } from '#app/palette/use-recent-study.ts';
import { useImagesWindow } from '#app/viewers/use-images-window.ts';
import { LostTextsOnDemand } from '#app/reports/lost-texts-on-demand.tsx';
import { ReportWorkspaceOnDemand } from '#app/reports/report-workspace-on-demand.tsx';
import styles from './study-page.module.css';

const PriorReport = lazy(async () => {
  const { PriorReport: component } = await import('#app/reports/prior-report.tsx');
  return { default: component };
});

/** Screen /studies/:id: all data of a study, and its report. */
export function StudyPage() {
  const id = useParams({ strict: false, select: (params) => params.id ?? '' });
  usePrefetchedReport(id);
  const study = useQuery(useAuditedQuery(studies.get, { params: { id } }));
  if (study.data) {
    return (
      <WithChat key={study.data.id} study={study.data}>
        <Study study={study.data} notice={<OutdatedItem result={study} failed={t`Error loading study details`} />} />
      </WithChat>
    );
  }
  if (study.isPending) {
    return (
      <div className={styles.waiting}>
        <Skeleton lines={12} label={t`Loading study`} />
      </div>
    );
  }
  if (study.error instanceof ApiError && study.error.status === 404) return <StudyNotFound id={id} />;
  return (
    <ErrorState
      failed={t`Error loading study details`}
      error={study.error}
      onRetry={() => void study.refetch()}
      action={<ToList />}
    />
  );
}

/** Fetches the report at the same time as its study. */
const usePrefetchedReport = (id: string) => {
  const client = useQueryClient();
  useEffect(() => {
    if (may(reports.ofStudy)) void client.prefetchQuery(query(reports.ofStudy, { params: { id } }));
  }, [client, id]);
};

function StudyNotFound({ id }: { id: string }) {
  return (
    <>
      <LostTextsOnDemand studyId={id} />
      <EmptyState
        icon={IconFolderOff}
        title={t`Study not found`}
        detail={t`The study does not exist, or you do not have access to it.`}
        action={<ToList />}
      />
    </>
  );
}

function ToList() {
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/studies" search={lastListAddress()} {...props} />}>
      {t`Back to study list`}
    </Button>
  );
}

const panes = [
  ['study', t`Study`],
  ['report', t`Report`],
  ['prior', t`Prior`],
  ['details', t`Details`],
] as const;
type Pane = (typeof panes)[number][0];

function Study({ study, notice }: { study: StudyDetails; notice: ReactNode }) {
  const { priorId, showPrior, closePrior } = useOpenPrior(study.id);
  const requestedPane = useSearch({ strict: false, select: (search) => search.pane });
  // Pane to show if the screen has no room for all panes.
  const [pane, setPane] = useState<Pane>(priorId ? 'prior' : (requestedPane ?? 'study'));
  const [details, setDetails] = usePreference('study-details', ['open', 'closed']);
  const navigate = useNavigate();
  const tabs = useRef<HTMLDivElement>(null);
  const toggleDetails = () => {
    // Whether the details are a tab, because there is no room for their own column.
    const isTab = Boolean(tabs.current?.offsetHeight);
    if (isTab) setPane(pane === 'details' ? 'study' : 'details');
    else setDetails(details === 'open' ? 'closed' : 'open');
  };
  const openPrior = (id: string) => {
    showPrior(id);
    setPane('prior');
  };
  const leavePrior = () => {
    closePrior();
    setPane('study');
  };
  const openImages = useImagesWindow({
    to: viewerPath(study),
    id: study.id,
    onOpen: (opened) => void navigate({ to: '/studies/$id', params: { id: opened }, ignoreBlocker: true }),
  });
  useCommands([
    {
      command: studyCommands.viewer,
      hint: t`viewer`,
      run: () => void navigate({ to: viewerPath(study), params: { id: study.id } }),
    },
    { command: studyCommands.secondWindow, run: openImages },
    { command: studyCommands.details, hint: t`details`, run: toggleDetails },
  ]);
  useRecentStudy(study);
  useShortcuts(t`Study`, [
    {
      keys: 'Escape',
      does: t`Close the prior, or go back to the study list`,
      hint: t`back`,
      run: () => (priorId ? leavePrior() : void navigate({ to: '/studies', search: lastListAddress() })),
    },
  ]);
  return (
    <div className={styles.page} data-pane={pane}>
      <StudyPatientStrip study={study}>
        <ImagesWindowButton onOpen={openImages} />
        <EditStudyButton study={study} />
        <ChatToggle study={study} />
        <DetailsToggle isOpen={details === 'open'} onToggle={toggleDetails} />
      </StudyPatientStrip>
      {notice}
      <IdentityNotice study={study} />
      <div className={styles.panes} data-details={details} data-prior={priorId ? 'open' : 'closed'}>
        <div ref={tabs} className={styles.switch}>
          <PaneSwitch
            panes={panes.filter(([name]) => name !== 'prior' || priorId !== undefined)}
            current={pane}
            onPane={setPane}
          />
        </div>
        <div className={styles.summary}>
          <StudySummary study={study} />
        </div>
        <aside className={styles.context} aria-label={t`Study`}>
          <StudyContext
            study={study}
            seriesMenu={(series) => <SeriesMenuOnDemand study={study} seriesInstanceUID={series} />}
          >
            <RunningMoves study={study} />
            <RejectedImages studyId={study.id} />
            <StudyFollowUps studyId={study.id} />
            <PriorStudies study={study} shownId={priorId} onShow={openPrior} />
            <WorkflowPanel studyId={study.id} />
            <StudyGroups studyId={study.id} />
            <MatchingTexts studyId={study.id} />
          </StudyContext>
        </aside>
        <section className={styles.report} aria-label={t`Report`}>
          <ReportWorkspaceOnDemand studyId={study.id} waiting={<LoadingReport />} />
        </section>
        {priorId && (
          <aside className={styles.prior} aria-label={t`Prior study`}>
            <PriorPane
              study={study}
              priorId={priorId}
              onShow={openPrior}
              onClose={leavePrior}
              report={
                <Suspense fallback={<Skeleton lines={6} label={t`Loading report`} />}>
                  <PriorReport studyId={priorId} />
                </Suspense>
              }
            />
          </aside>
        )}
        <aside className={styles.details} aria-label={t`Details`}>
          <StudyMetadata study={study} />
          <StudyAudit studyId={study.id} />
        </aside>
      </div>
    </div>
  );
}

/** State of the prior that is open next to the study. The prior is in the address, so that a link shows both. */
const useOpenPrior = (id: string) => {
  const priorId = useSearch({ strict: false, select: ({ prior }) => prior });
  const navigate = useNavigate();
  // No leave warning is needed, because the report stays mounted.
  const show = (prior: string | undefined) =>
    void navigate({ to: '/studies/$id', params: { id }, search: { prior }, replace: true, ignoreBlocker: true });
  return { priorId, showPrior: show, closePrior: () => show(undefined) };
};

function ImagesWindowButton({ onOpen }: { onOpen: () => void }) {
  return (
    <CommandTooltip command={studyCommands.secondWindow}>
      <ActionIcon size={30} aria-label={t`Images in a second window`} onClick={onOpen}>
        <IconWindowMaximize size={18} stroke={1.6} />
      </ActionIcon>
    </CommandTooltip>
  );
}

function DetailsToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const keysFor = useKeysOf();
  const label = isOpen ? t`Hide details` : t`Show details`;
  const Icon = isOpen ? IconLayoutSidebarRightCollapse : IconLayoutSidebarRightExpand;
  return (
    <Tooltip label={withKeys(label, keysFor(studyCommands.details))}>
      <ActionIcon className={styles.toggle ?? ''} size={30} aria-label={label} onClick={onToggle}>
        <Icon size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
