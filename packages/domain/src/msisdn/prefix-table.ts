import { Carrier } from '@pahatid/contract/enums';

/**
 * Original holder of a number range. Since number portability (2021) that is not the carrier serving the number today,
 * so a range holder is never shown as the carrier; and an unknown prefix is sent, not refused. Staff may edit the rows.
 */
export interface PrefixRow {
  /** Leading digits of an MSISDN. */
  prefix: string;
  carrier: string;
}

const RANGES: Readonly<Record<Carrier, string>> = {
  [Carrier.Smart]: '813 907-912 918-923 925 928-933 938 939 942 943 946-951 958 960-964 968-970 981 985 988 998 999',
  [Carrier.Globe]: '905 906 914-917 926 927 935-937 945 952-957 959 965-967 971 972 975-978 983 986 987 995-997',
  [Carrier.Dito]: '895-898 924 934 944 991-994',
};

function expand(carrier: Carrier): PrefixRow[] {
  return RANGES[carrier].split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => ({
      prefix: `63${Number(first) + i}`,
      carrier,
    }));
  });
}

/** The default rows for the Philippines. */
export const prefixTable: readonly PrefixRow[] = /* @__PURE__ */ [Carrier.Globe, Carrier.Smart, Carrier.Dito].flatMap(
  expand,
);

/** Makes rows searchable: returns the holder of the longest prefix of an MSISDN, or null. */
export function compilePrefixes(rows: Iterable<PrefixRow>): (msisdn: string) => string | null {
  const holders = new Map<string, string>();
  const lengths = new Set<number>();
  for (const { prefix, carrier } of rows) {
    holders.set(prefix, carrier);
    lengths.add(prefix.length);
  }
  const longestFirst = [...lengths].sort((a, b) => b - a);
  return (msisdn) => {
    for (const length of longestFirst) {
      const holder = holders.get(msisdn.slice(0, length));
      if (holder !== undefined) return holder;
    }
    return null;
  };
}
