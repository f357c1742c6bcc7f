import { getRouteApi } from '@tanstack/react-router';
import { LoginScreen } from '#identity/sessions/login-screen.tsx';
import { SingleSignOnArrival } from '#identity/single-sign-on/single-sign-on-arrival.tsx';
import { SingleSignOnButton } from '#identity/single-sign-on/single-sign-on-button.tsx';

const route = getRouteApi('/login');

/** Screen /login: sign-in with user name and password, or by single sign-on of the organization. */
export function LoginPage() {
  const { redirect } = route.useSearch();
  return (
    <LoginScreen
      arrival={<SingleSignOnArrival />}
      otherWays={(organization) => <SingleSignOnButton organization={organization} redirect={redirect} />}
    />
  );
}
