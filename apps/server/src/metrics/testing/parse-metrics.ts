/** Reads the text format of Prometheus, as far as a test needs it. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function parseMetrics(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const parts = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (parts === null) continue;
    const [, name = '', labels = '', value = ''] = parts;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', given = '']) => [key, given]);
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return samples;
}

/** Returns the sum of all samples with these labels. */
export const sumOf = (samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>>): number =>
  samples
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
