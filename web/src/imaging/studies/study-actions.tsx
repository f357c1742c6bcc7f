import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { fusionRefusal, viewerOf } from '@radwork/contract/core/modalities';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { IconEye, IconFileText, IconStack2, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { may } from '#core/state/session.ts';
import { RowActions } from '#ui/tables/row-actions.tsx';
import styles from './study-actions.module.css';

/** Returns the path of the viewer that suits a study. */
export const viewerPath = ({ modalities }: StudyRow) =>
  viewerOf(modalities) === 'usviewer' ? ('/usviewer/{-$id}' as const) : ('/viewer/{-$id}' as const);

const icon = { size: 16, stroke: 1.6 } as const;

/** Actions on one study, at the end of its row. Includes deletion if `onRemove` is given. */
export function StudyActions({
  study,
  onRemove,
}: {
  study: StudyRow;
  onRemove?: ((study: StudyRow) => void) | undefined;
}) {
  const { id } = study;
  const whose = study.patient.patientName;
  return (
    <RowActions>
      <Action label={t`View details`} name={t`View details of ${whose}`}>
        {(props) => (
          <ActionIcon
            {...props}
            renderRoot={(root) => <Link to="/studies/$id" params={{ id }} preload="intent" {...root} />}
          >
            <IconFileText {...icon} />
          </ActionIcon>
        )}
      </Action>
      <Action label={t`Open viewer`} name={t`Open viewer of ${whose}`}>
        {(props) => (
          <ActionIcon
            {...props}
            renderRoot={(root) => <Link to={viewerPath(study)} params={{ id }} preload="intent" {...root} />}
          >
            <IconEye {...icon} />
          </ActionIcon>
        )}
      </Action>
      <FusionAction study={study} of={whose} />
      {onRemove && may(studies.remove) && (
        <Action label={t`Delete study`} name={t`Delete study of ${whose}`}>
          {(props) => (
            <ActionIcon {...props} onClick={() => onRemove(study)}>
              <IconTrash {...icon} />
            </ActionIcon>
          )}
        </Action>
      )}
    </RowActions>
  );
}

function FusionAction({ study, of }: { study: StudyRow; of: string }) {
  const refusal = fusionRefusal(study.modalities);
  if (!refusal) {
    return (
      <Action label={t`Open fusion`} name={t`Open fusion of ${of}`}>
        {(props) => (
          <ActionIcon {...props} renderRoot={(root) => <Link to="/petct/{-$id}" params={{ id: study.id }} {...root} />}>
            <IconStack2 {...icon} />
          </ActionIcon>
        )}
      </Action>
    );
  }
  // Uses `aria-disabled`, because a `disabled` button could not show its reason to mouse or keyboard users.
  return (
    <Tooltip label={refusal}>
      <ActionIcon className={styles.refused} aria-disabled aria-label={t`Open fusion of ${of}. ${refusal}`}>
        <IconStack2 {...icon} />
      </ActionIcon>
    </Tooltip>
  );
}

type ActionProps = { label: string; name: string; children: (props: { 'aria-label': string }) => ReactNode };

function Action({ label, name, children }: ActionProps) {
  return <Tooltip label={label}>{children({ 'aria-label': name })}</Tooltip>;
}
