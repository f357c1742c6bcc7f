import type { SeriesSummary, StudyDetails } from '@radwork/contract/studies';
import { CopyableUid } from './copyable-uid.tsx';
import { NotKnown, StudyFacts } from './study-facts.tsx';
import styles from './study-technical.module.css';

/** Equipment, radiation dose and series of a study. */
export function StudyTechnical({ study: { equipment, radiation, series } }: { study: StudyDetails }) {
  return (
    <>
      <StudyFacts
        title="Equipment"
        facts={[
          { label: 'Name', value: equipment.name },
          { label: 'Manufacturer', value: equipment.manufacturer },
          { label: 'Model', value: equipment.model },
          { label: 'Room', value: equipment.room.name },
        ]}
      />
      <StudyFacts
        title="Radiation"
        facts={[
          { label: 'Total DLP', value: dose(radiation.totalDLP, 'mGy·cm') },
          { label: 'CTDIvol', value: dose(radiation.ctdiVol, 'mGy') },
          { label: 'Effective dose', value: dose(radiation.effectiveDose, 'mSv') },
        ]}
      />
      <section className={styles.section}>
        <h3 className={styles.title}>Series</h3>
        {series.length === 0 ? <NotKnown /> : <SeriesTable series={series} />}
      </section>
    </>
  );
}

const dose = (value: number | null, unit: string) =>
  value === null ? null : `${value.toLocaleString('en-US', { maximumFractionDigits: 2 })} ${unit}`;

function SeriesTable({ series }: { series: readonly SeriesSummary[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Mod.</th>
          <th scope="col">Description</th>
          <th scope="col">Body part</th>
          <th scope="col">Images</th>
        </tr>
      </thead>
      {series.map((one) => (
        <tbody key={one.id}>
          <tr>
            <td>{one.seriesNumber ?? <NotKnown />}</td>
            <td className="mono">{one.modality}</td>
            <td>{one.seriesDescription || <NotKnown />}</td>
            <td>{one.bodyPartExamined || <NotKnown />}</td>
            <td>{one.instanceCount.toLocaleString('en-US')}</td>
          </tr>
          <tr className={styles.uid}>
            <td colSpan={5}>
              <CopyableUid uid={one.seriesInstanceUID} name="series UID" />
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}
