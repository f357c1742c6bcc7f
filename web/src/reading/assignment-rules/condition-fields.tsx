import { t } from '@lingui/core/macro';
import { Checkbox, Chip, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { modalities } from '@radwork/contract/core/modalities';
import { priorities } from '@radwork/contract/core/priorities';
import { type ArrivalConditions, type Shift, weekdays } from '@radwork/contract/imaging/arrival-conditions';
import { studies } from '@radwork/contract/imaging/studies';
import { followUpParts } from '@radwork/contract/reading/follow-up-parts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { query } from '#core/http/api.ts';
import styles from './assignment-rules.module.css';
import { completedTime } from './draft-rules.ts';
import { bodyPartLabel, weekdayLabel } from './rule-texts.ts';

type Props = {
  conditions: ArrivalConditions;
  errors: Record<string, ReactNode>;
  onChange: (conditions: ArrivalConditions) => void;
};

/** Fields for the conditions on an arriving study. An empty field is no condition. */
export function ConditionFields({ conditions, errors, onChange }: Props) {
  const choices = useQuery(query(studies.filterChoices, {})).data;
  const change = (part: Partial<ArrivalConditions>) => onChange({ ...conditions, ...part });
  const parts = new Set([
    ...followUpParts,
    ...(choices?.bodyParts ?? []).map((part) => part.toUpperCase()),
    ...conditions.bodyParts,
  ]);
  return (
    <>
      <MultiSelect
        label={t`Modalities`}
        placeholder={conditions.modalities.length === 0 ? t`Any modality` : ''}
        searchable
        clearable
        data={modalities}
        value={conditions.modalities}
        onChange={(chosen) => change({ modalities: modalities.filter((modality) => chosen.includes(modality)) })}
      />
      <MultiSelect
        label={t`Body parts`}
        description={t`Compared with the images and the study description.`}
        placeholder={conditions.bodyParts.length === 0 ? t`Any body part` : ''}
        searchable
        clearable
        data={Array.from(parts, (value) => ({ value, label: bodyPartLabel(value) }))}
        value={conditions.bodyParts}
        onChange={(bodyParts) => change({ bodyParts })}
      />
      <TagsInput
        label={t`Institutions and stations`}
        description={t`Names as in the images. Press Enter after each name.`}
        placeholder={conditions.sites.length === 0 ? t`Any site` : ''}
        data={choices?.devices ?? []}
        value={conditions.sites}
        error={errors.sites}
        onChange={(sites) => change({ sites })}
      />
      <MultiSelect
        label={t`Priorities`}
        placeholder={conditions.priorities.length === 0 ? t`Any priority` : ''}
        clearable
        data={priorities}
        value={conditions.priorities}
        onChange={(chosen) => change({ priorities: priorities.filter((priority) => chosen.includes(priority)) })}
      />
      <ShiftFields shift={conditions.shift} errors={errors} onChange={(shift) => change({ shift })} />
    </>
  );
}

const usualShift: Shift = { days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' };

type ShiftProps = {
  shift: Shift | null;
  errors: Record<string, ReactNode>;
  onChange: (shift: Shift | null) => void;
};

function ShiftFields({ shift, errors, onChange }: ShiftProps) {
  return (
    <fieldset className={styles.shift}>
      <legend>{t`Shift`}</legend>
      <Checkbox
        label={t`Only at certain times`}
        checked={shift !== null}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? usualShift : null)}
      />
      {shift && (
        <>
          <Chip.Group
            multiple
            value={shift.days.map(String)}
            onChange={(chosen) => onChange({ ...shift, days: weekdays.filter((day) => chosen.includes(String(day))) })}
          >
            <div className={styles.days} role="group" aria-label={t`Days`}>
              {weekdays.map((day) => (
                <Chip key={day} size="xs" value={String(day)}>
                  {weekdayLabel(day)}
                </Chip>
              ))}
            </div>
          </Chip.Group>
          {errors.days && (
            <p className={styles.fault} role="alert">
              {errors.days}
            </p>
          )}
          <div className={styles.times}>
            <TimeOfDay
              label={t`From`}
              value={shift.from}
              error={errors.from}
              onChange={(from) => onChange({ ...shift, from })}
            />
            <TimeOfDay label={t`To`} value={shift.to} error={errors.to} onChange={(to) => onChange({ ...shift, to })} />
          </div>
          <p className={styles.hint}>
            {t`In the time zone of the organization. A shift that ends at or before its start ends on the next day.`}
          </p>
        </>
      )}
    </fieldset>
  );
}

type TimeProps = { label: string; value: string; error: ReactNode; onChange: (text: string) => void };

/** Time such as "07:30". The time field of the browser would use the format of the locale. */
function TimeOfDay({ label, value, error, onChange }: TimeProps) {
  return (
    <TextInput
      label={label}
      placeholder={t`HH:mm`}
      autoComplete="off"
      maxLength={5}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={() => onChange(completedTime(value))}
    />
  );
}
