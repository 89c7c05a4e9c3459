import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { KeyRound, LogOut, UserRound } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { sessionQuery, useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { removeStoredForms } from '../../lib/stored-forms.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { toastError, toastOnNextPage } from '../../ui/feedback/toast-store.ts';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';
import { initials } from './initials.ts';

const ChangePassword = lazyPart(() => import('../../features/passwords/change-password.tsx'));

/** Signs out and goes back to the landing page. */
export function useLogout(): () => Promise<void> {
  const t = useText();
  return async () => {
    try {
      await call('DELETE /session');
    } catch (error) {
      toastError(error);
      return;
    }
    removeStoredForms();
    toastOnNextPage(t('shell.logout.done'));
    // Not by the router: going back from a page that it left loads nothing, and would show this one at a screen's
    // address.
    window.location.assign('/');
  };
}

/** The signed-in user, and sign-out. */
export function UserMenu() {
  const t = useText();
  const { user, visit } = useSession();
  const router = useRouter();
  const logout = useLogout();
  const client = useQueryClient();
  const [isChanging, setIsChanging] = useState(false);
  const leave = async () => {
    await router.navigate({ to: '/', search: { login: '1', ended: undefined } });
    client.clear();
    client.setQueryData(sessionQuery.queryKey, null);
  };
  return (
    <>
      <Popover
        align="end"
        label={t('shell.user')}
        button={{
          variant: 'quiet',
          className: 'is-icon avatar-button',
          'aria-label': t('shell.user'),
          label: <span className="avatar" data-initials={initials(user.name || user.account)} />,
        }}
      >
        {(close) => (
          <>
            <div className="user-card">
              <div className="strong">{user.name || user.account}</div>
              <div className="tiny ink-3">
                <bdi>{user.account}</bdi> · {t(`shell.role.${user.role}`)}
              </div>
            </div>
            <hr className="menu-rule" />
            {visit === undefined && (
              <>
                <MenuItem
                  icon={<Icon of={UserRound} />}
                  onClick={() => {
                    close();
                    void router.navigate({ to: '/account' });
                  }}
                >
                  {t('shell.account')}
                </MenuItem>
                <MenuItem
                  icon={<Icon of={KeyRound} />}
                  onClick={() => {
                    close();
                    setIsChanging(true);
                  }}
                >
                  {t('passwords.change')}
                </MenuItem>
              </>
            )}
            <MenuItem
              icon={<Icon of={LogOut} mirror />}
              onClick={() => {
                close();
                void logout();
              }}
            >
              {t('shell.logout')}
            </MenuItem>
          </>
        )}
      </Popover>
      {isChanging && (
        <PartBoundary>
          <ChangePassword onClose={() => setIsChanging(false)} onReset={() => void leave()} />
        </PartBoundary>
      )}
    </>
  );
}
