import { Counter } from 'prom-client';
import { registry } from './registry.ts';
import { supplierName } from './supplier-names.ts';

/**
 * A counter by supplier account, and by one more label if it has one. The account is named when the counter is read, not
 * when it counts.
 */
export function countBySupplier(name: string, help: string): (supplierId: string) => void;
export function countBySupplier(name: string, help: string, label: string): (supplierId: string, value: string) => void;
export function countBySupplier(name: string, help: string, label?: string) {
  const counts = new Map<string, Map<string, number>>();
  new Counter({
    name,
    help,
    labelNames: label === undefined ? ['supplier'] : ['supplier', label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [supplierId, values] of counts)
        for (const [value, count] of values) {
          const more = label === undefined ? {} : { [label]: value };
          this.inc({ supplier: supplierName(supplierId), ...more }, count);
        }
    },
  });
  return (supplierId: string, value = ''): void => {
    const values = counts.get(supplierId) ?? new Map<string, number>();
    counts.set(supplierId, values.set(value, (values.get(value) ?? 0) + 1));
  };
}
