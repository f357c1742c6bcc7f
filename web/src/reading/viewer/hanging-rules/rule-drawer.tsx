import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import {
  bodyParts,
  hangingModalities,
  type HangingRule,
  hangingRuleFault,
  type HangingRuleForm,
  hangingRules,
  hangingTools,
  hangingWindows,
  linkedScrolls,
  monitorCounts,
  priorPlaces,
} from '@radwork/contract/reading/hanging-rules';
import { useState } from 'react';
import { errorMessageOf, useAction } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { layoutLabel, layoutNames, panesOf } from '#reading/viewer/hanging/layouts.ts';
import { monitorsLabel, ruleSubject } from '#reading/viewer/hanging/rule-labels.ts';
import { bodyPartLabels } from '#reading/viewer/hanging/series-description.ts';
import { useSavedLayout } from '#reading/viewer/hanging/use-saved-layouts.ts';
import { windowLabel } from '#reading/viewer/images/values/window-presets.ts';
import styles from './hanging-rules.module.css';
import { PaneFields } from './pane-fields.tsx';
import { RulePreview } from './rule-preview.tsx';
import { emptyPane, emptyRule, paneText, priorLabels, scrollLabels, toolLabels } from './rule-texts.ts';

/** Rule in the drawer: an existing rule, a copy of one, a form to begin with, or a new rule. */
export type Edited = {
  rule?: HangingRule;
  form?: HangingRuleForm;
  isShared: boolean;
  isCopy?: boolean;
  isReadOnly?: boolean;
};

type Props = { edited: Edited | undefined; onClose: () => void };

/** Drawer with the form of a rule. */
export function RuleDrawer({ edited, onClose }: Props) {
  return (
    <SideDialog
      opened={edited !== undefined}
      onClose={onClose}
      position="right"
      size={680}
      title={edited && titleOf(edited)}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {edited && (
        <RuleForm key={`${edited.rule?.id ?? ''} ${String(edited.isCopy)}`} edited={edited} onDone={onClose} />
      )}
    </SideDialog>
  );
}

const titleOf = ({ rule, isCopy, isShared }: Edited): string => {
  if (rule && !isCopy) return ruleSubject(rule);
  if (rule) {
    const name = ruleSubject(rule);
    return t`Copy of ${name}`;
  }
  return isShared ? t`Create rule for the organization` : t`Create rule`;
};

const unsaved = {
  question: t`Leave without saving?`,
  consequence: t`Your changes to this rule will be lost.`,
  verb: t`Leave`,
};

const pick = <const Value extends string>(values: readonly Value[], chosen: string): Value | undefined =>
  values.find((value) => value === chosen);

/** Removes the viewports at the end that show the next series anyway. */
const trimmed = (panes: HangingRuleForm['panes']): HangingRuleForm['panes'] => {
  const last = panes.findLastIndex((pane) => paneText(pane) !== '' || pane.isPrior);
  return panes.slice(0, last + 1);
};

const formOf = ({ rule, form }: Edited): HangingRuleForm => {
  if (!rule) return form ?? emptyRule;
  const { modality, bodyPart, monitors, layout, prior, panes, linkedScroll, window, tool } = rule;
  return { modality, bodyPart, monitors, layout, prior, panes, linkedScroll, window, tool };
};

function RuleForm({ edited, onDone }: { edited: Edited; onDone: () => void }) {
  const { isShared, isReadOnly = false } = edited;
  // Keeps the rule as opened, so that the server refuses to overwrite a later change of another window.
  const [stored] = useState(edited.isCopy ? undefined : edited.rule);
  const [typed, setTyped] = useState(() => formOf(edited));
  const [isDirty, setDirty] = useState(edited.form !== undefined);
  const [isTried, setTried] = useState(false);
  const saving = useSaving(stored, isShared, onDone);
  const saved = useSavedLayout([typed.modality, typed.bodyPart].filter(Boolean).join(' '));
  useLeaveWarning(isDirty && !saving.isPending, unsaved);
  const change = (part: Partial<HangingRuleForm>) => {
    setTyped({ ...typed, ...part });
    setDirty(true);
  };
  const count = typed.layout ? panesOf(typed.layout) : typed.panes.length;
  const hasWindow = ['', 'CT', 'PT', 'NM'].includes(typed.modality);
  const result: HangingRuleForm = {
    ...typed,
    // Without a fixed layout, the number of viewports chooses the layout, so viewports that show the next series stay.
    window: hasWindow ? typed.window : null,
    panes: typed.layout ? trimmed(typed.panes.slice(0, count)) : typed.panes,
  };
  const fault = isTried ? hangingRuleFault(result) : undefined;
  const faultAt = (field: string) => (fault?.field === field ? fault.message : undefined);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (hangingRuleFault(result)) return;
        saving.save(result, () => {
          if (!isShared && saved.kept) saved.forget();
        });
      }}
    >
      <NativeSelect
        label={t`Modality`}
        data-autofocus
        disabled={isReadOnly}
        value={typed.modality}
        data={[{ value: '', label: t`Any modality` }, ...hangingModalities]}
        onChange={({ currentTarget }) => change({ modality: pick(hangingModalities, currentTarget.value) ?? '' })}
      />
      <NativeSelect
        label={t`Body part`}
        disabled={isReadOnly}
        value={typed.bodyPart}
        data={[
          { value: '', label: t`Any body part` },
          ...bodyParts.map((value) => ({ value, label: bodyPartLabels[value] })),
        ]}
        onChange={({ currentTarget }) => change({ bodyPart: pick(bodyParts, currentTarget.value) ?? '' })}
      />
      <NativeSelect
        label={t`Monitors`}
        disabled={isReadOnly}
        value={String(typed.monitors ?? '')}
        data={[
          { value: '', label: monitorsLabel(null) },
          ...monitorCounts.map((value) => ({ value: String(value), label: monitorsLabel(value) })),
        ]}
        onChange={({ currentTarget }) =>
          change({ monitors: monitorCounts.find((value) => String(value) === currentTarget.value) ?? null })
        }
      />
      <NativeSelect
        label={t`Layout without the prior`}
        disabled={isReadOnly}
        value={typed.layout ?? ''}
        error={faultAt('layout')}
        data={[
          { value: '', label: t`Automatic, to fit the viewer` },
          ...layoutNames.map((value) => ({ value, label: layoutLabel(value) })),
        ]}
        onChange={({ currentTarget }) => change({ layout: pick(layoutNames, currentTarget.value) ?? null })}
      />
      <NativeSelect
        label={t`Position of the prior`}
        disabled={isReadOnly}
        value={typed.prior}
        error={faultAt('prior')}
        data={priorPlaces.map((value) => ({ value, label: priorLabels[value] }))}
        onChange={({ currentTarget }) => change({ prior: pick(priorPlaces, currentTarget.value) ?? 'space' })}
      />
      <NativeSelect
        label={t`Link scrolling`}
        disabled={isReadOnly}
        value={typed.linkedScroll}
        data={linkedScrolls.map((value) => ({ value, label: scrollLabels[value] }))}
        onChange={({ currentTarget }) => change({ linkedScroll: pick(linkedScrolls, currentTarget.value) ?? 'usual' })}
      />
      <NativeSelect
        label={t`Tool of the left mouse button`}
        disabled={isReadOnly}
        value={typed.tool ?? ''}
        data={[
          { value: '', label: t`Usual tool` },
          ...hangingTools.map((value) => ({ value, label: toolLabels[value] })),
        ]}
        onChange={({ currentTarget }) => change({ tool: pick(hangingTools, currentTarget.value) ?? null })}
      />
      {hasWindow && (
        <NativeSelect
          label={t`Window of CT`}
          disabled={isReadOnly}
          value={typed.window ?? ''}
          data={[
            { value: '', label: t`Window of the file` },
            ...hangingWindows.map((value) => ({ value, label: windowLabel(value) })),
          ]}
          onChange={({ currentTarget }) => change({ window: pick(hangingWindows, currentTarget.value) ?? null })}
        />
      )}
      <div className={styles.wide}>
        <RulePreview rule={{ ...typed, panes: typed.panes.slice(0, count) }} isLarge />
      </div>
      {Array.from({ length: count }, (_, at) => (
        <PaneFields
          // The index is a valid key, because viewports never move here.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          number={at + 1}
          pane={typed.panes[at] ?? emptyPane}
          modality={typed.modality}
          hasPrior={typed.prior === 'panes'}
          isReadOnly={isReadOnly}
          onChange={(pane) =>
            change({
              panes: Array.from({ length: Math.max(typed.panes.length, at + 1) }, (__, other) =>
                other === at ? pane : (typed.panes[other] ?? emptyPane),
              ),
            })
          }
        />
      ))}
      {!typed.layout && !isReadOnly && (
        <div className={styles.buttons}>
          <Button variant="default" disabled={count === 0} onClick={() => change({ panes: typed.panes.slice(0, -1) })}>
            {t`Remove viewport`}
          </Button>
          <Button
            variant="default"
            disabled={count >= 9}
            onClick={() => change({ panes: [...typed.panes, emptyPane] })}
          >
            {t`Add viewport`}
          </Button>
        </div>
      )}
      {!isShared && saved.kept && (
        <div className={styles.wide}>
          <Notice tone="info">{t`Saving replaces the layout that you saved in the viewer for these studies.`}</Notice>
        </div>
      )}
      {saving.error && (
        <div className={styles.wide}>
          <Notice tone="danger">{errorMessageOf(saving.error, failed)}</Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onDone} />
        {!isReadOnly && (
          <Button type="submit" loading={saving.isPending}>
            {stored ? t`Save` : t`Create rule`}
          </Button>
        )}
      </div>
    </form>
  );
}

const failed = t`Failed to save the rule`;

/** Creates or changes a rule. */
const useSaving = (stored: HangingRule | undefined, isShared: boolean, onDone: () => void) => {
  const create = useAction(hangingRules.create, { done: t`Rule created`, failed });
  const update = useAction(hangingRules.update, { done: t`Rule saved`, failed });
  const save = (form: HangingRuleForm, onSaved: () => void) => {
    const onSuccess = () => {
      onSaved();
      onDone();
    };
    if (stored) {
      update.mutate({ params: { id: stored.id }, body: { ...form, revision: stored.revision } }, { onSuccess });
    } else create.mutate({ body: { ...form, isShared } }, { onSuccess });
  };
  return { save, error: create.error ?? update.error, isPending: create.isPending || update.isPending };
};
