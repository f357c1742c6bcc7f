import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import type { DashboardVolume } from '@radwork/contract/insight/dashboard';
import { rowsOf, seriesOf } from './volume-series.ts';

type Props = { volume: DashboardVolume; onColumn: (column: { from: string; to: string }) => void };

/**
 * Shows new studies as stacked columns. A click opens the studies of a column. Screen reader users have the table
 * instead.
 */
export function VolumeChart({ volume, onColumn }: Props) {
  return (
    <BarChart
      h={190}
      data={rowsOf(volume)}
      dataKey="from"
      type="stacked"
      series={seriesOf(volume)}
      gridColor="var(--line1)"
      textColor="var(--text3)"
      tickLine="none"
      maxBarWidth={28}
      withLegend={false}
      xAxisProps={{ tickFormatter: (day: string) => day.slice(5), minTickGap: 24 }}
      yAxisProps={{ width: 44, allowDecimals: false }}
      barProps={{ isAnimationActive: false, stroke: 'var(--bg2)', strokeWidth: 1 }}
      barChartProps={{
        accessibilityLayer: false,
        style: { cursor: 'pointer' },
        onClick: ({ activeIndex }) => {
          const column = volume.columns[Number(activeIndex)];
          if (column) onColumn(column);
        },
      }}
    />
  );
}
