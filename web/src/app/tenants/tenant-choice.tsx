import { t } from '@lingui/core/macro';
import { Combobox, InputBase, Loader, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import type { StoredSession } from '#core/state/session.ts';
import { formatNumber } from '#ui/formats/formats.ts';
import { tenantField } from './tenant-field.tsx';
import styles from './tenant-switch.module.css';
import { useTenantSwitch } from './use-tenant-switch.ts';

const mostShown = 25;

/**
 * Field with the organization of this tab, with a list of organizations to switch to. `opensAtOnce`: the user pressed the
 * field before its code had loaded.
 */
export function TenantChoice({ current, opensAtOnce }: { current: StoredSession['tenant']; opensAtOnce: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped('');
    },
  });
  const switchTo = useTenantSwitch();
  useEffect(() => {
    // The focus opens the list.
    if (opensAtOnce) field.current?.focus();
  }, [opensAtOnce]);
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
          {...tenantField()}
          ref={field}
          aria-label={t`Current organization`}
          value={isOpen ? typed : current.name}
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
      <Combobox.Dropdown>{isOpen && <Choices typed={typed} current={current.subdomain} />}</Combobox.Dropdown>
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
