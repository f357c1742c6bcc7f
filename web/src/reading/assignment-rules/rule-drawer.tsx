import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { AssigneeFields } from './assignee-fields.tsx';
import styles from './assignment-rules.module.css';
import { ConditionFields } from './condition-fields.tsx';
import { completed, type DraftRule, faultsOf } from './draft-rules.ts';

type Props = {
  /** The rule in the drawer; undefined while it is closed. */
  rule: DraftRule | undefined;
  isNew: boolean;
  onApply: (rule: DraftRule) => void;
  onClose: () => void;
};

/** Drawer with a rule. The screen stores the rule with all others. */
export function RuleDrawer({ rule, isNew, onApply, onClose }: Props) {
  return (
    <SideDialog
      opened={rule !== undefined}
      onClose={onClose}
      position="right"
      size={520}
      title={isNew ? t`Add rule` : t`Edit rule`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {rule && <RuleForm key={rule.key} rule={rule} isNew={isNew} onApply={onApply} onClose={onClose} />}
    </SideDialog>
  );
}

const unsaved = {
  question: t`Leave without saving?`,
  consequence: t`Your changes to this rule will be lost.`,
  verb: t`Leave`,
};

function RuleForm({ rule, isNew, onApply, onClose }: Props & { rule: DraftRule }) {
  const [typed, setTyped] = useState(rule);
  const [isTried, setTried] = useState(false);
  const [isApplied, setApplied] = useState(false);
  useLeaveWarning(typed !== rule && !isApplied, unsaved);
  const errors = isTried ? faultsOf(completed(typed)) : {};
  const change = (part: Partial<DraftRule>) => setTyped((before) => ({ ...before, ...part }));
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        const whole = completed(typed);
        if (Object.keys(faultsOf(whole)).length > 0) return;
        setApplied(true);
        onApply(whole);
      }}
    >
      <TextInput
        label={t`Name`}
        description={t`The history of a study names the rule that assigned it.`}
        withAsterisk
        data-autofocus
        maxLength={80}
        value={typed.name}
        error={errors.name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <ConditionFields
        conditions={typed.conditions}
        errors={errors}
        onChange={(conditions) => change({ conditions })}
      />
      <AssigneeFields rule={typed} errors={errors} onChange={change} />
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit">{isNew ? t`Add rule` : t`Apply`}</Button>
      </div>
    </form>
  );
}
