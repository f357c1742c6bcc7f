import type { Access } from '@radwork/contract/access';
import { endpoints } from '@radwork/contract/all';
import { applicationEntities } from '@radwork/contract/application-entities';
import type { Endpoint } from '@radwork/contract/endpoint';
import { archive } from '@radwork/contract/archive';
import { chat } from '@radwork/contract/chat';
import { criticalFindings } from '@radwork/contract/critical-findings';
import { drafting } from '@radwork/contract/drafting';
import { importJobs } from '@radwork/contract/import-jobs';
import { live } from '@radwork/contract/live';
import { macros } from '@radwork/contract/macros';
import { notifications } from '@radwork/contract/notifications';
import { patientMerges } from '@radwork/contract/patient-merges';
import { patients } from '@radwork/contract/patients';
import { readingLocks } from '@radwork/contract/reading-locks';
import { remoteConfigurations } from '@radwork/contract/remote-configurations';
import { remoteStudies } from '@radwork/contract/remote-studies';
import { reportAddenda } from '@radwork/contract/report-addenda';
import { reportAutosaves } from '@radwork/contract/report-autosaves';
import { reportPdf } from '@radwork/contract/report-delivery';
import { reportPictures } from '@radwork/contract/report-pictures';
import { reportingSettings } from '@radwork/contract/reporting-settings';
import { reports } from '@radwork/contract/reports';
import { studies } from '@radwork/contract/studies';
import { globalTemplates, templates } from '@radwork/contract/templates';
import { historyExport, workflow } from '@radwork/contract/workflow';
import { signature } from './report-steps.ts';

/** One call of the contract under one address. */
export type Call = {
  name: string;
  method: Endpoint['method'];
  url: string;
  can: Access;
  isStream: boolean;
  /** Without a query it is not understood: what it is about stands there. */
  needsQuery: boolean;
};

const nameOf = (method: string, url: string) => `${method} ${url}`;

/** The services of the archive stand under a prefix of their own, and together under that for other software. */
const prefixesOf = (key: string): string[] => [`/api/${serviceOf(key)}`, '/dicom-web'];

const serviceOf = (key: string): 'stow-rs' | 'qido-rs' | 'wado-rs' => {
  if (key.startsWith('store')) return 'stow-rs';
  return key.startsWith('search') ? 'qido-rs' : 'wado-rs';
};

const streamCalls = Object.entries(archive).flatMap(([key, { method, path, can }]) =>
  prefixesOf(key).map((prefix) => {
    const url = `${prefix}${path}`;
    return { name: nameOf(method, url), method, url, can, isStream: true, needsQuery: false };
  }),
);

const otherStreamCalls = [live, historyExport, reportPdf].map(({ method, path, can }) => ({
  name: nameOf(method, path),
  method,
  url: path,
  can,
  isStream: true,
  needsQuery: false,
}));

const jsonCalls = endpoints.map(({ method, path, can, query }: Endpoint) => {
  const url = `/api${path}`;
  const needsQuery = query?.safeParse({}).success === false;
  return { name: nameOf(method, url), method, url, can, isStream: false, needsQuery };
});

/** Every call that the contract knows, under every address it has. */
export const contractCalls: readonly Call[] = [...jsonCalls, ...streamCalls, ...otherStreamCalls];

/** What the parameters of an address stand for. */
export type Named = {
  studyId: string;
  patientId: string;
  reportId: string;
  addendumId: string;
  version: number;
  linkHash: string;
  studyUid: string;
  seriesUid: string;
  instanceUid: string;
  applicationEntityId: string;
  importJobId: string;
  notificationId: string;
  removalId: string;
  configurationId: string;
  findingId: string;
  assigneeId: string;
  mergeId: string;
  /** A patient beside `patientId`. */
  otherPatientId: string;
  chatMessageId: string;
  aiPassageId: string;
  deliveryId: string;
  templateId: string;
  macroId: string;
};

/** An address with its parameters filled in. Throws for a parameter that nobody has said the meaning of. */
export const addressOf = (call: Call, named: Named): string =>
  call.url
    .replaceAll(/:(\w+)/g, (_, parameter: string) => parameterOf(call, parameter, named))
    .replace('*', '00091010')
    .concat(queries.get(call.name) ?? '');

const nobody = '00000000-0000-7000-8000-000000000000';

/** What a call that changes something is about, where it stands in the query and not in a body. */
const queries = new Map([
  [nameOf('PUT', `/api${workflow.changeStatus.path}`), '?newStatus=CANCELLED'],
  [nameOf('DELETE', `/api${reportAutosaves.giveUp.path}`), `?keptTextId=${nobody}`],
]);

const parameterOf = ({ url }: Call, parameter: string, named: Named): string => {
  if (parameter === 'id') return named[kindOfId(url)];
  if (parameter === 'conversationId') return named.studyId;
  if (parameter === 'addendumId') return named.addendumId;
  if (parameter === 'deliveryId') return named.deliveryId;
  if (parameter === 'passageId') return named.aiPassageId;
  if (parameter === 'messageId') return named.chatMessageId;
  if (parameter === 'userId') return named.assigneeId;
  if (parameter === 'mergeId') return named.mergeId;
  if (parameter === 'sourceId' || parameter === 'patientId') return named.otherPatientId;
  if (parameter === 'hash') return named.linkHash;
  if (parameter === 'version') return String(named.version);
  if (parameter === 'frames') return '1';
  if (parameter === 'modality') return 'CT';
  if (parameter === 'studyUid' || parameter === 'seriesUid' || parameter === 'instanceUid') return named[parameter];
  throw new Error(`Say what :${parameter} stands for in ${url}`);
};

type KindOfId =
  | 'studyId'
  | 'patientId'
  | 'reportId'
  | 'applicationEntityId'
  | 'importJobId'
  | 'notificationId'
  | 'removalId'
  | 'templateId'
  | 'macroId'
  | 'configurationId'
  | 'findingId';

const kindOfId = (url: string): KindOfId => {
  if (url.startsWith('/api/configurations/')) return 'configurationId';
  if (url.startsWith('/api/critical-findings/')) return 'findingId';
  if (/^\/api\/(studies\/patient|patients)\//.test(url)) return 'patientId';
  if (/^\/api\/((workflow\/)?studies|workflow\/reports\/draft)\//.test(url)) return 'studyId';
  if (/^\/api\/(workflow\/)?reports\//.test(url)) return 'reportId';
  if (url.startsWith('/api/application-entities/')) return 'applicationEntityId';
  if (url.startsWith('/api/queue-jobs/')) return 'importJobId';
  if (url.startsWith('/api/notifications/removals/')) return 'removalId';
  if (url.startsWith('/api/templates/')) return 'templateId';
  if (url.startsWith('/api/macros/')) return 'macroId';
  if (url.startsWith('/api/notifications/')) return 'notificationId';
  throw new Error(`Say whose id stands in ${url}`);
};

const content = '<p>Text</p>';
const unfinished = {
  id: '0193d4a0-0000-7000-8000-000000000001',
  reportId: null,
  baseRevision: null,
  patientId: null,
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  replaces: null,
};
/** Nobody is at the address, nor ever will be (RFC 2606). */
const elsewhere = { aeTitle: 'ELSEWHERE', protocol: 'DICOMWEB', baseUrl: 'https://archive.invalid', authType: 'NONE' };

const templateForm = { name: 'x', modality: 'CT', content };

const patientForm = { patientName: 'Doe, Jane', patientId: 'P-1', gender: 'F', dateOfBirth: '1961-04-30' };

const reportingForm = {
  isDictationAllowed: true,
  aiProvider: 'RULES',
  aiModel: '',
  aiBaseUrl: '',
  isAiAgreed: false,
  criticalMinutes: 60,
  urgentMinutes: 1440,
  significantMinutes: 10_080,
  isLinkCodeRequired: false,
  linkDays: 30,
  isReviewRequired: false,
  isSignatureRequired: true,
  letterhead: '',
  letterheadFooter: '',
  letterheadLogo: null,
  isReportStoredAsDicom: false,
  revision: 1,
};

const bodies = new Map<string, object>(
  (
    [
      [studies.create, { modality: 'CT', existingPatientId: nobody }],
      [studies.update, { revision: 1, description: 'x' }],
      [patients.create, patientForm],
      [patients.update, { ...patientForm, revision: 1 }],
      [patientMerges.merge, { sourceId: nobody, revision: 1, sourceRevision: 1 }],
      [patientMerges.move, { studyId: nobody, studyRevision: 1, fromId: nobody, toRevision: 1 }],
      [patientMerges.acceptDifference, { differenceId: nobody, revision: 1 }],
      [patientMerges.dismissDifference, { differenceId: nobody }],
      [reports.create, { content, patientId: nobody }],
      [reports.save, { content, revision: 1 }],
      [reports.finalize, { content, signatureData: signature, revision: 1 }],
      [reportAddenda.begin, { kind: 'ADDENDUM', content }],
      [reportAddenda.save, { kind: 'ADDENDUM', content, revision: 1 }],
      [reportAddenda.sign, { kind: 'ADDENDUM', content, signatureData: signature, revision: 1 }],
      [reportPictures.fetch, { url: 'https://pictures.invalid/a.png' }],
      [reportAutosaves.keep, { ...unfinished, content }],
      [readingLocks.take, {}],
      [reports.requestReview, { reviewerId: nobody, notes: '' }],
      [reports.submitReview, { approved: true, comments: 'Fine' }],
      [applicationEntities.create, { calledAeTitle: 'OURS', callingAeTitle: 'CT1' }],
      [applicationEntities.update, { calledAeTitle: 'OURS', callingAeTitle: 'CT1', revision: 1 }],
      [remoteConfigurations.create, elsewhere],
      [remoteConfigurations.replace, elsewhere],
      [remoteConfigurations.change, { aeTitle: 'CHANGED' }],
      [remoteConfigurations.testUnsaved, elsewhere],
      [drafting.generate, { prompt: 'no effusion', studyId: nobody }],
      [drafting.medicalReport, { studyDescription: 'CT chest', findings: 'no effusion' }],
      [drafting.decide, { decision: 'ACCEPTED' }],
      [reportingSettings.save, reportingForm],
      [reportingSettings.test, { aiProvider: 'OPENAI', aiModel: 'x', aiBaseUrl: 'https://models.invalid/v1' }],
      [remoteStudies.connect, { host: 'archive.invalid', port: 8042 }],
      [notifications.savePreferences, { unwanted: ['IMPORT'] }],
      [importJobs.create, { jobId: '1.2.3', remoteConfigId: nobody }],
      [templates.create, templateForm],
      [templates.update, { ...templateForm, revision: 1 }],
      [templates.readMrrt, { html: content }],
      [globalTemplates.create, templateForm],
      [globalTemplates.update, { ...templateForm, revision: 1 }],
      [macros.create, { abbreviation: 'abc', name: 'x', text: 'x' }],
      [macros.update, { abbreviation: 'abc', name: 'x', text: 'x', revision: 1 }],
      [chat.send, { conversationId: nobody, text: 'x' }],
      [chat.read, { messageId: nobody }],
      [workflow.reinstate, { reason: 'x' }],
      [workflow.assign, { userIds: [nobody] }],
      [workflow.extend, { dueDate: '2126-11-21T12:00:00Z' }],
      [workflow.complete, { notes: 'x' }],
      [reports.addCriticalFinding, { finding: 'x', severity: 'URGENT' }],
      [reports.share, {}],
      [criticalFindings.communicate, { recipientName: 'x', method: 'PHONE' }],
      [criticalFindings.withdraw, { reason: 'x' }],
      [criticalFindings.saveContacts, { onCall: [], lead: [] }],
    ] as const
  ).map(([{ method, path }, body]) => [nameOf(method, `/api${path}`), body]),
);

/** A body that the call takes. Throws for one that needs a body that nobody has written here. */
export const bodyOf = (call: Call): object | undefined => {
  const endpoint = endpoints.find(({ method, path }) => nameOf(method, `/api${path}`) === call.name);
  const body = bodies.get(call.name);
  if (endpoint?.body && !body && call.can !== 'public') throw new Error(`Say what ${call.name} is sent`);
  return body;
};
