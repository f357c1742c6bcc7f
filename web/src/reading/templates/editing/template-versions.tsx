import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { templateHtml } from '@radwork/contract/reading/template-text';
import { templates, type TemplateText, type TemplateVersion } from '@radwork/contract/reading/templates';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TextDifference } from '#reading/editor/reading/text-difference.tsx';
import { query } from '#core/http/api.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { bodyPartLabel } from '#reading/templates/template-filter.ts';
import styles from './template-editor.module.css';

type Props = { id: string; now: TemplateText; onRestore: (text: TemplateText) => void };

/**
 * Lists the versions of a template. Each version shows the user who saved it and its differences from the current text.
 */
export function TemplateVersions({ id, now, onRestore }: Props) {
  const versions = useQuery(query(templates.versions, { params: { id } }));
  const [chosen, setChosen] = useState<number>();
  if (versions.error) {
    return (
      <ErrorState failed={t`Failed to load versions`} error={versions.error} onRetry={() => void versions.refetch()} />
    );
  }
  if (!versions.data) return <Skeleton lines={6} label={t`Loading versions`} />;
  const version = versions.data.find((one) => one.version === chosen) ?? versions.data[1] ?? versions.data[0];
  return (
    <div className={styles.versions}>
      <ol className={styles.sections} aria-label={t`Versions`}>
        {versions.data.map((one) => (
          <li key={one.version}>
            <button
              type="button"
              className={styles.part}
              aria-pressed={one.version === version?.version}
              onClick={() => setChosen(one.version)}
            >
              <span className={styles.partTitle}>
                {versionLabel(one)}
                <span className={styles.savedBy}>
                  {one.savedBy}, {formatMoment(one.savedAt)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      {version && <VersionDifference version={version} now={now} onRestore={onRestore} />}
    </div>
  );
}

const versionLabel = ({ version }: TemplateVersion): string => t`Version ${version}`;
const differenceLabel = ({ version }: TemplateVersion): string => t`Version ${version} compared with current text`;

type DifferenceProps = { version: TemplateVersion; now: TemplateText; onRestore: (text: TemplateText) => void };

function VersionDifference({ version, now, onRestore }: DifferenceProps) {
  return (
    <div className={styles.difference}>
      <div className={styles.partHead}>
        <strong className={styles.partName}>{differenceLabel(version)}</strong>
        <Button variant="default" onClick={() => onRestore(version)}>
          {t`Restore this text`}
        </Button>
      </div>
      <TemplateDifference before={version} after={now} />
    </div>
  );
}

const facts = [
  [t`Name`, ({ name }: TemplateText) => name],
  [t`Description`, ({ description }: TemplateText) => description],
  [t`Modality`, ({ modality }: TemplateText) => modality],
  [t`Body part`, ({ bodyPart }: TemplateText) => bodyPartLabel(bodyPart)],
  [t`Active`, ({ isActive }: TemplateText) => (isActive ? t`yes` : t`no`)],
] as const;

/** Adds the normal findings after the text, so that their changes show too. */
const comparedHtml = (text: TemplateText): string =>
  [
    templateHtml(text, { normal: false }),
    ...text.normalFindings.map(
      ({ modality, bodyPart, content }) =>
        `<h3>${t`Normal findings`} ${modality} ${bodyPartLabel(bodyPart)}</h3>${content}`,
    ),
  ].join('');

/** Shows the differences between two texts: changed details and marked words. */
export function TemplateDifference({ before, after }: { before: TemplateText; after: TemplateText }) {
  const changed = facts.filter(([, of]) => of(before) !== of(after));
  return (
    <>
      {changed.length > 0 && (
        <ul className={styles.changedFacts}>
          {changed.map(([label, of]) => (
            <li key={label}>
              {label}: <del>{of(before) || t`none`}</del> <ins>{of(after) || t`none`}</ins>
            </li>
          ))}
        </ul>
      )}
      <TextDifference before={comparedHtml(before)} after={comparedHtml(after)} />
    </>
  );
}
