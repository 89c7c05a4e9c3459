import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery } from '../lib/api/session.ts';
import { ensureTexts } from '../lib/i18n/text-store.ts';
import { localPath } from '../lib/router/local-path.ts';
import { parseSearchParams, type SearchParams, stringifySearchParams } from '../lib/router/query-text.ts';
import { BrokenScreen } from '../ui/feedback/error-boundary.tsx';
import { loadChunk } from '../ui/feedback/load-error.ts';
import { SkeletonPage } from '../ui/feedback/skeleton.tsx';
import { LeaveConsole } from './leave-console.tsx';
import { firstPath } from './menu.ts';
import { NotFound } from './not-found.tsx';
import { RootFailure } from './root-failure.tsx';
import { isScreenOf, type ScreenDefinition, type ScreenPath, screens } from './screens.ts';

interface RouterContext {
  queryClient: QueryClient;
}

/** Redirects. The router uses thrown values that are not errors. */
function leaveFor(path: string, search: SearchParams = {}): never {
  // oxlint-disable-next-line typescript/only-throw-error -- a redirect is thrown by design of the router
  throw redirect({ href: path + stringifySearchParams(search), replace: true });
}

const lazy = (load: ScreenDefinition['load']) => lazyRouteComponent(() => loadChunk(load));

const rootRoute = createRootRouteWithContext<RouterContext>()({
  validateSearch: (search: Record<string, unknown>) => search as SearchParams,
  component: Outlet,
  notFoundComponent: () => <NotFound />,
  errorComponent: RootFailure,
});

/** The landing page and the sign-in are a separate, lighter program: navigating there leaves this one. */
const landingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: LeaveConsole,
});

/** The specification's `/login`: the sign-in opens over the landing page. */
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: ({ search }) => {
    const next = localPath(search.next);
    leaveFor('/', { login: '1', ...(next && { next }) });
  },
});

/** Where the first admin of an installation signs up. */
const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  loader: () => loadChunk(() => ensureTexts('arrival')),
  component: lazy(() => import('./setup-screen.tsx')),
});

/** Where a user invited by mail becomes a member. */
const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  loader: () => loadChunk(() => ensureTexts('arrival')),
  component: lazy(() => import('./invitation-screen.tsx')),
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (!session) leaveFor('/', { login: '1', next: location.href });
    // All other routes refuse until there is a second factor.
    if (session.mustEnrol && location.pathname !== '/account') leaveFor('/account', { next: location.href });
    return { session };
  },
  loader: () => loadChunk(() => ensureTexts('console')),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazy(() => import('./shell/shell.tsx')),
});

/** Loads the screen together with the texts that it alone shows. */
const withTexts =
  ({ load, texts }: ScreenDefinition): ScreenDefinition['load'] =>
  async () => {
    const [module] = await Promise.all([load(), ...(texts === undefined ? [] : [ensureTexts(texts)])]);
    return module;
  };

/** Screens load their own code; their filters and open drawers are in the query string, which they read themselves. */
function screenRoute<P extends ScreenPath>(path: P) {
  const screen: ScreenDefinition = screens[path];
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: ({ context }) => {
      const { kind } = context.session.user;
      // The staff's first screen leads a customer's people to their own.
      if (path === '/overview' && kind === 'customer') leaveFor(firstPath[kind]);
    },
    // Not in beforeLoad: from there "not found" would take the shell away as well.
    loader: ({ context }) => {
      // oxlint-disable-next-line typescript/only-throw-error -- "not found" is thrown by design of the router
      if (!isScreenOf(screen, context.session.user)) throw notFound();
    },
    component: lazy(withTexts(screen)),
    pendingComponent: SkeletonPage,
    notFoundComponent: () => <NotFound inShell />,
    errorComponent: ({ error, reset }) => <BrokenScreen error={error} onRetry={reset} />,
  });
}

const routeTree = rootRoute.addChildren([
  landingRoute,
  loginRoute,
  setupRoute,
  invitationRoute,
  shellRoute.addChildren([
    screenRoute('/home'),
    screenRoute('/overview'),
    screenRoute('/application'),
    screenRoute('/smsTemplate'),
    screenRoute('/sender'),
    screenRoute('/bulkMessage'),
    screenRoute('/bulkMessage/addMessage'),
    screenRoute('/bussinessStatistics/sendRecord'),
    screenRoute('/bussinessStatistics/statistics'),
    screenRoute('/bussinessStatistics/shortLinkStatics'),
    screenRoute('/inbound'),
    screenRoute('/conversation'),
    screenRoute('/developer'),
    screenRoute('/routing'),
    screenRoute('/customer'),
    screenRoute('/billing'),
    screenRoute('/billing/invoice'),
    screenRoute('/privacy'),
    screenRoute('/review'),
    screenRoute('/deliveryThreshold'),
    screenRoute('/notice'),
    screenRoute('/account'),
    screenRoute('/member'),
    screenRoute('/unownedReply'),
    screenRoute('/dossier'),
    screenRoute('/accountRequest'),
    screenRoute('/enquiry'),
    screenRoute('/setAsideEvent'),
    screenRoute('/approvals'),
    screenRoute('/staff'),
    screenRoute('/messageGroup'),
    screenRoute('/opt-outs'),
    screenRoute('/consents'),
    screenRoute('/auditLog'),
  ]),
]);

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: parseSearchParams,
    stringifySearch: stringifySearchParams,
    defaultPreload: 'intent',
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof makeRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
