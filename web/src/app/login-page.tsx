import { getRouteApi } from '@tanstack/react-router';
import { LoginScreen } from '#features/sessions/login-screen.tsx';
import { SingleSignOnArrival } from '#features/single-sign-on/single-sign-on-arrival.tsx';
import { SingleSignOnButton } from '#features/single-sign-on/single-sign-on-button.tsx';

const route = getRouteApi('/login');

/** /login: with a name and a password, or at one's own organisation. */
export function LoginPage() {
  const { redirect } = route.useSearch();
  return (
    <LoginScreen
      arrival={<SingleSignOnArrival />}
      otherWays={(organisation) => <SingleSignOnButton organisation={organisation} redirect={redirect} />}
    />
  );
}
