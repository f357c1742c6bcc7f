import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { singleSignOn, ssoJourney } from '@radwork/contract/identity/single-sign-on';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import styles from './single-sign-on-button.module.css';

type Props = {
  /** Organization as typed. Empty means the only organization of the installation. */
  organization: string;
  /** Path to open after sign-in. */
  redirect: string | undefined;
};

/** Link to the single sign-on of the organization. Renders nothing if the organization has none. */
export function SingleSignOnButton({ organization, redirect }: Props) {
  const [organizationName] = useDebouncedValue(organization.trim().toLowerCase(), 300);
  const { data } = useQuery(
    query(singleSignOn.offer, { query: organizationName === '' ? {} : { organization: organizationName } }),
  );
  if (!data?.isOn) return null;
  const { label } = data;
  const path = ssoJourney.start.path.replace(':subdomain', encodeURIComponent(data.subdomain));
  const search = redirect === undefined ? '' : `?${new URLSearchParams({ redirect })}`;
  return (
    <>
      <p className={styles.or}>{t`or`}</p>
      <Button
        component="a"
        href={`${path}${search}`}
        size="sm"
        variant="default"
        fullWidth
        leftSection={<IconBuilding size={16} aria-hidden />}
      >
        {t`Sign in with ${label}`}
      </Button>
    </>
  );
}
