import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './study-form.module.css';
import { studyFields } from './study-form-values.ts';
import type { FieldConflict, StudyEdit } from './use-study-edit.ts';

/** Shows both versions of each field in conflict and lets the user choose. */
export function StudyConflicts({ edit }: { edit: StudyEdit }) {
  const place = useRef<HTMLDivElement>(null);
  // Moves the focus to the conflicts, because the Save button is at the end of a long form.
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={styles.place}>
      <WhatCollides edit={edit} />
    </div>
  );
}

function WhatCollides({ edit: { collisions, form } }: { edit: StudyEdit }) {
  return (
    <Notice tone="danger">
      {t`Another user changed the study while you were editing it. Nothing was overwritten. Your changes are not saved.`}{' '}
      {collisions.length === 0
        ? t`You and the other user changed different fields. Save again to add your changes.`
        : t`Choose a value for each field that you and the other user changed, then save again.`}
      {collisions.length > 0 && (
        <table className={styles.collisions}>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Theirs`}</th>
              <th scope="col">{t`Mine`}</th>
            </tr>
          </thead>
          <tbody>
            {collisions.map((collision) => (
              <tr key={collision.field}>
                <th scope="row">{studyFields[collision.field]}</th>
                {(['theirs', 'mine'] as const).map((whose) => (
                  <td key={whose}>
                    <Choice
                      collision={collision}
                      whose={whose}
                      isChosen={form.values[collision.field] === collision[whose]}
                      onChoose={() => form.setFieldValue(collision.field, collision[whose])}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Notice>
  );
}

type ChoiceProps = { collision: FieldConflict; whose: 'theirs' | 'mine'; isChosen: boolean; onChoose: () => void };

function Choice({ collision, whose, isChosen, onChoose }: ChoiceProps) {
  const { field } = collision;
  const name = studyFields[field];
  const value = collision[whose] || t`empty`;
  const label = whose === 'mine' ? t`${name}, mine: ${value}` : t`${name}, theirs: ${value}`;
  return (
    <label className={styles.choice}>
      <input type="radio" name={`collision-${field}`} aria-label={label} checked={isChosen} onChange={onChoose} />
      {collision[whose] || <span className="muted">{t`empty`}</span>}
    </label>
  );
}
