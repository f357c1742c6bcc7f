import { t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { IconCube } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './series-list.module.css';

const mprLabel = ({ seriesNumber, seriesDescription }: Pick<SeriesSummary, 'seriesNumber' | 'seriesDescription'>) => {
  const series = seriesNumber ?? seriesDescription;
  return t`MPR/3D of series ${series}`;
};

export function SeriesList({ studyId }: { studyId: string }) {
  const series = useQuery(query(studies.series, { params: { id: studyId } }));
  if (series.isPending) {
    return (
      <div className={styles.waiting}>
        <Skeleton lines={2} label={t`Loading series`} />
      </div>
    );
  }
  if (series.isError) {
    return <ErrorState failed={t`Error fetching series`} error={series.error} onRetry={() => void series.refetch()} />;
  }
  if (series.data.length === 0) return <p className={styles.none}>{t`This study has no images yet.`}</p>;
  return (
    <table className={styles.series} aria-label={t`Series`}>
      <thead>
        <tr>
          <th scope="col">{t`Series UID`}</th>
          <th scope="col">{t`Modality`}</th>
          <th scope="col">{t`Series Number`}</th>
          <th scope="col">{t`Description`}</th>
          <th scope="col">{t`Instance Count`}</th>
          <th scope="col">
            <span className="visually-hidden">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {series.data.map((item) => (
          <tr key={item.id}>
            <td className="mono">{item.seriesInstanceUID}</td>
            <td>
              <ModalityTag modality={item.modality} />
            </td>
            <td>{item.seriesNumber}</td>
            <td>{item.seriesDescription}</td>
            <td>{item.instanceCount}</td>
            <td>
              <Link
                className={styles.action}
                to="/mpr/$id/{-$series}"
                params={{ id: studyId, series: item.seriesInstanceUID }}
                aria-label={mprLabel(item)}
              >
                <IconCube size={15} stroke={1.6} aria-hidden />
                {t`MPR/3D`}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
