import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { assignmentRules, type AssignmentRuleList } from '@radwork/contract/reading/assignment-rules';
import { IconPlus, IconRoute } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { isolateText } from '#ui/formats/isolate-text.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { LoadedSettings, SettingsSheet } from '#ui/forms/settings-screen.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import styles from './assignment-rules.module.css';
import { type DraftRule, formOf, newRule, toDrafts } from './draft-rules.ts';
import { DryRunSection } from './dry-run.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { RuleList } from './rule-list.tsx';

const failed = t`Failed to save the assignment rules`;

/** Screen /assignment-rules: the rules that assign arriving studies, and their dry run. */
export function AssignmentRulesScreen() {
  return (
    <LoadedSettings
      title={t`Assignment rules`}
      failed={t`Failed to load assignment rules`}
      settings={query(assignmentRules.read, {})}
    >
      {(stored, onLoadAgain) => <Rules stored={stored} onLoadAgain={onLoadAgain} />}
    </LoadedSettings>
  );
}

/** Returns the first error of each rule by its place. The server names fields as "rules.2.name". */
const errorsByRule = (fields: Record<string, string>): Map<number, string> =>
  new Map(
    Object.entries(fields)
      .toReversed()
      .map(([field, message]) => [Number(field.split('.')[1]), message]),
  );

function Rules({ stored, onLoadAgain }: { stored: AssignmentRuleList; onLoadAgain: () => Promise<void> }) {
  const [known, setKnown] = useState(stored);
  const [rules, setRules] = useState(() => toDrafts(stored.rules));
  const [saved, setSaved] = useState(rules);
  const [edited, setEdited] = useState<DraftRule>();
  const client = useQueryClient();
  const save = useAction(assignmentRules.save, { done: t`Assignment rules saved`, failed, refreshes: [] });
  const change = (next: DraftRule[]) => {
    save.reset();
    setRules(next);
  };
  const submit = () => {
    const body = {
      revision: known.revision,
      rules: rules.map((rule) => ({ ...formOf(rule), ...(rule.id !== undefined && { id: rule.id }) })),
    };
    save.mutate(
      { body },
      {
        onSuccess: (answer) => {
          client.setQueryData(query(assignmentRules.read, {}).queryKey, answer);
          const drafts = toDrafts(answer.rules);
          setKnown(answer);
          setRules(drafts);
          setSaved(drafts);
        },
      },
    );
  };
  const apply = (rule: DraftRule) => {
    const isKnown = rules.some(({ key }) => key === rule.key);
    change(isKnown ? rules.map((other) => (other.key === rule.key ? rule : other)) : [...rules, rule]);
    setEdited(undefined);
  };
  const askToRemove = async (rule: DraftRule) => {
    const agreed = await confirm(removing(rule));
    if (agreed) change(rules.filter(({ key }) => key !== rule.key));
  };
  const add = () => setEdited(newRule());
  useShortcuts(t`Assignment rules`, [{ keys: 'n', does: t`Add rule`, run: add, hint: t`add` }]);
  return (
    <SettingsSheet
      title={t`Assignment rules`}
      lost={t`Your changes to the assignment rules are lost.`}
      formId="assignment-rules"
      isDirty={rules !== saved}
      save={save}
      failed={failed}
      onLoadAgain={onLoadAgain}
      links={
        <>
          {rules !== saved && (
            <Button variant="subtle" onClick={() => change(saved)}>
              {t`Discard`}
            </Button>
          )}
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            {t`Add rule`}
          </Button>
        </>
      }
    >
      <form
        id="assignment-rules"
        className={styles.screen}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className={styles.hint}>
          {t`A study is assigned a minute after its last image. The first rule that matches and finds an assignee decides. Assignments by users stay.`}
        </p>
        {rules.length > 0 ? (
          <RuleList
            rules={rules}
            errors={errorsByRule(fieldErrorsOf(save.error))}
            onChange={change}
            onOpen={setEdited}
            onRemove={(rule) => void askToRemove(rule)}
          />
        ) : (
          <EmptyState
            icon={IconRoute}
            title={t`No assignment rules`}
            detail={t`Arriving studies stay unassigned until a user assigns or reads them.`}
          />
        )}
      </form>
      {rules.length > 0 && <DryRunSection rules={rules} />}
      <RuleDrawer
        rule={edited}
        isNew={edited !== undefined && !rules.some(({ key }) => key === edited.key)}
        onApply={apply}
        onClose={() => setEdited(undefined)}
      />
    </SettingsSheet>
  );
}

const removing = ({ name: words }: DraftRule) => {
  const name = isolateText(words);
  return {
    question: t`Delete the rule ${name}?`,
    consequence: (
      <p>{t`Studies that it would have assigned go to the next rule that matches. Its assignments stay. Save to delete it for good.`}</p>
    ),
    verb: t`Delete rule`,
  };
};
