import type { Endpoint, StreamEndpoint } from '@radwork/contract/endpoint';
import { account, passwordLinks } from '@radwork/contract/account';
import { apiDocument } from '@radwork/contract/api-document';
import { applicationEntities } from '@radwork/contract/application-entities';
import { archive } from '@radwork/contract/archive';
import { atlas } from '@radwork/contract/atlas';
import { audit, auditExport } from '@radwork/contract/audit';
import { chat } from '@radwork/contract/chat';
import { criticalFindings } from '@radwork/contract/critical-findings';
import { dashboard, dashboardExport } from '@radwork/contract/dashboard';
import { drafting } from '@radwork/contract/drafting';
import { guidelines } from '@radwork/contract/guidelines';
import { health, probes } from '@radwork/contract/health';
import { identities } from '@radwork/contract/identities';
import { importJobs } from '@radwork/contract/import-jobs';
import { knowledge } from '@radwork/contract/knowledge';
import { live } from '@radwork/contract/live';
import { macros } from '@radwork/contract/macros';
import { keptLayouts } from '@radwork/contract/kept-layouts';
import { keyImages, keyImagesExport } from '@radwork/contract/key-images';
import { measurements, measurementsExport } from '@radwork/contract/measurements';
import { outreach } from '@radwork/contract/outreach';
import { webhooks } from '@radwork/contract/webhooks';
import { notifications } from '@radwork/contract/notifications';
import { patientMerges } from '@radwork/contract/patient-merges';
import { patients } from '@radwork/contract/patients';
import { portal } from '@radwork/contract/portal';
import { readingLocks } from '@radwork/contract/reading-locks';
import { remoteConfigurations } from '@radwork/contract/remote-configurations';
import { remoteStudies } from '@radwork/contract/remote-studies';
import { reportAddenda } from '@radwork/contract/report-addenda';
import { reportAutosaves } from '@radwork/contract/report-autosaves';
import { reportChecks } from '@radwork/contract/report-checks';
import { reportDeliveries, reportPdf } from '@radwork/contract/report-delivery';
import { reportPictures } from '@radwork/contract/report-pictures';
import { reportingSettings } from '@radwork/contract/reporting-settings';
import { reports } from '@radwork/contract/reports';
import { savedPictures } from '@radwork/contract/saved-pictures';
import { search } from '@radwork/contract/search';
import { sessions } from '@radwork/contract/sessions';
import { storedFiles } from '@radwork/contract/stored-files';
import { signingMeansCalls } from '@radwork/contract/signing-means';
import { signingHolds } from '@radwork/contract/signing-holds';
import { singleSignOn, ssoJourney } from '@radwork/contract/single-sign-on';
import { studies } from '@radwork/contract/studies';
import { globalTemplates, templateFacts, templates } from '@radwork/contract/templates';
import { organisation, setup, tenantExport, tenants } from '@radwork/contract/tenants';
import { roles } from '@radwork/contract/roles';
import { users } from '@radwork/contract/users';
import { historyExport, workflow } from '@radwork/contract/workflow';
import type { Subject } from '#core/audit.ts';

/** The kind of object that the id in a call's address names. */
export type About =
  | 'study'
  | 'studyUid'
  | 'patient'
  | 'report'
  | 'critical_finding'
  | 'import_job'
  | 'remote_configuration'
  | 'stored_file';

/** How a call is audited, or why it is not. */
export type Audited =
  /** The service writes the entry in the transaction of the change. */
  | { by: 'service'; action: string }
  /** Written after the response, off the request path. */
  | { by: 'watch'; action: string; entity: Subject['entity']; about?: About }
  | { by: 'nobody'; because: string };

const written = (action: string): Audited => ({ by: 'service', action });
const read = (action: string, entity: Subject['entity'], about?: About): Audited => ({
  by: 'watch',
  action,
  entity,
  ...(about && { about }),
});
const not = (because: string): Audited => ({ by: 'nobody', because });

const countsOnly = not('says how many there are, and of nobody');
const ownText = not("saves the caller's own text, which is read with the report and audited there");
const noPatient = not('says nothing of a patient');
const own = not("the caller's own settings and list");

const onStudies = [
  [studies.list, read('study.search', 'study')],
  [studies.search, read('study.search', 'study')],
  [studies.recent, read('study.search', 'study')],
  [studies.pending, read('study.search', 'study')],
  [studies.views, countsOnly],
  [studies.ofPatient, read('patient.viewStudies', 'patient', 'patient')],
  [studies.get, written('study.view')],
  [studies.getByUid, written('study.view')],
  [studies.series, read('study.viewSeries', 'study', 'study')],
  [studies.tags, written('study.view')],
  [studies.priors, read('study.viewPriors', 'study', 'study')],
  [studies.audit, read('study.viewAudit', 'study', 'study')],
  [studies.create, written('study.create')],
  [studies.update, written('study.update')],
  [studies.remove, written('study.delete')],
  [studies.deleted, read('study.viewDeleted', 'study')],
  [studies.restore, written('study.restore')],
  [studies.setLegalHold, written('study.hold')],
  [identities.list, read('identity.view', 'study')],
  [identities.count, countsOnly],
  [identities.decide, written('identity.decide')],
  [identities.undo, written('identity.undo')],
  [workflow.read, read('study.view', 'study', 'study')],
  [workflow.changeStatus, written('study.status')],
  [workflow.reinstate, written('study.reinstate')],
  [workflow.assign, written('study.assign')],
  [workflow.removeAssignment, written('study.unassign')],
  [workflow.extend, written('study.extendAssignment')],
  [workflow.complete, written('study.completeAssignment')],
  [workflow.history, read('study.viewHistory', 'study', 'study')],
  [workflow.assignable, noPatient],
  [historyExport, written('study.exportHistory')],
  [measurements.ofStudy, read('measurement.view', 'study', 'study')],
  [measurements.save, written('measurement.save')],
  [measurements.remove, written('measurement.remove')],
  [measurements.store, written('measurement.store')],
  [measurementsExport, written('measurement.export')],
  [savedPictures.note, written('study.savePicture')],
  [keyImages.ofStudy, read('keyImage.view', 'study', 'study')],
  [keyImages.save, written('keyImage.save')],
  [keyImages.remove, written('keyImage.remove')],
  [keyImages.picture, written('study.retrieve')],
  [keyImages.store, written('keyImage.store')],
  [keyImagesExport, written('keyImage.export')],
  [readingLocks.take, read('study.view', 'study', 'study')],
  [readingLocks.beat, not('a page says every few seconds that it is still open')],
  [readingLocks.release, not('says that a page is closed; its opening is audited')],
] as const;

const onPatients = [
  [search.everywhere, written('search.run')],
  [patients.list, read('patient.search', 'patient')],
  [patients.get, written('patient.view')],
  [reports.ofPatient, read('patient.viewReports', 'patient', 'patient')],
  [patients.create, written('patient.create')],
  [patients.update, written('patient.update')],
  [patients.releaseFormerId, written('patient.update')],
  [patients.remove, written('patient.delete')],
  [patientMerges.previewMerge, read('patient.viewIdentity', 'patient', 'patient')],
  [patientMerges.merge, written('patient.merge')],
  [patientMerges.previewMove, read('patient.viewIdentity', 'study', 'study')],
  [patientMerges.move, written('patient.move_study')],
  [patientMerges.history, read('patient.viewIdentity', 'patient', 'patient')],
  [patientMerges.undo, written('patient.undo')],
  [patientMerges.duplicates, read('patient.viewIdentity', 'patient', 'patient')],
  [patientMerges.differences, read('patient.viewIdentity', 'patient', 'patient')],
  [patientMerges.acceptDifference, written('patient.accept_difference')],
  [patientMerges.dismissDifference, written('patient.dismiss_difference')],
] as const;

const onReports = [
  [reports.list, read('report.search', 'report')],
  [reports.views, countsOnly],
  [reports.get, written('report.view')],
  [reports.version, written('report.view')],
  [reports.ofStudy, written('report.view')],
  [reports.reviewers, noPatient],
  [reports.create, written('report.create')],
  [reports.save, written('report.edit')],
  [reports.finalize, written('report.finalize')],
  [reports.requestReview, written('report.requestReview')],
  [reports.submitReview, written('report.submitReview')],
  [reports.rerouteReview, written('report.rerouteReview')],
  [reports.addCriticalFinding, written('report.addCriticalFinding')],
  [reports.link, read('report_link.view', 'report', 'report')],
  [reports.linkTerms, noPatient],
  [reports.share, written('report_link.create')],
  [reports.revoke, written('report_link.revoke')],
  [reports.linkOpens, read('report_link.view', 'report', 'report')],
  [reportAddenda.begin, written('report.beginAddendum')],
  [reportAddenda.save, written('report.saveAddendum')],
  [reportAddenda.discard, written('report.discardAddendum')],
  [reportAddenda.sign, written('report.addend')],
  [reportAutosaves.find, read('report.viewKept', 'study', 'study')],
  [reportAutosaves.keep, ownText],
  [reportAutosaves.giveUp, ownText],
  [reportChecks.facts, read('report.viewChecks', 'study', 'study')],
  [reportChecks.check, read('report.viewChecks', 'report', 'report')],
  [reportPictures.fetch, not('fetches a picture from elsewhere into a text that is audited when it is saved')],
  [reportDeliveries.send, written('report.send')],
  [reportDeliveries.destinations, noPatient],
  [reportDeliveries.list, read('report.viewDeliveries', 'report', 'report')],
  [reportDeliveries.storeInStudy, written('report.send')],
  [reportDeliveries.retry, written('report.send')],
  [reportPdf, written('report.print')],
  [drafting.generate, written('ai_passage.draft')],
  [drafting.medicalReport, written('ai_passage.draft')],
  [drafting.passages, read('ai_passage.view', 'study', 'study')],
  [drafting.decide, written('ai_passage.accept')],
  [templateFacts.ofStudy, written('study.view')],
  [portal.report, written('report_link.open')],
  [portal.open, written('report_link.open')],
  [portal.pdf, written('report_link.open')],
] as const;

const onFindingsAndChat = [
  [criticalFindings.list, read('critical_finding.search', 'critical_finding')],
  [criticalFindings.get, read('critical_finding.view', 'critical_finding', 'critical_finding')],
  [criticalFindings.ofStudy, read('critical_finding.view', 'study', 'study')],
  [criticalFindings.recipients, noPatient],
  [criticalFindings.communicate, written('critical_finding.communicate')],
  [criticalFindings.acknowledge, written('critical_finding.acknowledge')],
  [criticalFindings.acknowledgeInReport, written('critical_finding.acknowledge')],
  [criticalFindings.withdraw, written('critical_finding.withdraw')],
  [criticalFindings.contacts, noPatient],
  [criticalFindings.saveContacts, written('critical_contacts.save')],
  [chat.conversation, read('chat.view', 'study', 'study')],
  [chat.send, written('chat.send')],
  [chat.read, not('marks as read what is audited when it is fetched')],
  [chat.remove, written('chat.delete')],
  [chat.people, noPatient],
  [notifications.list, not('a poll of what the caller was told themselves; what it leads to is audited when opened')],
  [notifications.markRead, own],
  [notifications.markAllRead, own],
  [notifications.clearAll, own],
  [notifications.remove, own],
  [notifications.restore, own],
  [notifications.preferences, own],
  [notifications.savePreferences, own],
  [keptLayouts.mine, own],
  [keptLayouts.keep, own],
  [keptLayouts.forget, own],
] as const;

const onConfiguration = [
  [sessions.login, written('session.begin')],
  [sessions.validate, not('asks whether a session stands, with every page')],
  [sessions.forget, not('is about a cache of the browser, and asks nothing of ours')],
  [sessions.logout, written('session.end')],
  [health.about, noPatient],
  [probes.live, noPatient],
  [probes.ready, noPatient],
  [live, not('tells that something changed and not what; what is fetched then is audited')],
  [applicationEntities.list, noPatient],
  [applicationEntities.create, written('application_entity.create')],
  [applicationEntities.update, written('application_entity.update')],
  [applicationEntities.remove, written('application_entity.delete')],
  [remoteConfigurations.list, noPatient],
  [remoteConfigurations.read, noPatient],
  [remoteConfigurations.create, written('configuration.create')],
  [remoteConfigurations.replace, written('configuration.update')],
  [remoteConfigurations.change, written('configuration.update')],
  [remoteConfigurations.remove, written('configuration.delete')],
  // Both use the secret of another system.
  [remoteConfigurations.test, read('configuration.test', 'remote_configuration', 'remote_configuration')],
  [remoteConfigurations.testUnsaved, read('configuration.test', 'remote_configuration')],
  [remoteStudies.search, written('remote.search')],
  [remoteStudies.connect, written('configuration.connect')],
  [importJobs.create, written('import.start')],
  [importJobs.list, read('import.view', 'import_job')],
  [importJobs.read, read('import.view', 'import_job', 'import_job')],
  [importJobs.retry, written('import.retry')],
  [importJobs.cancel, written('import.cancel')],
  [reportingSettings.forWriting, noPatient],
  [reportingSettings.read, noPatient],
  [reportingSettings.save, written('reporting_settings.update')],
  [reportingSettings.test, read('reporting_settings.test', 'reporting_settings')],
  [templates.list, noPatient],
  [templates.ofModality, noPatient],
  [templates.get, noPatient],
  [templates.versions, noPatient],
  [templates.create, written('template.create')],
  [templates.update, written('template.update')],
  [templates.remove, written('template.delete')],
  [templates.noteUse, not('counts how often a template is used')],
  [templates.readMrrt, not('reads a file that is sent along and keeps nothing')],
  [globalTemplates.list, noPatient],
  [globalTemplates.create, written('template.createGlobal')],
  [globalTemplates.update, written('template.updateGlobal')],
  [globalTemplates.remove, written('template.deleteGlobal')],
  [globalTemplates.copy, written('template.create')],
  [macros.list, noPatient],
  [macros.create, written('macro.create')],
  [macros.update, written('macro.update')],
  [macros.remove, written('macro.delete')],
  [audit.list, read('audit.search', 'audit')],
  [audit.people, noPatient],
  [audit.verify, written('audit.verify')],
  [auditExport, written('audit.export')],
] as const;

const onPeople = [
  [outreach.settings, own],
  [outreach.save, written('outreach.update')],
  [outreach.addDevice, written('outreach.add_device')],
  [outreach.removeDevice, written('outreach.remove_device')],
  [webhooks.list, noPatient],
  [webhooks.create, written('webhook.create')],
  [webhooks.update, written('webhook.update')],
  [webhooks.remove, written('webhook.delete')],
  [webhooks.test, written('webhook.test')],
  [webhooks.retry, written('webhook.retry')],
  [account.read, own],
  [account.save, written('user.update_own')],
  [account.sessions, own],
  [account.endSession, written('session.end')],
  [account.endSessions, written('session.end_all')],
  [account.changePassword, written('password.change')],
  [account.beginSecondFactor, not('shows a secret to its owner, which counts for nothing until it is confirmed')],
  [account.confirmSecondFactor, written('second_factor.enrol')],
  [account.removeSecondFactor, written('second_factor.remove')],
  [account.renewRecoveryCodes, written('second_factor.renew_codes')],
  [account.resetSecondFactor, written('second_factor.reset')],
  [signingMeansCalls.read, own],
  [signingMeansCalls.saveSignature, written('saved_signature.save')],
  [signingMeansCalls.removeSignature, written('saved_signature.remove')],
  [signingMeansCalls.setPin, written('signing_pin.set')],
  [signingMeansCalls.removePin, written('signing_pin.remove')],
  [signingHolds.own, own],
  [signingHolds.proveByCode, written('signing.release')],
  [signingHolds.askForMail, written('signing.ask')],
  [signingHolds.proveByMail, written('signing.release')],
  [signingHolds.ofUser, noPatient],
  [signingHolds.confirm, written('signing.release')],
  [signingHolds.tenantRule, noPatient],
  [signingHolds.setTenantRule, written('tenant.update')],
  [passwordLinks.check, not('says whether a link still works, before anything is done with it')],
  [passwordLinks.use, written('password.set')],
  [passwordLinks.forgot, written('password.forget')],
  [passwordLinks.facts, noPatient],
  [dashboard.read, read('dashboard.view', 'dashboard')],
  [dashboardExport, written('dashboard.export')],
  [apiDocument, noPatient],
  [organisation.read, noPatient],
  [organisation.save, written('organisation.update')],
  [organisation.brand, noPatient],
  [setup.check, noPatient],
  [setup.complete, written('tenant.first')],
  [singleSignOn.offer, noPatient],
  [ssoJourney.start, not('leads to the provider; what comes of it is written down at the end')],
  [ssoJourney.callback, written('session.refuse')],
  [singleSignOn.exchange, written('session.begin')],
  [singleSignOn.confirm, written('session.reauthenticate')],
  [singleSignOn.read, noPatient],
  [singleSignOn.save, written('single_sign_on.update')],
  [singleSignOn.test, read('single_sign_on.test', 'single_sign_on')],
  [singleSignOn.identities, noPatient],
  [singleSignOn.unlink, written('identity.unlink')],
  [singleSignOn.arrivals, noPatient],
  [singleSignOn.link, written('identity.link')],
  [singleSignOn.dismiss, written('identity.dismiss')],
  [users.list, noPatient],
  [users.search, noPatient],
  [users.roleChoices, noPatient],
  [users.get, noPatient],
  [users.ofTenant, noPatient],
  [users.create, written('user.create')],
  [users.update, written('user.update')],
  [users.remove, written('user.delete')],
  [users.setStatus, written('user.deactivate')],
  [users.setRoles, written('user.update')],
  [users.setTenant, written('user.leave')],
  [users.resetPassword, written('user.reset_password')],
  [roles.list, noPatient],
  [roles.get, noPatient],
  [roles.permissions, noPatient],
  [roles.create, written('role.create')],
  [roles.clone, written('role.create')],
  [roles.update, written('role.update')],
  [roles.remove, written('role.delete')],
  [tenants.list, noPatient],
  [tenants.get, noPatient],
  [tenants.create, written('tenant.create')],
  [tenants.update, written('tenant.update')],
  [tenants.setStatus, written('tenant.suspend')],
  [tenantExport, written('tenant.export')],
] as const;

const onLibrary = [
  [atlas.list, noPatient],
  [atlas.get, noPatient],
  [atlas.create, written('atlas.create')],
  [atlas.update, written('atlas.update')],
  [atlas.remove, written('atlas.delete')],
  [atlas.removeFile, written('atlas.delete_file')],
  [guidelines.list, noPatient],
  [guidelines.get, noPatient],
  [guidelines.create, written('guideline.create')],
  [guidelines.update, written('guideline.update')],
  [guidelines.remove, written('guideline.delete')],
  [guidelines.removeFile, written('guideline.delete_file')],
  [knowledge.forStudy, not('tells no more of the study than the page that asks for it, which is noted')],
  [storedFiles.download, written('stored_file.download')],
  [storedFiles.rendered, read('stored_file.view', 'stored_file', 'stored_file')],
] as const;

const stored = new Set<StreamEndpoint>([archive.store, archive.storeInStudy]);
const searches = new Set<StreamEndpoint>([archive.searchStudies, archive.searchSeries, archive.searchInstances]);
const searchesInStudy = new Set<StreamEndpoint>([
  archive.searchSeriesOfStudy,
  archive.searchInstancesOfStudy,
  archive.searchInstancesOfSeries,
]);

const onArchive = Object.values(archive).map((endpoint): readonly [StreamEndpoint, Audited] => {
  if (stored.has(endpoint)) return [endpoint, written('study.store')];
  if (endpoint === archive.deleteStudy) return [endpoint, written('study.delete')];
  if (endpoint.method === 'DELETE') return [endpoint, not('is refused always: studies are deleted whole')];
  if (searches.has(endpoint)) return [endpoint, read('study.query', 'study')];
  if (searchesInStudy.has(endpoint)) return [endpoint, read('study.query', 'study', 'studyUid')];
  return [endpoint, written('study.retrieve')];
});

/** Every call of the contract and how it is audited. */
export const auditedCalls: ReadonlyMap<Endpoint | StreamEndpoint, Audited> = new Map<
  Endpoint | StreamEndpoint,
  Audited
>([
  ...onStudies,
  ...onPatients,
  ...onReports,
  ...onFindingsAndChat,
  ...onConfiguration,
  ...onPeople,
  ...onLibrary,
  ...onArchive,
]);
