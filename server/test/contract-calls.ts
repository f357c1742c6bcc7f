import type { Access } from '@radwork/contract/access';
import { account } from '@radwork/contract/account';
import { endpoints } from '@radwork/contract/all';
import { apiDocument } from '@radwork/contract/api-document';
import { applicationEntities } from '@radwork/contract/application-entities';
import type { Endpoint } from '@radwork/contract/endpoint';
import { archive } from '@radwork/contract/archive';
import { auditExport } from '@radwork/contract/audit';
import { atlas } from '@radwork/contract/atlas';
import { chat } from '@radwork/contract/chat';
import { criticalFindings } from '@radwork/contract/critical-findings';
import { dashboardExport } from '@radwork/contract/dashboard';
import { drafting } from '@radwork/contract/drafting';
import { guidelines } from '@radwork/contract/guidelines';
import { probes } from '@radwork/contract/health';
import { importJobs } from '@radwork/contract/import-jobs';
import { live } from '@radwork/contract/live';
import { macros } from '@radwork/contract/macros';
import { keptLayouts } from '@radwork/contract/kept-layouts';
import { keyImages, keyImagesExport } from '@radwork/contract/key-images';
import { measurements, measurementsExport } from '@radwork/contract/measurements';
import { savedPictures } from '@radwork/contract/saved-pictures';
import { notifications } from '@radwork/contract/notifications';
import { outreach } from '@radwork/contract/outreach';
import { webhooks } from '@radwork/contract/webhooks';
import { identities } from '@radwork/contract/identities';
import { patientMerges } from '@radwork/contract/patient-merges';
import { patients } from '@radwork/contract/patients';
import { portal } from '@radwork/contract/portal';
import { readingLocks } from '@radwork/contract/reading-locks';
import { remoteConfigurations } from '@radwork/contract/remote-configurations';
import { remoteStudies } from '@radwork/contract/remote-studies';
import { reportAddenda } from '@radwork/contract/report-addenda';
import { reportAutosaves } from '@radwork/contract/report-autosaves';
import { reportPdf } from '@radwork/contract/report-delivery';
import { reportPictures } from '@radwork/contract/report-pictures';
import { reportingSettings } from '@radwork/contract/reporting-settings';
import { reports } from '@radwork/contract/reports';
import { sessions } from '@radwork/contract/sessions';
import { signingHolds } from '@radwork/contract/signing-holds';
import { signingMeansCalls } from '@radwork/contract/signing-means';
import { singleSignOn, ssoJourney } from '@radwork/contract/single-sign-on';
import { storedFiles } from '@radwork/contract/stored-files';
import { studies } from '@radwork/contract/studies';
import { globalTemplates, templates } from '@radwork/contract/templates';
import { organisation, setup, tenantExport, tenants } from '@radwork/contract/tenants';
import { historyExport, workflow } from '@radwork/contract/workflow';
import { roles } from '@radwork/contract/roles';
import { users } from '@radwork/contract/users';
import { signature } from './report-steps.ts';

/** One call of the contract at one URL. */
export type Call = {
  name: string;
  method: Endpoint['method'];
  url: string;
  can: Access;
  isStream: boolean;
  /** The query names the subject, so the call fails without one. */
  needsQuery: boolean;
};

const nameOf = (method: string, url: string) => `${method} ${url}`;

/** The archive services have their own prefixes, and share another for other software. */
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

/** One per line, so that concurrent additions do not conflict. */
const otherStreams = [
  apiDocument,
  auditExport,
  dashboardExport,
  historyExport,
  keyImagesExport,
  live,
  measurementsExport,
  probes.live,
  probes.ready,
  reportPdf,
  storedFiles.download,
  storedFiles.rendered,
  ssoJourney.start,
  ssoJourney.callback,
  tenantExport,
];
const otherStreamCalls = otherStreams.map(({ method, path, can }) => ({
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

/** True for calls about tenants themselves. Super administrators may see other tenants there. */
export const isAcrossTenants = ({ url }: Pick<Call, 'url'>): boolean => /^\/api\/tenants(\/|$)/.test(url);

/** Every call of the contract at each of its URLs. */
export const contractCalls: readonly Call[] = [...jsonCalls, ...streamCalls, ...otherStreamCalls];

/** The records that URL parameters refer to. */
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
  webhookId: string;
  deviceId: string;
  removalId: string;
  configurationId: string;
  findingId: string;
  assigneeId: string;
  sessionId: string;
  mergeId: string;
  identityQuestionId: string;
  /** Another patient than `patientId`. */
  otherPatientId: string;
  chatMessageId: string;
  aiPassageId: string;
  measurementId: string;
  keyImageId: string;
  deliveryId: string;
  templateId: string;
  macroId: string;
  organisationId: string;
  /** A user who has not acted yet. */
  userId: string;
  roleId: string;
  ssoIdentityId: string;
  ssoArrivalId: string;
  atlasId: string;
  guidelineId: string;
  fileId: string;
};

/** Returns a URL with its parameters filled in. Throws for an unknown parameter. */
export const addressOf = (call: Call, named: Named): string =>
  call.url
    .replaceAll(/:(\w+)/g, (_, parameter: string) => parameterOf(call, parameter, named))
    .replace('*', '00091010')
    .concat(queries.get(call.name) ?? '');

const nobody = '00000000-0000-7000-8000-000000000000';

/** The query of calls that change data named in the query, not in a body. */
const queries = new Map([
  [nameOf('PUT', `/api${workflow.changeStatus.path}`), '?newStatus=CANCELLED'],
  [nameOf('DELETE', `/api${measurements.remove.path}`), '?revision=1'],
  [nameOf('DELETE', `/api${keyImages.remove.path}`), '?revision=1'],
  [nameOf('DELETE', `/api${keptLayouts.forget.path}`), '?kind=MR%20head'],
  [nameOf('DELETE', `/api${reportAutosaves.giveUp.path}`), `?keptTextId=${nobody}`],
]);

const parameterOf = ({ url }: Call, parameter: string, named: Named): string => {
  if (parameter === 'id') return named[kindOfId(url)];
  if (parameter === 'conversationId') return named.studyId;
  if (parameter === 'addendumId') return named.addendumId;
  if (parameter === 'deliveryId') return named.deliveryId;
  if (parameter === 'passageId') return named.aiPassageId;
  if (parameter === 'measurementId') return named.measurementId;
  if (parameter === 'keyImageId') return named.keyImageId;
  if (parameter === 'messageId') return named.chatMessageId;
  if (parameter === 'userId') return named.assigneeId;
  if (parameter === 'fileId') return named.fileId;
  if (parameter === 'mergeId') return named.mergeId;
  if (parameter === 'sourceId' || parameter === 'patientId') return named.otherPatientId;
  if (parameter === 'hash') return named.linkHash;
  if (parameter === 'version') return String(named.version);
  if (parameter === 'frames') return '1';
  if (parameter === 'identityId') return named.ssoIdentityId;
  if (parameter === 'arrivalId') return named.ssoArrivalId;
  if (parameter === 'subdomain') return 'nobody';
  if (parameter === 'modality') return 'CT';
  if (parameter === 'studyUid' || parameter === 'seriesUid' || parameter === 'instanceUid') return named[parameter];
  throw new Error(`Say what :${parameter} stands for in ${url}`);
};

type KindOfId =
  | 'identityQuestionId'
  | 'organisationId'
  | 'assigneeId'
  | 'sessionId'
  | 'studyId'
  | 'patientId'
  | 'reportId'
  | 'applicationEntityId'
  | 'importJobId'
  | 'notificationId'
  | 'webhookId'
  | 'deviceId'
  | 'removalId'
  | 'templateId'
  | 'macroId'
  | 'userId'
  | 'roleId'
  | 'atlasId'
  | 'guidelineId'
  | 'fileId'
  | 'configurationId'
  | 'findingId';

const kindOfId = (url: string): KindOfId => {
  if (url.startsWith('/api/identities/')) return 'identityQuestionId';
  if (url.startsWith('/api/tenants/')) return 'organisationId';
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
  if (url.startsWith('/api/account/sessions/')) return 'sessionId';
  if (url.startsWith('/api/users/')) return 'userId';
  if (url.startsWith('/api/roles/')) return 'roleId';
  if (url.startsWith('/api/atlas/')) return 'atlasId';
  if (url.startsWith('/api/guidelines/')) return 'guidelineId';
  if (url.startsWith('/api/files/')) return 'fileId';
  if (/^\/api\/(key-images|knowledge|measurements|saved-pictures)\/for-study\//.test(url)) return 'studyId';
  if (url.startsWith('/api/notifications/')) return 'notificationId';
  if (url.startsWith('/api/webhooks/')) return 'webhookId';
  if (url.startsWith('/api/outreach/devices/')) return 'deviceId';
  throw new Error(`Say whose id stands in ${url}`);
};

const content = '<p>Text</p>';
const webhookForm = { name: 'Pager', url: 'https://pager.example/hook', topics: ['CRITICAL_LEAD'] };
const pushDevice = { endpoint: 'https://push.example/send/1', p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) };
const unfinished = {
  id: '0193d4a0-0000-7000-8000-000000000001',
  reportId: null,
  baseRevision: null,
  patientId: null,
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  replaces: null,
};
/** An address that never exists (RFC 2606). */
const elsewhere = { aeTitle: 'ELSEWHERE', protocol: 'DICOMWEB', baseUrl: 'https://archive.invalid', authType: 'NONE' };

const accountForm = { name: 'x', email: 'x@example.org', specialization: '', department: '', revision: 1 };

const templateForm = { name: 'x', modality: 'CT', content };

const userForm = { username: 'new.user', name: 'x', email: 'x@example.org', userType: 'RADIOLOGIST' };

const keyImageForm = {
  seriesInstanceUID: '2.25.1',
  sopInstanceUID: '2.25.2',
  frame: 1,
  note: '',
  look: {
    window: null,
    isInverted: false,
    rotation: 0,
    isMirroredAcross: false,
    isMirroredDown: false,
    zoom: 1,
    pan: [0, 0],
  },
  revision: 0,
};

const measurementForm = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.1',
  sopInstanceUID: '2.25.2',
  frame: 1,
  frameOfReferenceUID: null,
  points: [
    [0, 0, 0],
    [10, 0, 0],
  ],
  plane: null,
  label: '',
  values: [],
  revision: 0,
};

const pictureNote = { seriesInstanceUIDs: ['2.25.1'], sopInstanceUID: null, isIdentified: false, way: 'FILE' };

const roleForm = { name: 'x', permissions: ['study.view'] };

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
  signingProof: 'RECENT_SIGN_IN',
  letterhead: '',
  letterheadFooter: '',
  letterheadLogo: null,
  isReportStoredAsDicom: false,
  reportContact: '',
  reportIdentifier: 'BIRTH_DATE',
  revision: 1,
};

const tenantForm = {
  name: 'x',
  subdomain: 'somewhere-else',
  timeZone: 'UTC',
  locale: 'en-GB',
  storageQuotaBytes: null,
};
const administrator = { username: 'first', name: 'First', email: 'first@example.org' };

const organisationForm = {
  name: 'x',
  timeZone: 'UTC',
  locale: 'en-GB',
  productName: '',
  recycleBinDays: 30,
  auditYears: 6,
  referrersSee: 'OWN',
  secondFactorPolicy: 'OPTIONAL',
  contradictingPatients: 'REFUSE_TWO',
  uploadIssuer: '',
  revision: 1,
};

const singleSignOnForm = {
  isOn: false,
  label: '',
  issuer: '',
  clientId: '',
  scopes: 'openid',
  usernameClaim: 'preferred_username',
  nameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: '',
  rules: [],
  isAdminByClaim: false,
  fallbackType: null,
  isEnrolling: false,
  isPasswordAllowed: true,
  requiredAcr: '',
  requiredAmr: '',
  revision: 1,
};

const bodies = new Map<string, object>(
  (
    [
      [account.save, accountForm],
      [account.endSessions, { which: 'OTHERS' }],
      [account.changePassword, { currentPassword: 'x', newPassword: 'four words in a row' }],
      [account.beginSecondFactor, { currentPassword: 'x' }],
      [account.confirmSecondFactor, { code: '123456' }],
      [signingMeansCalls.saveSignature, { signatureData: 'data:image/png;base64,iVBORw0KGgo=' }],
      [signingMeansCalls.removeSignature, {}],
      [signingMeansCalls.removePin, {}],
      [signingMeansCalls.setPin, { pin: '190482' }],
      [signingHolds.proveByCode, { code: '123456' }],
      [signingHolds.proveByMail, { token: 'x' }],
      [signingHolds.setTenantRule, { isAllowed: true }],
      [account.removeSecondFactor, { currentPassword: 'x', code: '123456' }],
      [account.renewRecoveryCodes, { currentPassword: 'x', code: '123456' }],
      [sessions.login, { username: 'nobody', password: 'wrong' }],
      [sessions.validate, { token: 'x'.repeat(43) }],
      [sessions.forget, { what: 'CACHE' }],
      [portal.open, { code: 'wrong' }],
      [portal.pdf, {}],
      [setup.check, { token: 'x'.repeat(43) }],
      [
        setup.complete,
        {
          token: 'x'.repeat(43),
          administrator,
          password: 'correct horse battery',
          name: 'x',
          subdomain: 'first',
          timeZone: 'UTC',
        },
      ],
      [studies.create, { modality: 'CT', existingPatientId: nobody }],
      [studies.update, { revision: 1, description: 'x' }],
      [studies.setLegalHold, { isOnLegalHold: true, reason: 'x' }],
      [patients.create, patientForm],
      [patients.update, { ...patientForm, revision: 1 }],
      [patients.releaseFormerId, { patientId: 'x', issuer: '' }],
      [identities.decide, { decision: 'SAME_PERSON', studyRevision: 1 }],
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
      [reports.rerouteReview, { reviewerId: nobody }],
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
      [singleSignOn.save, singleSignOnForm],
      [singleSignOn.exchange, { ticket: 'x' }],
      [singleSignOn.confirm, { ticket: 'x' }],
      [singleSignOn.test, { issuer: 'https://provider.invalid' }],
      [singleSignOn.link, { username: 'somebody' }],
      [remoteStudies.connect, { host: 'archive.invalid', port: 8042 }],
      [notifications.savePreferences, { unwanted: ['IMPORT'] }],
      [outreach.save, { choices: [], quietHours: { begins: '22:00', ends: '07:00' } }],
      [outreach.addDevice, pushDevice],
      [criticalFindings.acknowledgeInReport, {}],
      [webhooks.create, webhookForm],
      [webhooks.update, { ...webhookForm, revision: 1 }],
      [importJobs.create, { jobId: '1.2.3', remoteConfigId: nobody }],
      [tenants.create, { ...tenantForm, administrator }],
      [tenants.update, { ...tenantForm, revision: 1 }],
      [tenants.setStatus, { active: true, reason: '' }],
      [organisation.save, organisationForm],
      [templates.create, templateForm],
      [templates.update, { ...templateForm, revision: 1 }],
      [templates.readMrrt, { html: content }],
      [globalTemplates.create, templateForm],
      [globalTemplates.update, { ...templateForm, revision: 1 }],
      [atlas.create, { title: 'x', author: 'x' }],
      [atlas.update, { title: 'x', author: 'x' }],
      [guidelines.create, { title: 'x', author: 'x', content: 'x' }],
      [guidelines.update, { title: 'x', author: 'x', content: 'x' }],
      [macros.create, { abbreviation: 'abc', name: 'x', text: 'x' }],
      [macros.update, { abbreviation: 'abc', name: 'x', text: 'x', revision: 1 }],
      [users.create, { ...userForm, roles: [nobody] }],
      [users.update, { ...userForm, roles: [nobody], revision: 1 }],
      [users.setStatus, { active: true }],
      [users.setRoles, { roles: [nobody] }],
      [users.setTenant, { tenantId: nobody }],
      [roles.create, roleForm],
      [roles.clone, { name: 'x' }],
      [roles.update, { ...roleForm, revision: 1 }],
      [measurements.save, measurementForm],
      [keyImages.save, keyImageForm],
      [savedPictures.note, pictureNote],
      [keptLayouts.keep, { kind: 'MR head', layout: '1x2', roles: ['T2'] }],
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

/** Returns a valid body for a call. Throws when a required body is missing here. */
export const bodyOf = (call: Call): object | undefined => {
  const endpoint = endpoints.find(({ method, path }) => nameOf(method, `/api${path}`) === call.name);
  const body = bodies.get(call.name);
  if (endpoint?.body && !body && call.can !== 'public') throw new Error(`Say what ${call.name} is sent`);
  return body;
};

/** True when a call sends JSON. */
export const hasBody = (call: Call): boolean => bodyOf(call) !== undefined;

/** True when a URL names a record by id. "/:modality" is no id. */
export const namesIds = ({ url }: Call): boolean => url.replace('/:modality', '').includes(':');
