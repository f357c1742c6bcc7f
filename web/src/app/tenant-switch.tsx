import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Combobox, InputBase, Loader, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { isSuperAdmin } from '@radwork/contract/sessions';
import { type Tenant, tenants } from '@radwork/contract/tenants';
import { IconBuildingHospital, IconSelector } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, wordsFor } from '#core/api.ts';
import { may, useSession } from '#core/session.ts';
import styles from './tenant-switch.module.css';
import { useTenantSwitch } from './use-tenant-switch.ts';

const mostShown = 25;

/** For super administrators: organization of this tab, with a switch to another. */
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
          aria-label={t`Organisation that you are in`}
          leftSection={<IconBuildingHospital size={15} stroke={1.6} aria-hidden />}
          rightSection={<IconSelector size={15} stroke={1.6} aria-hidden />}
          rightSectionPointerEvents="none"
          value={isOpen ? typed : session.tenant.name}
          placeholder={t`Search organisations`}
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
  const found = useQuery({
    ...query(tenants.list, { query: { size: mostShown, status: 'ACTIVE', ...(words && { query: words }) } }),
    placeholderData: keepPreviousData,
  });
  if (found.error) {
    return <Combobox.Empty>{wordsFor(found.error, t`Failed to load organisations`)}</Combobox.Empty>;
  }
  if (!found.data) {
    return (
      <Combobox.Empty>
        <Loader size="xs" aria-label={t`Loading organisations`} />
      </Combobox.Empty>
    );
  }
  const { totalElements } = found.data;
  // Fast typing and Enter must not select an organization of an earlier search.
  const isOutdated = found.isPlaceholderData || words !== typed.trim();
  const content = isOutdated ? found.data.content.filter((tenant) => holds(tenant, typed.trim())) : found.data.content;
  return (
    <>
      <Combobox.Options className={styles.options ?? ''} aria-label={t`Organisations`}>
        {content.map((tenant) => (
          <Choice key={tenant.id} tenant={tenant} isCurrent={tenant.subdomain === current} />
        ))}
        {content.length === 0 && !isOutdated && <Combobox.Empty>{t`No organisation is called so`}</Combobox.Empty>}
      </Combobox.Options>
      {!isOutdated && totalElements > content.length && (
        <Combobox.Footer className={styles.more ?? ''}>
          <Trans>{totalElements - content.length} more: type a part of the name</Trans>
        </Combobox.Footer>
      )}
    </>
  );
}

const holds = ({ name, subdomain }: Tenant, words: string): boolean =>
  [name, subdomain].some((text) => text.toLowerCase().includes(words.toLowerCase()));

function Choice({ tenant, isCurrent }: { tenant: Tenant; isCurrent: boolean }) {
  return (
    <Combobox.Option value={tenant.subdomain} disabled={isCurrent}>
      <span className={styles.name}>{tenant.name}</span>{' '}
      <span className={styles.subdomain}>
        {[tenant.subdomain, tenant.isHome && 'yours', isCurrent && 'you are here'].filter(Boolean).join(' · ')}
      </span>
    </Combobox.Option>
  );
}
