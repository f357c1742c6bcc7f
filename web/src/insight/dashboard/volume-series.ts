import { t } from '@lingui/core/macro';
import type { DashboardVolume } from '@radwork/contract/insight/dashboard';

/** The colors also differ in lightness, for users with color blindness. */
const colors = ['#7db0ff', '#d5dbe4', '#4fc8dc', '#f0b34a', '#5fcb8b', '#c39bff'];
const otherColor = '#6e7988';
export const otherName = t`Other`;

/** Returns a chart series for each frequent modality, and one series for all other modalities. */
export const seriesOf = ({ modalities }: DashboardVolume) => {
  const namedSeries = modalities
    .slice(0, colors.length)
    .map(({ modality }, at) => ({ name: modality, color: colors[at] ?? otherColor }));
  return modalities.length > namedSeries.length
    ? [...namedSeries, { name: otherName, color: otherColor }]
    : namedSeries;
};

/** Returns the data for each column of the chart, with one number per series. */
export const rowsOf = (volume: DashboardVolume) => {
  const series = seriesOf(volume);
  const seriesNames = new Set(series.map(({ name }) => name));
  return volume.columns.map(({ from, to, counts }) => {
    const row: Record<string, number | string> = { from, to };
    for (const { name } of series) row[name] = 0;
    for (const [modality, total] of Object.entries(counts)) {
      const name = seriesNames.has(modality) ? modality : otherName;
      row[name] = Number(row[name] ?? 0) + total;
    }
    return row;
  });
};
