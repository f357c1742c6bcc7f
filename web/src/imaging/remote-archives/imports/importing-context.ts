import type { ImportVerb } from './import-offer.ts';
import type { ImportJob } from '@radwork/contract/imaging/import-jobs';
import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import { createContext, use } from 'react';

/** State shared by the cells of the table. In a context, so that cells stay mounted and keep the focus. */
export type Importing = {
  /** The newest job of each study, by study instance UID. */
  jobs: ReadonlyMap<string, ImportJob>;
  /** Studies whose import request is running, by study instance UID. */
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
