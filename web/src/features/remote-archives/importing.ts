import type { ImportJob } from '@radwork/contract/import-jobs';
import type { RemoteStudy } from '@radwork/contract/remote-studies';
import { createContext, use } from 'react';

/** What the cells of a table of remote studies share. It changes while they stay, so that no button loses the focus. */
export type Importing = {
  /** The newest job of each study, by study instance UID. */
  jobs: ReadonlyMap<string, ImportJob>;
  /** The studies whose import is being asked for. */
  starting: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
  toggle: (study: RemoteStudy) => void;
  importOne: (study: RemoteStudy) => void;
  /** "Import", or "Retrieve" on the DICOMWEB tab. */
  verb: string;
};

export const ImportingContext = createContext<Importing>({
  jobs: new Map(),
  starting: new Set(),
  chosen: new Set(),
  toggle: () => {},
  importOne: () => {},
  verb: 'Import',
});

export const useImporting = () => use(ImportingContext);
