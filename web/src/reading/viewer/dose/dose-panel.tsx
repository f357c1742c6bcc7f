import { t } from '@lingui/core/macro';
import { Button, Slider } from '@mantine/core';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import styles from '#reading/viewer/segments/segment-panel.module.css';
import { type DoseDisplay, doseKeys } from './dose-display.ts';
import { doseText, referenceLabels, usableReference } from './dose-levels.ts';
import type { DoseFacts } from './plan-facts.ts';
import type { Dose } from './read-dose.ts';
import { useDoseGrid, useDoses } from './use-doses.ts';

type Props = { study: StudyDetails; display: DoseDisplay; /** Shortcut to show or hide the dose. */ keys?: string };

/** Names of the sums of a dose (DoseSummationType, PS3.3 §C.8.8.3). */
const summations: Record<string, string> = {
  PLAN: t`Whole plan`,
  MULTI_PLAN: t`Several plans`,
  PLAN_OVERVIEW: t`Plan overview`,
  FRACTION: t`One fraction`,
  BEAM: t`One beam`,
  BRACHY: t`Brachytherapy`,
  FRACTION_SESSION: t`One session`,
  BEAM_SESSION: t`One beam of a session`,
  BRACHY_SESSION: t`Brachytherapy of a session`,
  CONTROL_POINT: t`Part of a beam`,
  RECORD: t`Treatment record`,
};

const styleLabels = { both: t`Both`, lines: t`Isodoses`, colors: t`Colors` } as const;
const styleNames = ['both', 'lines', 'colors'] as const;
const references = ['prescription', 'maximum', 'absolute'] as const;

/** Doses of a study: which is shown, what it belongs to, and how it is drawn. */
export function DosePanel({ study, display, keys = doseKeys }: Props) {
  const { doses, dose, facts, isPending, error, retry } = useDoses(study, display.chosen);
  return (
    // Prevents clicks from moving the keyboard focus away from the image.
    <section aria-label={t`Dose`} className={styles.section} onMouseDown={(event) => event.preventDefault()}>
      <div className={styles.head}>
        <h2>{t`Dose`}</h2>
        <span className={styles.space} />
        <Button
          size="compact-xs"
          variant={display.isOn ? 'light' : 'default'}
          aria-label={t`Show dose on the images`}
          aria-pressed={display.isOn}
          onClick={display.toggle}
        >
          {t`Show`}
        </Button>
        <KeyCaps keys={keys} />
      </div>
      {isPending && <Skeleton lines={3} label={t`Loading dose`} />}
      {error && <ErrorState failed={t`The dose could not be loaded`} error={error} onRetry={retry} />}
      {doses.length > 1 && (
        <div className={styles.set}>
          {doses.map((one) => (
            <Button
              key={one.sopInstanceUID}
              size="compact-xs"
              variant={one === dose ? 'light' : 'default'}
              aria-pressed={one === dose}
              onClick={() => display.choose(one.sopInstanceUID)}
            >
              {one.title} {summations[one.summation] ?? one.summation}
            </Button>
          ))}
        </div>
      )}
      {dose && facts && <Facts dose={dose} facts={facts} isOn={display.isOn} />}
      {display.isOn && dose && facts && <Look dose={dose} facts={facts} display={display} />}
    </section>
  );
}

const labelText = (labels: readonly (string | undefined)[]): string =>
  labels.map((label) => (label === undefined ? t`not in this study` : label || t`without a label`)).join(', ');

function Facts({ dose, facts, isOn }: { dose: Dose; facts: DoseFacts; isOn: boolean }) {
  const { data: grid } = useDoseGrid(dose, isOn);
  const { title, summation, unit, lack } = dose;
  const kind = summations[summation] ?? summation;
  const [plans, structures] = [labelText(facts.plans), labelText(facts.structureSets)];
  const prescribed = facts.prescription === undefined ? '' : doseText(facts.prescription, unit);
  const highest = grid && doseText(grid.maximum, unit || t`(relative)`);
  return (
    <div className={styles.set}>
      <h3>
        {title} <span>{kind}</span>
      </h3>
      <p className={styles.hint}>{plans ? t`Plan: ${plans}` : t`Names no plan`}</p>
      <p className={styles.hint}>{structures ? t`Structure set: ${structures}` : t`Names no structure set`}</p>
      {prescribed && <p className={styles.hint}>{t`Prescription: ${prescribed}`}</p>}
      {highest && <p className={styles.hint}>{t`Maximum: ${highest}`}</p>}
      {lack && <p className={styles.reason}>{t`Not shown here. ${lack}`}</p>}
    </div>
  );
}

/** Controls for levels, style and opacity. */
function Look({
  dose: { unit },
  facts: { prescription },
  display,
}: {
  dose: Dose;
  facts: DoseFacts;
  display: DoseDisplay;
}) {
  const inUse = usableReference({ reference: display.reference, prescription, unit, maximum: 0 });
  return (
    <div className={styles.look}>
      <Button.Group aria-label={t`Isodose levels`}>
        {references.map((one) => (
          <Button
            key={one}
            size="compact-xs"
            fullWidth
            px={4}
            variant={one === inUse ? 'light' : 'default'}
            aria-pressed={one === inUse}
            disabled={(one === 'prescription' && prescription === undefined) || (one === 'absolute' && unit === '')}
            onClick={() => display.setReference(one)}
          >
            {referenceLabels[one]}
          </Button>
        ))}
      </Button.Group>
      <Button.Group aria-label={t`Dose style`}>
        {styleNames.map((one) => (
          <Button
            key={one}
            size="compact-xs"
            fullWidth
            px={4}
            variant={one === display.style ? 'light' : 'default'}
            aria-pressed={one === display.style}
            onClick={() => display.setStyle(one)}
          >
            {styleLabels[one]}
          </Button>
        ))}
      </Button.Group>
      {display.style !== 'lines' && (
        <Slider
          size="sm"
          min={5}
          max={100}
          step={5}
          label={(value) => `${value}%`}
          thumbLabel={t`Dose opacity`}
          value={Math.round(display.opacity * 100)}
          onChange={(value) => display.setOpacity(value / 100)}
        />
      )}
    </div>
  );
}
