import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { type HangingRule, hangingRules } from '@radwork/contract/reading/hanging-rules';
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconEye,
  IconPencil,
  IconTrash,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useAction } from '#core/http/api.ts';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { ruleSubject } from '#reading/viewer/hanging/rule-labels.ts';
import styles from './hanging-rules.module.css';
import { RulePreview } from './rule-preview.tsx';
import { ruleSummary } from './rule-texts.ts';

type Props = {
  label: string;
  rules: readonly HangingRule[];
  canEdit: boolean;
  onOpen: (rule: HangingRule) => void;
  onCopy: (rule: HangingRule) => void;
};

/** Rules of one owner in their order, with actions. */
export function RuleList({ label, rules, canEdit, onOpen, onCopy }: Props) {
  const move = useAction(hangingRules.move, { failed: t`Failed to move the rule` });
  const remove = useRemoval();
  return (
    <ol className={styles.list} aria-label={label}>
      {rules.map((rule, at) => {
        const name = ruleSubject(rule);
        const to = (place: number) => move.mutate({ params: { id: rule.id }, body: { at: place } });
        return (
          <li key={rule.id} className={styles.row}>
            <RulePreview rule={rule} />
            <span className={styles.words}>
              <strong>{name}</strong>
              <span>{ruleSummary(rule)}</span>
            </span>
            <span className={styles.actions}>
              {canEdit && (
                <>
                  <Act
                    tip={t`Move up`}
                    name={t`Move up ${name}`}
                    icon={IconArrowUp}
                    isOff={at === 0}
                    run={() => to(at - 1)}
                  />
                  <Act
                    tip={t`Move down`}
                    name={t`Move down ${name}`}
                    icon={IconArrowDown}
                    isOff={at === rules.length - 1}
                    run={() => to(at + 1)}
                  />
                </>
              )}
              <Act
                tip={canEdit ? t`Edit` : t`View`}
                name={canEdit ? t`Edit ${name}` : t`View ${name}`}
                icon={canEdit ? IconPencil : IconEye}
                run={() => onOpen(rule)}
              />
              <Act
                tip={t`Copy to own rules`}
                name={t`Copy ${name} to own rules`}
                icon={IconCopy}
                run={() => onCopy(rule)}
              />
              {canEdit && (
                <Act tip={t`Delete`} name={t`Delete ${name}`} icon={IconTrash} run={() => remove(rule, at)} />
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

type ActProps = { tip: string; name: string; icon: ComponentType<IconProps>; isOff?: boolean; run: () => void };

function Act({ tip, name, icon: Icon, isOff = false, run }: ActProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon
        aria-label={name}
        aria-disabled={isOff}
        {...(isOff && { 'data-disabled': true })}
        onClick={() => !isOff && run()}
      >
        <Icon size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Deletes a rule. The user can undo the deletion for ten seconds; the rule returns to its place. */
const useRemoval = () => {
  const remove = useAction(hangingRules.remove, { failed: t`Failed to delete the rule` });
  const restore = useAction(hangingRules.create, { done: t`Rule restored`, failed: t`Failed to restore the rule` });
  return ({ id, revision: _revision, updatedBy: _by, updatedAt: _when, ...form }: HangingRule, at: number) => {
    const name = ruleSubject(form);
    remove.mutate(
      { params: { id } },
      { onSuccess: () => offerUndo(t`Rule ${name} deleted`, () => restore.mutate({ body: { ...form, at } })) },
    );
  };
};
