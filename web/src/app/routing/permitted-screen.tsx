import { mayCall } from '@radwork/contract/identity/sessions';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '#core/state/session.ts';
import { AccessDenied } from './missing-pages.tsx';

/** Shows the screen to users with the permission of its route. The server checks each call again. */
export function PermittedScreen({ children }: { children: ReactNode }) {
  const session = useSession();
  const access = useMatches({ select: (matches) => matches.at(-1)?.staticData.can });
  return access && mayCall(session, access) ? children : <AccessDenied />;
}
