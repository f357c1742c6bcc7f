import { t } from '@lingui/core/macro';
import { knowledge, type OfferedText } from '@radwork/contract/knowledge/library';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { atlasKind, guidelineKind, type LibraryKind } from './library-kinds.ts';
import styles from './matching-texts.module.css';
import { TextDetails } from './text-details.tsx';

/** Lists the atlas entries and guidelines that fit a study. Renders nothing if there are none. */
export function MatchingTexts({ studyId }: { studyId: string }) {
  const offered = useQuery({
    ...query(knowledge.forStudy, { params: { id: studyId } }),
    enabled: may(knowledge.forStudy),
  });
  const [opened, setOpened] = useState<{ kind: LibraryKind; id: string }>();
  if (offered.error && !offered.data) {
    return (
      <ErrorState
        failed={t`Error loading atlas and guidelines`}
        error={offered.error}
        onRetry={() => void offered.refetch()}
      />
    );
  }
  if (!offered.data) return null;
  const { subject, atlas, guidelines } = offered.data;
  if (atlas.length + guidelines.length === 0) return null;
  const open = (kind: LibraryKind) => (id: string) => setOpened({ kind, id });
  return (
    <section className={styles.section} aria-label={t`Atlas and guidelines`}>
      <h2>
        {t`Atlas and guidelines`} <span>{subject}</span>
      </h2>
      <ul className={styles.offered}>
        {guidelines.map((text) => (
          <Offered key={text.id} text={text} label={t`Guideline`} onOpen={open(guidelineKind)} />
        ))}
        {atlas.map((text) => (
          <Offered key={text.id} text={text} label={t`Atlas`} onOpen={open(atlasKind)} />
        ))}
      </ul>
      {opened && <TextDetails kind={opened.kind} id={opened.id} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function Offered({ text, label, onOpen }: { text: OfferedText; label: string; onOpen: (id: string) => void }) {
  return (
    <li>
      <button type="button" className={styles.one} onClick={() => onOpen(text.id)}>
        <span className={styles.title}>{text.title}</span>
        <span className={styles.kind}>{label}</span>
      </button>
    </li>
  );
}
