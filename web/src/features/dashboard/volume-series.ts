import type { DashboardVolume } from '@radwork/contract/dashboard';

/** Told apart by lightness too, for those who see few colours. */
const colors = ['#7db0ff', '#d5dbe4', '#4fc8dc', '#f0b34a', '#5fcb8b', '#c39bff'];
const otherColor = '#6e7988';

/** The most frequent modalities, one colour each, and all the others as one. */
export const seriesOf = ({ modalities }: DashboardVolume) => {
  const named = modalities
    .slice(0, colors.length)
    .map(({ modality }, at) => ({ name: modality, color: colors[at] ?? otherColor }));
  return modalities.length > named.length ? [...named, { name: 'Other', color: otherColor }] : named;
};

/** A row for each column of the chart, with a number for each series. */
export const rowsOf = (volume: DashboardVolume) => {
  const series = seriesOf(volume);
  const named = new Set(series.map(({ name }) => name));
  return volume.columns.map(({ from, to, counts }) => {
    const row: Record<string, number | string> = { from, to };
    for (const { name } of series) row[name] = 0;
    for (const [modality, total] of Object.entries(counts)) {
      const name = named.has(modality) ? modality : 'Other';
      row[name] = Number(row[name] ?? 0) + total;
    }
    return row;
  });
};
