import { applicationEntities } from './application-entities.ts';
import { chat } from './chat.ts';
import { criticalFindings } from './critical-findings.ts';
import { drafting } from './drafting.ts';
import { health } from './health.ts';
import { importJobs } from './import-jobs.ts';
import { macros } from './macros.ts';
import { notifications } from './notifications.ts';
import { patientMerges } from './patient-merges.ts';
import { patients } from './patients.ts';
import { portal } from './portal.ts';
import { readingLocks } from './reading-locks.ts';
import { remoteConfigurations } from './remote-configurations.ts';
import { remoteStudies } from './remote-studies.ts';
import { reportAddenda } from './report-addenda.ts';
import { reportAutosaves } from './report-autosaves.ts';
import { reportChecks } from './report-checks.ts';
import { reportPictures } from './report-pictures.ts';
import { reportingSettings } from './reporting-settings.ts';
import { reportDeliveries } from './report-delivery.ts';
import { reports } from './reports.ts';
import { sessions } from './sessions.ts';
import { studies } from './studies.ts';
import { globalTemplates, templateFacts, templates } from './templates.ts';
import { workflow } from './workflow.ts';

/** Every JSON endpoint of the product: what the server must serve and what the tests walk. */
export const endpoints = [
  sessions,
  applicationEntities,
  health,
  importJobs,
  remoteConfigurations,
  remoteStudies,
  studies,
  patients,
  patientMerges,
  reports,
  reportDeliveries,
  criticalFindings,
  reportAddenda,
  reportAutosaves,
  reportChecks,
  reportPictures,
  reportingSettings,
  drafting,
  readingLocks,
  workflow,
  notifications,
  chat,
  portal,
  templates,
  globalTemplates,
  templateFacts,
  macros,
].flatMap((noun) => Object.values(noun));
