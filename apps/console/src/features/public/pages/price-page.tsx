import type { PriceCopy } from '../copy/shapes.ts';
import { ChargingSection } from './charging-section.tsx';
import { PageMore } from './page-more.tsx';
import { PriceCalculator } from './price-calculator.tsx';
import { PriceList } from './price-list.tsx';
import './price.css';

export function PricePage({ copy }: { copy: PriceCopy }) {
  return (
    <>
      <PriceCalculator copy={copy} />
      <PriceList copy={copy} />
      <ChargingSection copy={copy.charging} />
      <PageMore more={copy.more} />
    </>
  );
}
