import type { SavedList } from '@pahatid/contract';
import { Suspense, useState } from 'react';
import { ensureTexts } from '../../lib/i18n/text-store.ts';
import { phone, useMedia } from '../base/use-media.ts';
import { ErrorBoundary } from '../feedback/error-boundary.tsx';
import { lazyPart } from '../feedback/lazy-part.ts';
import { InHeader, useHeaderPlaces } from '../page/header-place.tsx';

/** Where a list's saved views stand: next to the page's title; on a phone, and in a part of a page, next to the filters. */
export function ViewsSlot({ list, switched }: { list: SavedList; switched: readonly string[] }) {
  const [SavedViews] = useState(() =>
    lazyPart(async () => {
      const [part] = await Promise.all([import('./saved-views.tsx'), ensureTexts('savedViews')]);
      return part;
    }),
  );
  const isPhone = useMedia(phone);
  const isInHeader = Boolean(useHeaderPlaces().elements.views) && !isPhone;
  const views = (
    <ErrorBoundary broken={() => null}>
      <Suspense fallback={null}>
        <SavedViews key={list} list={list} switched={switched} isSmall={isPhone} />
      </Suspense>
    </ErrorBoundary>
  );
  return isInHeader ? <InHeader place="views">{views}</InHeader> : views;
}
