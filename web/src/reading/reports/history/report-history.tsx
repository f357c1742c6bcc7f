import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { partTitle, type SignedPart } from '@radwork/contract/reading/report-parts';
import { type Report, type ReportHistoryEntry, reports } from '@radwork/contract/reading/reports';
import type { ReportAction } from '@radwork/contract/reading/report-status';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { VersionCriticalFlag } from '#reading/reports/panel/version-critical-flag.tsx';
import styles from './report-history.module.css';
import { VersionDifference } from './version-difference.tsx';

type Props = {
  report: Report;
  opened: boolean;
  onClose: () => void;
  /** Replaces the edited text with that of an earlier version; undefined unless the report is being edited. */
  onCopy?: ((content: string) => void) | undefined;
};

const actions: Record<ReportAction, string> = {
  CREATED: t`Created`,
  SAVED: t`Saved`,
  REVIEW_REQUESTED: t`Review requested`,
  APPROVED: t`Approved`,
  REVISION_REQUESTED: t`Revision requested`,
  PRELIMINARY: t`Preliminary report issued`,
  FINALIZED: t`Finalized`,
};

type Place = 'list' | 'difference' | number;

/** History of a report, newest first, with the text of each version and the differences. */
export function ReportHistory({ report, opened, onClose, onCopy }: Props) {
  const [place, setPlace] = useState<Place>('list');
  const close = () => {
    setPlace('list');
    onClose();
  };
  const copy =
    onCopy &&
    ((content: string) => {
      onCopy(content);
      close();
    });
  return (
    <SideDialog opened={opened} onClose={close} position="right" size={620} title={t`Report history`}>
      {place === 'list' && <Events report={report} onGo={setPlace} />}
      {place !== 'list' && (
        <Button variant="default" size="compact-sm" mb={12} onClick={() => setPlace('list')}>
          {t`All versions`}
        </Button>
      )}
      {place === 'difference' && <VersionDifference report={report} />}
      {typeof place === 'number' && <Version report={report} version={place} onCopy={copy} />}
    </SideDialog>
  );
}

type Event = { at: string } & ({ version: ReportHistoryEntry } | { addendum: SignedPart });

/** Versions and addenda, newest first. */
const eventsOf = ({ history, addenda }: Report): Event[] => [
  ...addenda.toReversed().map((addendum) => ({ at: addendum.finalizedAt, addendum })),
  ...history.map((version) => ({ at: version.at, version })),
];

function Events({ report, onGo }: { report: Report; onGo: (place: Place) => void }) {
  return (
    <>
      {report.history.length > 1 && (
        <Button variant="default" size="compact-sm" mb={12} onClick={() => onGo('difference')}>
          {t`Compare two versions`}
        </Button>
      )}
      <ol className={styles.versions}>
        {eventsOf(report).map((event) =>
          'version' in event ? (
            <VersionEntry key={event.version.version} entry={event.version} onShow={onGo} />
          ) : (
            <li key={`addendum ${event.addendum.number}`} className={styles.version}>
              <strong>{signedTitle(event.addendum)}</strong>
              <p className="muted numeric">
                {event.addendum.finalizedBy.name}, {formatMoment(event.at)}
              </p>
            </li>
          ),
        )}
      </ol>
    </>
  );
}

const signedTitle = (addendum: SignedPart): string => {
  const title = partTitle(addendum);
  return t`${title} signed`;
};

function VersionEntry({ entry, onShow }: { entry: ReportHistoryEntry; onShow: (version: number) => void }) {
  const { version, action, actor, at, comment } = entry;
  return (
    <li className={styles.version}>
      <strong>{actions[action]}</strong>
      <p className="muted numeric">
        {actor.name}, {formatMoment(at)}
      </p>
      {comment && <p className={styles.comment}>{comment}</p>}
      <Button variant="default" size="compact-xs" mt={4} onClick={() => onShow(version)}>
        <Trans>Show version {version}</Trans>
      </Button>
    </li>
  );
}

type VersionProps = { report: Report; version: number; onCopy: ((content: string) => void) | undefined };

function Version({ report, version, onCopy }: VersionProps) {
  const versionQuery = useQuery(query(reports.version, { params: { id: report.id, version: String(version) } }));
  const copy = async (content: string) => {
    const agreed = await confirm({
      question: t`Copy version ${version} into draft?`,
      consequence: t`The copied version replaces the text in the editor. Unsaved text remains available above the editor. Save to store the copied version.`,
      verb: t`Copy version`,
      tone: 'primary',
    });
    if (agreed) onCopy?.(content);
  };
  return (
    <>
      <div className={styles.head}>
        <h3>
          <Trans>Version {version}</Trans>
        </h3>
        {onCopy && versionQuery.data && (
          <Button variant="default" size="compact-sm" onClick={() => void copy(versionQuery.data.content)}>
            {t`Copy into draft`}
          </Button>
        )}
      </div>
      {versionQuery.isPending && <Skeleton label={t`Loading version`} />}
      {versionQuery.error && (
        <ErrorState
          failed={t`Error loading version`}
          error={versionQuery.error}
          onRetry={() => void versionQuery.refetch()}
        />
      )}
      {versionQuery.data && <VersionCriticalFlag version={versionQuery.data} />}
      {versionQuery.data && (
        <div className={styles.text}>
          <ReportText html={versionQuery.data.content} />
        </div>
      )}
    </>
  );
}
