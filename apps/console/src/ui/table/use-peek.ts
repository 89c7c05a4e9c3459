import { usePatchSearch, useSearchParams } from '../../lib/router/use-search-params.ts';
import { peekRoom, useMedia } from '../base/use-media.ts';

/** Opens the detail of a row next to the list, which stays usable: `peek` in the address, with `open`. */
export function usePeek(isAllowed: boolean) {
  const hasRoom = useMedia(peekRoom);
  const patchSearch = usePatchSearch();
  const [{ peek, open }] = useSearchParams(['peek', 'open']);
  const isOn = isAllowed && hasRoom;
  const isOpen = isOn && peek === '1' && open !== undefined;
  return {
    /** Whether a row of this list can be peeked at, in this window. */
    isOn,
    isOpen,
    show: (key: string): void => {
      void patchSearch({ open: key, peek: '1' }, { replace: isOpen });
    },
    /** The same detail over the page, as by opening the row. */
    expand: (): void => {
      void patchSearch({ peek: undefined }, { replace: true });
    },
    close: (): void => {
      void patchSearch({ open: undefined, peek: undefined });
    },
  };
}
