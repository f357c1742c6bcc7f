import { locale } from '#core/language.ts';
import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { CopyableUid } from './copyable-uid.tsx';
import { NotKnown, StudyFacts } from './study-facts.tsx';
import styles from './study-technical.module.css';

/** Shows equipment, radiation dose and series of a study. */
export function StudyTechnical({ study: { equipment, radiation, series } }: { study: StudyDetails }) {
  return (
    <>
      <StudyFacts
        title={t`Equipment`}
        facts={[
          { label: t`Name`, value: equipment.name },
          { label: t`Manufacturer`, value: equipment.manufacturer },
          { label: t`Model`, value: equipment.model },
          { label: t`Room`, value: equipment.room.name },
        ]}
      />
      <StudyFacts
        title={t`Radiation`}
        facts={[
          { label: t`Total DLP`, value: dose(radiation.totalDLP, 'mGy·cm') },
          { label: t`CTDIvol`, value: dose(radiation.ctdiVol, 'mGy') },
          { label: t`Effective dose`, value: dose(radiation.effectiveDose, 'mSv') },
        ]}
      />
      <section className={styles.section}>
        <h3 className={styles.title}>{t`Series`}</h3>
        {series.length === 0 ? <NotKnown /> : <SeriesTable series={series} />}
      </section>
    </>
  );
}

const dose = (value: number | null, unit: string) =>
  value === null ? null : `${value.toLocaleString(locale, { maximumFractionDigits: 2 })} ${unit}`;

function SeriesTable({ series }: { series: readonly SeriesSummary[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t`No.`}</th>
          <th scope="col">{t`Mod.`}</th>
          <th scope="col">{t`Description`}</th>
          <th scope="col">{t`Body part`}</th>
          <th scope="col">{t`Images`}</th>
        </tr>
      </thead>
      {series.map((one) => (
        <tbody key={one.id}>
          <tr>
            <td>{one.seriesNumber ?? <NotKnown />}</td>
            <td className="mono">{one.modality}</td>
            <td>{one.seriesDescription || <NotKnown />}</td>
            <td>{one.bodyPartExamined || <NotKnown />}</td>
            <td>{formatNumber(one.instanceCount)}</td>
          </tr>
          <tr className={styles.uid}>
            <td colSpan={5}>
              <CopyableUid uid={one.seriesInstanceUID} name={t`series UID`} />
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}
