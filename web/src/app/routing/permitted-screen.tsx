import { mayCall } from '@radwork/contract/identity/sessions';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '#core/state/session.ts';
import { AccessDenied } from './missing-pages.tsx';

/** Shows a screen only to users with the permission that its route declares. The server also checks each call. */
export function PermittedScreen({ children }: { children: ReactNode }) {
  const session = useSession();
  const access = useMatches({ select: (matches) => matches.at(-1)?.staticData.can });
  return access && mayCall(session, access) ? children : <AccessDenied />;
}
