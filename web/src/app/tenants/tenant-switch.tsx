import { t } from '@lingui/core/macro';
import { Combobox, InputBase, Loader, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { isSuperAdmin } from '@radwork/contract/identity/sessions';
import { type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { IconBuildingHospital, IconSelector } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { may, useSession } from '#core/state/session.ts';
import { formatNumber } from '#ui/formats/formats.ts';
import styles from './tenant-switch.module.css';
import { useTenantSwitch } from './use-tenant-switch.ts';

const mostShown = 25;

/** Shows the organization of this tab to super administrators, with a control to switch to another organization. */
export function TenantSwitch() {
  const session = useSession();
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped('');
    },
  });
  const switchTo = useTenantSwitch();
  if (!session || !isSuperAdmin(session) || !may(tenants.list)) return null;
  const isOpen = combobox.dropdownOpened;
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(subdomain) => {
        combobox.closeDropdown();
        switchTo(subdomain);
      }}
      position="bottom-end"
      width={300}
    >
      <Combobox.Target>
        <InputBase
          className={styles.field ?? ''}
          aria-label={t`Current organization`}
          leftSection={<IconBuildingHospital size={15} stroke={1.6} aria-hidden />}
          rightSection={<IconSelector size={15} stroke={1.6} aria-hidden />}
          rightSectionPointerEvents="none"
          value={isOpen ? typed : session.tenant.name}
          placeholder={t`Search organizations`}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>{isOpen && <Choices typed={typed} current={session.tenant.subdomain} />}</Combobox.Dropdown>
    </Combobox>
  );
}

function Choices({ typed, current }: { typed: string; current: string }) {
  const [words] = useDebouncedValue(typed.trim(), 200);
  const tenantQuery = useQuery({
    ...query(tenants.list, { query: { size: mostShown, status: 'ACTIVE', ...(words && { query: words }) } }),
    placeholderData: keepPreviousData,
  });
  if (tenantQuery.error) {
    return (
      <Combobox.Empty>
        {errorMessageOf(tenantQuery.error, t`Could not load the organizations. Try again.`)}
      </Combobox.Empty>
    );
  }
  if (!tenantQuery.data) {
    return (
      <Combobox.Empty>
        <Loader size="xs" aria-label={t`Loading organizations`} />
      </Combobox.Empty>
    );
  }
  const { totalElements } = tenantQuery.data;
  // Whether the options belong to an earlier search text. The typed text then filters them, so that Enter cannot choose
  // a wrong organization.
  const isOutdated = tenantQuery.isPlaceholderData || words !== typed.trim();
  const content = isOutdated
    ? tenantQuery.data.content.filter((tenant) => matchesText(tenant, typed.trim()))
    : tenantQuery.data.content;
  const hidden = formatNumber(totalElements - content.length);
  return (
    <>
      <Combobox.Options className={styles.options ?? ''} aria-label={t`Organizations`}>
        {content.map((tenant) => (
          <Choice key={tenant.id} tenant={tenant} isCurrent={tenant.subdomain === current} />
        ))}
        {content.length === 0 && !isOutdated && <Combobox.Empty>{t`Organization not found`}</Combobox.Empty>}
      </Combobox.Options>
      {!isOutdated && totalElements > content.length && (
        <Combobox.Footer className={styles.more ?? ''}>{t`${hidden} more. Type part of the name.`}</Combobox.Footer>
      )}
    </>
  );
}

const matchesText = ({ name, subdomain }: Tenant, words: string): boolean =>
  [name, subdomain].some((text) => text.toLowerCase().includes(words.toLowerCase()));

function Choice({ tenant, isCurrent }: { tenant: Tenant; isCurrent: boolean }) {
  return (
    <Combobox.Option value={tenant.subdomain} disabled={isCurrent}>
      <span className={styles.name}>{tenant.name}</span>{' '}
      <span className={styles.subdomain}>
        {[tenant.subdomain, tenant.isHome && t`home`, isCurrent && t`current`].filter(Boolean).join(' · ')}
      </span>
    </Combobox.Option>
  );
}
