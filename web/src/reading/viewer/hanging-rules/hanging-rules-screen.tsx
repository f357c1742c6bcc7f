import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { type HangingRule, hangingRules } from '@radwork/contract/reading/hanging-rules';
import { IconLayoutGrid, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { monitorChoices, reportedMonitors, useMonitorChoice } from '#reading/viewer/hanging/monitors.ts';
import { monitorsLabel } from '#reading/viewer/hanging/rule-labels.ts';
import styles from './hanging-rules.module.css';
import { type Edited, RuleDrawer } from './rule-drawer.tsx';
import { RuleList } from './rule-list.tsx';
import { SavedLayoutList } from './saved-layout-list.tsx';

const route = getRouteApi('/signed-in/shell/hanging-rules');

/** Whether the user edits the rules of the organization. */
const canEditShared = (): boolean => may({ can: 'config.manage' });

/** Screen /hanging-rules: own rules, those of the organization, and the monitors of this workstation. */
export function HangingRulesScreen() {
  const rules = useQuery(query(hangingRules.list, {}));
  const { rule: openId } = route.useSearch();
  const navigate = useNavigate();
  const [started, setStarted] = useState<Edited>();
  const openRule = rules.data?.find(({ id }) => id === openId);
  const edited =
    started ?? (openRule && { rule: openRule, isShared: openRule.isShared, isReadOnly: isLocked(openRule) });
  const close = () => {
    setStarted(undefined);
    if (openId) void navigate({ to: '/hanging-rules', search: {}, replace: true });
  };
  const create = () => setStarted({ isShared: false });
  useShortcuts(t`Hanging rules`, [{ keys: 'n', does: t`Create rule`, run: create, hint: t`create` }]);
  const own = rules.data?.filter(({ isShared }) => !isShared);
  const shared = rules.data?.filter(({ isShared }) => isShared);
  const open = (rule: HangingRule) => setStarted({ rule, isShared: rule.isShared, isReadOnly: isLocked(rule) });
  const copy = (rule: HangingRule) => setStarted({ rule, isShared: false, isCopy: true });
  return (
    <>
      <ScreenTitle
        title={t`Hanging rules`}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
            {t`Create rule`}
          </Button>
        }
      />
      <div className={styles.screen}>
        <p className={styles.hint}>
          {t`A rule decides how studies open in the viewer. Own rules come before rules of the organization. Then more conditions come before fewer, then the order of the list.`}
        </p>
        {rules.isPending && <Skeleton lines={5} label={t`Loading hanging rules`} />}
        {rules.isLoadingError && (
          <ErrorState
            failed={t`Failed to load hanging rules`}
            error={rules.error}
            onRetry={() => void rules.refetch()}
          />
        )}
        {own && (
          <Section title={t`Own rules`}>
            {own.length > 0 ? (
              <RuleList label={t`Own rules`} rules={own} canEdit onOpen={open} onCopy={copy} />
            ) : (
              <EmptyState
                icon={IconLayoutGrid}
                title={t`No own rules`}
                detail={<BuiltIn hasShared={shared !== undefined && shared.length > 0} />}
              />
            )}
            <SavedLayoutList onEdit={(saved) => setStarted({ ...saved, isShared: false })} />
          </Section>
        )}
        {shared && (
          <Section
            title={t`Rules of the organization`}
            action={
              canEditShared() && (
                <Button variant="default" onClick={() => setStarted({ isShared: true })}>
                  {t`Create rule for the organization`}
                </Button>
              )
            }
          >
            {shared.length > 0 ? (
              <RuleList
                label={t`Rules of the organization`}
                rules={shared}
                canEdit={canEditShared()}
                onOpen={open}
                onCopy={copy}
              />
            ) : (
              <p className={styles.hint}>{t`The organization has no rules.`}</p>
            )}
          </Section>
        )}
        <Monitors />
      </div>
      <RuleDrawer edited={edited} onClose={close} />
    </>
  );
}

const isLocked = ({ isShared }: HangingRule): boolean => isShared && !canEditShared();

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {action && <div>{action}</div>}
    </section>
  );
}

/** Describes the hanging without rules. */
const BuiltIn = ({ hasShared }: { hasShared: boolean }) => (
  <>
    {hasShared && t`The rules of the organization apply.`}{' '}
    {t`Without a rule, mammograms hang right next to left, CC above MLO. Radiographs hang front view first. Up to four MR sequences hang side by side, CT in one viewport, and PET next to CT. The prior of the same kind hangs beside or below.`}
  </>
);

/** Number of monitors of this workstation, for rules with such a condition. */
function Monitors() {
  const [choice, setChoice] = useMonitorChoice();
  const reported = monitorsLabel(reportedMonitors() === 2 ? 2 : 1);
  return (
    <Section title={t`This workstation`}>
      <NativeSelect
        className={styles.monitors}
        label={t`Monitors`}
        description={t`Stored in this browser. The browser reports whether there is a second monitor.`}
        value={choice}
        data={monitorChoices.map((value) => ({
          value,
          label: value === 'auto' ? t`As reported: ${reported}` : monitorsLabel(({ 1: 1, 2: 2, 3: 3 } as const)[value]),
        }))}
        onChange={({ currentTarget }) => {
          const chosen = monitorChoices.find((one) => one === currentTarget.value);
          if (chosen) setChoice(chosen);
        }}
      />
    </Section>
  );
}
