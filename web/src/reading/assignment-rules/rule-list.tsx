import { t } from '@lingui/core/macro';
import { ActionIcon, Switch, Tooltip } from '@mantine/core';
import { ruleFaultLabels } from '@radwork/contract/reading/assignment-rules';
import {
  IconArrowDown,
  IconArrowUp,
  IconGripVertical,
  IconPencil,
  type IconProps,
  IconTrash,
} from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { isolateText } from '#ui/formats/isolate-text.ts';
import { useReorder } from '#ui/tables/use-reorder.ts';
import styles from './assignment-rules.module.css';
import { type DraftRule, movedBeside, movedTo } from './draft-rules.ts';
import { assigneeText, conditionsText } from './rule-texts.ts';

type Props = {
  rules: readonly DraftRule[];
  /** Errors of the server by the place of a rule. */
  errors: ReadonlyMap<number, string>;
  onChange: (rules: DraftRule[]) => void;
  onOpen: (rule: DraftRule) => void;
  onRemove: (rule: DraftRule) => void;
};

/** Rules in their order. Dragging, or the buttons for up and down, move a rule. */
export function RuleList({ rules, errors, onChange, onOpen, onRemove }: Props) {
  const [announcement, setAnnouncement] = useState('');
  const reorder = useReorder('down', (key, place) => onChange(movedBeside(rules, key, place)));
  const moveTo = (rule: DraftRule, place: number) => {
    onChange(movedTo(rules, rule.key, place));
    const name = isolateText(rule.name);
    const [position, total] = [place + 1, rules.length];
    setAnnouncement(t`${name} is now rule ${position} of ${total}`);
  };
  return (
    <>
      <ol className={styles.list} aria-label={t`Assignment rules`}>
        {rules.map((rule, at) => {
          const name = isolateText(rule.name);
          const error = errors.get(at) ?? (rule.fault && ruleFaultLabels[rule.fault]);
          return (
            <li key={rule.key} className={styles.row} data-off={!rule.isActive || undefined} {...reorder(rule.key)}>
              <IconGripVertical size={16} stroke={1.6} aria-hidden className={styles.grip} />
              <span className={styles.place}>{at + 1}</span>
              <span className={styles.words}>
                <strong>{name}</strong>
                <span>{conditionsText(rule.conditions)}</span>
                <span>→ {assigneeText(rule, rule.assigneeName)}</span>
                {error && <span className={styles.fault}>{error}</span>}
              </span>
              <span className={styles.actions}>
                <Switch
                  aria-label={t`${name} is on`}
                  checked={rule.isActive}
                  onChange={({ currentTarget: { checked: isActive } }) =>
                    onChange(rules.map((other) => (other === rule ? { ...rule, isActive } : other)))
                  }
                />
                <Act
                  tip={t`Move up`}
                  name={t`Move up ${name}`}
                  icon={IconArrowUp}
                  isOff={at === 0}
                  run={() => moveTo(rule, at - 1)}
                />
                <Act
                  tip={t`Move down`}
                  name={t`Move down ${name}`}
                  icon={IconArrowDown}
                  isOff={at === rules.length - 1}
                  run={() => moveTo(rule, at + 1)}
                />
                <Act tip={t`Edit`} name={t`Edit ${name}`} icon={IconPencil} run={() => onOpen(rule)} />
                <Act tip={t`Delete`} name={t`Delete ${name}`} icon={IconTrash} run={() => onRemove(rule)} />
              </span>
            </li>
          );
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

type ActProps = { tip: string; name: string; icon: ComponentType<IconProps>; isOff?: boolean; run: () => void };

/** The button stays focusable while it is off, so that the focus stays on a rule that reaches an end of the list. */
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
