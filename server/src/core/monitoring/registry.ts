/** Values of labels by name. Each label has few values, and never an id, a name of a person or an address. */
export type Labels = Record<string, string>;

/** One line of the exposition format. `name` is the name of the family, with a suffix such as "_bucket". */
export type Sample = { name: string; labels: Labels; value: number };

type Family = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram' };

export type Counter = { add: (labels: Labels, amount?: number) => void };
export type Histogram = { observe: (labels: Labels, value: number) => void };
/** Reads values when the metrics are collected. */
export type ReadValues = () => Promise<{ labels: Labels; value: number }[]>;

export type Registry = ReturnType<typeof createRegistry>;

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Collects metrics in the Prometheus text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
export const createRegistry = () => {
  const families: { family: Family; samples: () => Promise<Sample[]> }[] = [];

  return {
    counter: (name: string, help: string): Counter => {
      const counts = new Map<string, Sample>();
      families.push({ family: { name, help, type: 'counter' }, samples: async () => [...counts.values()] });
      return {
        add: (labels, amount = 1) => {
          const key = textOf(labels);
          const sample = counts.get(key) ?? { name, labels, value: 0 };
          counts.set(key, sample);
          sample.value += amount;
        },
      };
    },

    histogram: (name: string, help: string, bounds: readonly number[]): Histogram => {
      const observed = new Map<string, Distribution>();
      const samples = async () => Array.from(observed.values(), (one) => samplesOf(name, bounds, one)).flat();
      families.push({ family: { name, help, type: 'histogram' }, samples });
      return {
        observe: (labels, value) => {
          const key = textOf(labels);
          const one = observed.get(key) ?? { labels, counts: bounds.map(() => 0), count: 0, sum: 0 };
          observed.set(key, one);
          for (const [index, bound] of bounds.entries())
            if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
          one.count += 1;
          one.sum += value;
        },
      };
    },

    /** Adds a gauge. With `counter`, the value is a count that is kept elsewhere. */
    read: (name: string, help: string, read: ReadValues, type: 'gauge' | 'counter' = 'gauge'): void => {
      const samples = async () => (await read()).map((one) => ({ name, ...one }));
      families.push({ family: { name, help, type }, samples });
    },

    /** Returns all metrics as text. If a metric cannot be read, reports it and leaves it out. */
    text: async (onError: (name: string, error: unknown) => void): Promise<string> => {
      const parts = families.map(async ({ family, samples }) => {
        const lines = await samples().catch((error: unknown) => {
          onError(family.name, error);
          return [];
        });
        return [
          `# HELP ${family.name} ${escaped(family.help)}`,
          `# TYPE ${family.name} ${family.type}`,
          ...lines.map(({ name, labels, value }) => `${name}${textOf(labels)} ${numberOf(value)}`),
        ];
      });
      return `${(await Promise.all(parts)).flat().join('\n')}\n`;
    },
  };
};

type Distribution = { labels: Labels; counts: number[]; count: number; sum: number };

const samplesOf = (name: string, bounds: readonly number[], { labels, counts, count, sum }: Distribution): Sample[] => [
  ...bounds.map((bound, index) => ({
    name: `${name}_bucket`,
    labels: { ...labels, le: String(bound) },
    value: counts[index] ?? 0,
  })),
  { name: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
  { name: `${name}_sum`, labels, value: sum },
  { name: `${name}_count`, labels, value: count },
];

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const textOf = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

const numberOf = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
};
