export type MetricSample = { name: string; labels: Record<string, string>; value: number };

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\n"])*)"(?:,|$)/gy;

const labelsOf = (text: string): Record<string, string> => {
  const pairs = [...text.matchAll(labelPair)];
  if (pairs.map(([pair]) => pair).join('') !== text) throw new Error(`No labels: ${text}`);
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]));
};

const valueOf = (text: string): number => {
  if (text === '+Inf') return Infinity;
  const value = Number(text);
  if (Number.isNaN(value)) throw new Error(`No value: ${text}`);
  return value;
};

/** Reads the Prometheus text format 0.0.4. Throws for invalid text, such as a sample without a type. */
export const readExposition = (text: string): MetricSample[] => {
  if (!text.endsWith('\n')) throw new Error('The last line does not end');
  const types = new Map<string, string>();
  return text
    .slice(0, -1)
    .split('\n')
    .flatMap((line) => {
      const [, metricName, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
      if (metricName && type) types.set(metricName, type);
      if (line.startsWith('# ')) return [];
      const [, name = '', labels = '', value = ''] = sampleLine.exec(line) ?? [];
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
      if (name === '' || !types.has(family)) throw new Error(`No sample: ${line}`);
      return [{ name, labels: labelsOf(labels), value: valueOf(value) }];
    });
};

/** Sums the samples with this name and at least these labels; undefined when there are none. */
export const figure = (scraped: readonly MetricSample[], name: string, labels: Record<string, string> = {}) => {
  const fitting = scraped.filter(
    (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  );
  return fitting.length === 0 ? undefined : fitting.reduce((sum, { value }) => sum + value, 0);
};
