import { Readable } from 'node:stream';
import { byteOrderMark, csvOf } from '@radwork/contract/core/csv';
import { type ExportedColumn, mostExportedStudies, studyExportForm } from '@radwork/contract/imaging/study-export';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { studyStatusLabels } from '@radwork/contract/imaging/study-status';
import { t } from '@radwork/contract/core/translate';
import { audit } from '#core/audit/audit.ts';
import type { StreamCall } from '#core/http/http.ts';
import { malformed } from '#core/http/problem.ts';
import type { Scopes, Session } from '#core/access/scope.ts';
import { matching } from './study-list.ts';
import { studyRows } from './study-rows.ts';

/** Number of studies read at a time. */
const chunk = 500;

type Cell = string | number;

/** Titles and values of the columns. Times are UTC, except study dates, which are in the time of the scanner. */
const columns: Record<ExportedColumn, { title: string; valueOf: (study: StudyRow) => Cell }> = {
  patientName: { title: 'Patient Name', valueOf: ({ patient }) => patient.patientName },
  patientId: { title: 'Patient ID', valueOf: ({ patient }) => patient.patientId },
  studyDate: { title: 'Study Date', valueOf: ({ studyDate }) => (studyDate ?? '').replace('T', ' ') },
  accessionNumber: { title: 'Accession', valueOf: ({ accessionNumber }) => accessionNumber },
  modality: { title: 'Modality', valueOf: ({ modality, modalities }) => modalities.join(' ') || modality },
  status: { title: 'Status', valueOf: ({ status }) => studyStatusLabels[status] },
  assignees: { title: 'Assignees', valueOf: ({ assignees }) => assignees.map(({ name }) => name).join(', ') },
  dueDate: { title: 'Due (UTC)', valueOf: ({ dueDate }) => dueDate ?? '' },
  seriesCount: { title: 'Series count', valueOf: ({ seriesCount }) => seriesCount },
  description: { title: 'Description', valueOf: (study) => study.description || study.studyDescription },
  referringPhysicianName: { title: 'Referring physician', valueOf: (study) => study.referringPhysicianName },
  priority: { title: 'Priority', valueOf: ({ priority }) => priority },
};

/** Sends a study list as CSV, and audits this before the first study is sent. */
export const exportStudies = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const { data: form, error } = studyExportForm.safeParse(request.body);
  if (!form) throw malformed(error.issues[0]?.message ?? t`Invalid request data`);
  const { ids, isMore } = await scopes.inTenant(session, async (scope) => {
    const found = form.studyIds
      ? { ids: [...new Set(form.studyIds)], isMore: false }
      : await matching(scope, form.search, mostExportedStudies);
    const detail = { studies: found.ids.length, columns: form.columns.join(' ') };
    await audit(scope, 'study.exportList', { entity: 'study', detail });
    return found;
  });
  const day = new Date().toISOString().slice(0, 10);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="studies-${day}.csv"`)
    .send(Readable.from(csvIn(scopes, session, ids, form.columns, isMore)));
};

/** Yields the lines of the file. No transaction is open while they are sent. Hidden and deleted studies are missing. */
async function* csvIn(
  scopes: Scopes,
  session: Session,
  ids: readonly string[],
  names: readonly ExportedColumn[],
  isMore: boolean,
) {
  const shown = names.map((name) => columns[name]);
  yield byteOrderMark + csvOf([shown.map(({ title }) => title)]);
  for (let from = 0; from < ids.length; from += chunk) {
    const studies = await scopes.inTenant(session, (scope) => studyRows(scope, ids.slice(from, from + chunk)));
    yield csvOf(studies.map((study) => shown.map(({ valueOf }) => valueOf(study))));
  }
  if (isMore) yield csvOf([[tooMany()]]);
}

const tooMany = (): string => {
  const limit = new Intl.NumberFormat('en').format(mostExportedStudies);
  return `This export ends at ${limit} studies. Choose more filters.`;
};
