import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';

const places = ['views', 'tools', 'actions'] as const;
type Place = (typeof places)[number];

interface HeaderPlaces {
  elements: Partial<Record<Place, HTMLElement | null>>;
  /** Callbacks of the header's elements. */
  refs: Partial<Record<Place, (element: HTMLElement | null) => void>>;
}

/** Where the page's header has room for what parts of the page put there; none in a section or a drawer. */
const Header = createContext<HeaderPlaces>({ elements: {}, refs: {} });

export const useHeaderPlaces = () => useContext(Header);

export function HeaderPlacesProvider({ children }: { children: ReactNode }) {
  const [views, setViews] = useState<HTMLElement | null>(null);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const value = useMemo(
    () => ({
      elements: { views, tools, actions },
      refs: { views: setViews, tools: setTools, actions: setActions },
    }),
    [views, tools, actions],
  );
  return <Header value={value}>{children}</Header>;
}

const nowhere: HeaderPlaces = { elements: {}, refs: {} };

/** A part of a page with its own list, whose settings stay with it. */
export const OutsideHeader = ({ children }: { children: ReactNode }) => <Header value={nowhere}>{children}</Header>;

/** Puts a part of the page into its header: `views`, a list's saved
 * views; `actions`, what a tab adds to its list; `tools`, a list's settings. */
export function InHeader({ place, children }: { place: Place; children: ReactNode }) {
  const element = useContext(Header).elements[place];
  return element ? createPortal(children, element) : null;
}
