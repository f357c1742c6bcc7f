import { resolve } from 'node:path';
import type { Rolldown } from 'vite';

type Graph = { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null };

type Group = {
  name: (id: string, graph: Graph) => string | null;
  test: RegExp;
  priority: number;
  debugName: string;
  minShareCount?: number;
};

const source = (path: string) => resolve(import.meta.dirname, '../src', path);

/** Modules that a viewer loads before the first image. */
const starts = ['reading/viewer/prefetch-viewer.ts', 'app/viewers/viewer-with-report.tsx'].map(source);

/** Screens that open first after sign-in. They must load no code of the viewers, except what they share. */
const firstScreens = ['app/pages/studies-page.tsx', 'app/pages/dashboard-page.tsx'].map(source);
const studyList = source('app/pages/studies-page.tsx');
const studyPage = [
  'app/pages/study-page.tsx',
  'app/reports/report-workspace.tsx',
  'reading/editor/report-editor.tsx',
  'app/reports/writing-tools.tsx',
].map(source);
const standardViewer = source('reading/viewer/standard/study-viewer.tsx');

/** Leaves out packages, because the list of imports of a package also names what the build removes. */
const ownModules = /^(?!.*[\\/]node_modules[\\/])/;

/** Returns modules with all modules that they import statically. */
const withImports = (graph: Graph, from: readonly string[]): Set<string> => {
  const reached = new Set(from);
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
};

const groupNames = (graph: Graph): Map<string, string> => {
  const missing = [...starts, ...firstScreens, standardViewer].filter((id) => !graph.getModuleInfo(id));
  if (missing.length > 0) throw new Error(`The build has no module ${missing.join(', ')}: which screen loads first?`);
  const ofScreens = withImports(graph, firstScreens);
  const ofList = withImports(graph, [studyList]);
  const shared = [...withImports(graph, [standardViewer])].filter((id) => ofList.has(id));
  const ofStarts = [...withImports(graph, starts)];
  return new Map([
    ...shared.map((id) => [id, 'shared-with-viewers'] as const),
    ...ofStarts.map((id) => [id, ofScreens.has(id) ? 'shared-with-viewers' : 'viewer-start'] as const),
  ]);
};

/**
 * Puts the small modules that only viewers load before the first image into one file, and those that other screens
 * share into another. A group also takes the modules that its modules import. Therefore this group has a higher priority
 * than that of the lists. Otherwise a viewer would load all of the lists for a single module.
 */
export const viewerStart = ({ priority }: { priority: number }): Group => {
  let names: Map<string, string> | undefined;
  return {
    debugName: 'viewer-start',
    priority,
    test: ownModules,
    name: (id, graph) => {
      names ??= groupNames(graph);
      return names.get(id) ?? null;
    },
  };
};

/** Puts the small modules of the study list that `isIncluded` selects, and that other screens need too, into one file. */
const listGroup = (name: string, priority: number, isIncluded: (id: string, graph: Graph) => boolean): Group => {
  let ofList: Set<string> | undefined;
  let ofViewer: Set<string> | undefined;
  return {
    debugName: name,
    priority,
    test: ownModules,
    minShareCount: 2,
    name: (id, graph) => {
      ofList ??= withImports(graph, [studyList]);
      ofViewer ??= withImports(graph, [standardViewer]);
      return id !== studyList && ofList.has(id) && !ofViewer.has(id) && isIncluded(id, graph) ? name : null;
    },
  };
};

/**
 * Puts the small modules that the study list shares with other screens into one file, with the parts of packages that they
 * need. Those that study page or report editor need too get a file of their own. These screens then need not load the
 * rest. Leaves out the modules of the standard viewer.
 */
export const listParts = ({ priority }: { priority: number }): Group[] => {
  let ofPage: Set<string> | undefined;
  return [
    listGroup('pages', priority + 0.5, (id, graph) => (ofPage ??= withImports(graph, studyPage)).has(id)),
    listGroup('lists', priority, () => true),
  ];
};
