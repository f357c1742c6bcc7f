import type { ImportVerb } from './import-offer.ts';
import type { ImportJob } from '@radwork/contract/imaging/import-jobs';
import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import { createContext, use } from 'react';

/** State shared by the cells of the table. Passed by context, so that cells stay mounted and keep the focus. */
export type Importing = {
  /** Newest job of each study, by StudyInstanceUID. */
  jobs: ReadonlyMap<string, ImportJob>;
  /** StudyInstanceUIDs of the studies whose import request is running. */
  starting: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
  toggle: (study: RemoteStudy) => void;
  importOne: (study: RemoteStudy) => void;

  verb: ImportVerb;
};

export const ImportingContext = createContext<Importing>({
  jobs: new Map(),
  starting: new Set(),
  chosen: new Set(),
  toggle: () => {},
  importOne: () => {},
  verb: 'IMPORT',
});

export const useImporting = () => use(ImportingContext);
