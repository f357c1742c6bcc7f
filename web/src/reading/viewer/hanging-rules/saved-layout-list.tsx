import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { bodyParts, hangingModalities, type HangingRuleForm } from '@radwork/contract/reading/hanging-rules';
import type { SavedLayout } from '#reading/viewer/hanging/hanging.ts';
import { ruleSubject } from '#reading/viewer/hanging/rule-labels.ts';
import { useLayoutsFromServer, useSavedLayout, useSavedLayouts } from '#reading/viewer/hanging/use-saved-layouts.ts';
import styles from './hanging-rules.module.css';
import { RulePreview } from './rule-preview.tsx';
import { ruleOfSaved, ruleSummary } from './rule-texts.ts';

type Props = { onEdit: (saved: { form: HangingRuleForm }) => void };

/** Reads a kind of study, such as "MR head". */
const kindFrom = (kind: string): Pick<HangingRuleForm, 'modality' | 'bodyPart'> => {
  const [first = '', second = ''] = kind.split(' ');
  return {
    modality: hangingModalities.find((one) => one === first) ?? '',
    bodyPart: bodyParts.find((one) => one === second) ?? '',
  };
};

/** Layouts that the user has saved in the viewer. They come before all rules. */
export function SavedLayoutList({ onEdit }: Props) {
  useLayoutsFromServer(false);
  const saved = Object.entries(useSavedLayouts());
  if (saved.length === 0) return null;
  return (
    <>
      <p className={styles.hint}>{t`Layouts saved in the viewer. They come before all rules.`}</p>
      <ul className={styles.list} aria-label={t`Layouts saved in the viewer`}>
        {saved.map(([kind, layout]) => (
          <SavedRow key={kind} kind={kind} layout={layout} onEdit={onEdit} />
        ))}
      </ul>
    </>
  );
}

function SavedRow({ kind, layout, onEdit }: Props & { kind: string; layout: SavedLayout }) {
  const { forget } = useSavedLayout(kind);
  const form = ruleOfSaved(kindFrom(kind), layout);
  const name = ruleSubject(form);
  return (
    <li className={styles.row}>
      <RulePreview rule={form} />
      <span className={styles.words}>
        <strong>{name}</strong>
        <span>{ruleSummary(form)}</span>
      </span>
      <span className={styles.actions}>
        {form.modality !== '' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t`Edit ${name} as rule`}
            onClick={() => onEdit({ form })}
          >
            {t`Edit as rule`}
          </Button>
        )}
        <Button size="compact-xs" variant="default" aria-label={t`Delete saved layout ${name}`} onClick={forget}>
          {t`Delete`}
        </Button>
      </span>
    </li>
  );
}
