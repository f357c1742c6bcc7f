import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import {
  qualityReasonLabels,
  type QualityReason,
  qualityReasons,
  type Rejection,
  rejections,
  rejectionTitleLabels,
  withheldLabels,
} from '@radwork/contract/imaging/rejections';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import styles from './rejected-images.module.css';
import { useRestoreImages } from './use-restore-images.ts';

/** Lists the rejected images of a study, for users who may restore these. Shows nothing without any. */
export function RejectedImages({ studyId }: { studyId: string }) {
  const isAllowed = may(rejections.list);
  const list = useQuery({ ...query(rejections.list, { params: { id: studyId } }), enabled: isAllowed });
  if (!isAllowed) return null;
  if (list.isError) {
    return (
      <section className={styles.section}>
        <ErrorState failed={t`Error loading rejected images`} error={list.error} onRetry={() => void list.refetch()} />
      </section>
    );
  }
  if (!list.data || list.data.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="rejected-images">
      <h2 id="rejected-images">{t`Rejected images`}</h2>
      <ul className={styles.list}>
        {list.data.map((rejection) => (
          <RejectionEntry key={rejection.id} studyId={studyId} rejection={rejection} />
        ))}
      </ul>
    </section>
  );
}

const isQualityReason = (code: string): code is QualityReason => (qualityReasons as readonly string[]).includes(code);

const reasonOf = ({ reasonCode, reasonMeaning }: Rejection): string =>
  isQualityReason(reasonCode) ? qualityReasonLabels[reasonCode] : reasonMeaning || reasonCode;

const placeOf = ({
  seriesNumber,
  seriesDescription,
  modality,
  instanceNumber,
  images,
}: Rejection['series'][number]) => {
  const amount =
    instanceNumber === null ? t`${plural(images, { one: '# image', other: '# images' })}` : t`image ${instanceNumber}`;
  return [seriesNumber, seriesDescription || modality, amount].filter((part) => part !== null).join(' · ');
};

function RejectionEntry({ studyId, rejection }: { studyId: string; rejection: Rejection }) {
  const restore = useRestoreImages();
  const { id, title, comment, isNote, withheld, rejectedBy, rejectedDate, missing, series } = rejection;
  const { isMove, movedTo } = rejection;
  const why = isMove
    ? t`Moved to another study`
    : [rejectionTitleLabels[title], reasonOf(rejection), comment].filter(Boolean).join(' · ');
  return (
    <li className={styles.entry}>
      <span className={styles.why}>{why}</span>
      {series.map((one) => (
        <span key={one.seriesInstanceUID}>{placeOf(one)}</span>
      ))}
      {movedTo && (
        <Link to="/studies/$id" params={{ id: movedTo.studyId }}>
          {[movedTo.patient.patientName, movedTo.patient.patientId, movedTo.description].filter(Boolean).join(' · ')}
        </Link>
      )}
      {missing > 0 && (
        <span>{t`${plural(missing, { one: '# image has not arrived', other: '# images have not arrived' })}`}</span>
      )}
      {withheld && <span className={styles.withheld}>{withheldLabels[withheld]}</span>}
      <span className="muted">
        {isNote ? t`Rejection note from ${rejectedBy}` : rejectedBy} · {formatMoment(rejectedDate)}
      </span>
      {!withheld && (
        <Button
          size="compact-xs"
          variant="default"
          loading={restore.isPending}
          aria-label={isMove ? t`Undo move` : t`Restore images: ${why}`}
          onClick={() => restore.mutate({ params: { id: studyId, rejectionId: id } })}
        >
          {isMove ? t`Undo move` : t`Restore`}
        </Button>
      )}
    </li>
  );
}
