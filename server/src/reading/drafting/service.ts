import { t } from '@radwork/contract/core/translate';
import type { DraftedPassage, drafting, DraftingEvent, PassageKind } from '@radwork/contract/reading/drafting';
import type { Body } from '@radwork/contract/core/endpoint';
import { aiProviderNames } from '@radwork/contract/reading/reporting-settings';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { settingsOfTenant, type StoredSettings } from '#reading/reporting-settings/stored-settings.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';
import { htmlOfAnswer, longestAnswer, sectionsOfAnswer } from './answer-html.ts';
import type { Drafter, DraftRequest } from './drafter.ts';
import { drafterOf } from './drafter-of-tenant.ts';
import { inventedWords } from './invented-words.ts';
import { identifiersOfStudy } from './known-identifiers.ts';
import { findMentioned } from './mentioned-patients.ts';
import { hashOfText, type NewPassage, recordPassage } from './passages.ts';
import { numbersNotGiven } from './strange-numbers.ts';
import { sectionsForStudy } from './template-sections.ts';
import { createIdentifierMarks, type IdentifierMarks } from './withhold-identifiers.ts';

type Drafting = Pick<Context, 'outgoing' | 'scopes' | 'vault'>;

/** A request that still contains identifiers. */
export type IdentifiedRequest = Omit<DraftRequest, 'sections'> & { studyId: string | undefined };

export const requestOfPrompt = ({ prompt, kind, studyId }: Body<typeof drafting.generate>): IdentifiedRequest => ({
  kind,
  text: prompt,
  studyDescription: '',
  clinicalInfo: '',
  studyId,
});

export const requestOfReport = (form: Body<typeof drafting.medicalReport>): IdentifiedRequest => ({
  kind: 'REPORT',
  text: form.findings?.trim() ? form.findings : (form.prompt ?? ''),
  studyDescription: form.studyDescription ?? '',
  clinicalInfo: form.clinicalInfo ?? '',
  studyId: form.studyId,
});

/** A request ready for drafting. It contains no identifiers if it leaves this server. */
type PreparedDraft = {
  drafter: Drafter;
  request: DraftRequest;
  study: StoredStudy | undefined;
  withheld: IdentifierMarks;
  promptHash: Buffer;
};

/** Returns a complete draft. Throws 503 when drafting is off, and 502 or 504 with the error of the provider. */
export const draft = async (
  context: Drafting,
  session: Session,
  identifiedRequest: IdentifiedRequest,
): Promise<DraftedPassage[]> => {
  const prepared = await prepare(context, session, identifiedRequest);
  const answer = await prepared.drafter.answer(prepared.request, new AbortController().signal);
  return finish(context, session, prepared, prepared.withheld.restoreIdentifiers(answer));
};

/**
 * Yields a draft as events: what was sent, each piece, and the passages at the end. An error after the first event
 * becomes the last event. When the reader leaves the page, the call to the provider is aborted.
 */
export const streamDraft = async (context: Drafting, session: Session, identifiedRequest: IdentifiedRequest) => {
  const prepared = await prepare(context, session, identifiedRequest);
  return (gone: AbortSignal) => eventsOf(context, session, prepared, gone);
};

async function* eventsOf(
  context: Drafting,
  session: Session,
  prepared: PreparedDraft,
  gone: AbortSignal,
): AsyncGenerator<DraftingEvent> {
  const { drafter, request, withheld } = prepared;
  yield { kind: 'sent', sent: drafter.sentFor(request) };
  try {
    let answer = '';
    for await (const text of withheld.restoreIdentifiersInStream(drafter.pieces(request, gone))) {
      answer += text;
      refuseTooLong(answer);
      yield { kind: 'piece', text };
    }
    yield { kind: 'done', passages: await finish(context, session, prepared, answer.trim()) };
  } catch (error) {
    if (gone.aborted) return;
    if (!(error instanceof Problem)) throw error;
    yield { kind: 'failed', message: error.message };
  }
}

const prepare = (context: Drafting, session: Session, identifiedRequest: IdentifiedRequest): Promise<PreparedDraft> =>
  context.scopes.inTenant(session, async (scope) => {
    const settings = await settingsOfTenant(scope);
    const drafter = await drafterOf(context, settings);
    const study =
      identifiedRequest.studyId === undefined ? undefined : await studyById(scope, identifiedRequest.studyId);
    const withheld = await withheldOf(scope, drafter, study, identifiedRequest);
    const request = await requestOf(scope, study, identifiedRequest, withheld);
    const sent = drafter.sentFor(request);
    const promptHash = hashOfText(sent ? `${sent.instructions}\n\n${sent.prompt}` : request.text);
    await note(scope, { settings, study, kind: identifiedRequest.kind, promptHash });
    return { drafter, request, study, withheld, promptHash };
  });

/**
 * Withholds from a model all identifiers of persons connected with the study, and of other patients named in the text.
 * Without a study the identifiers are unknown, so the text is refused. For the rules nothing is withheld, because they
 * send nothing.
 */
const withheldOf = async (
  scope: Scope,
  drafter: Drafter,
  study: StoredStudy | undefined,
  { text, studyDescription, clinicalInfo }: IdentifiedRequest,
): Promise<IdentifierMarks> => {
  if (drafter.provider === 'RULES') return withNothing;
  if (!study) {
    throw invalid({ studyId: t`Study is required. Without it, patient identifiers cannot be removed from the text.` });
  }
  const mentioned = await findMentioned(scope, [text, studyDescription, clinicalInfo]);
  return createIdentifierMarks(await identifiersOfStudy(scope, study), mentioned);
};

const withNothing: IdentifierMarks = {
  replaceIdentifiers: (text) => text,
  restoreIdentifiers: (text) => text,
  restoreIdentifiersInStream: async function* (chunks) {
    yield* chunks;
  },
};

const requestOf = async (
  scope: Scope,
  study: StoredStudy | undefined,
  { kind, text, studyDescription, clinicalInfo }: IdentifiedRequest,
  { replaceIdentifiers }: IdentifierMarks,
): Promise<DraftRequest> => ({
  kind,
  text: replaceIdentifiers(text),
  studyDescription: replaceIdentifiers(studyDescription),
  clinicalInfo: replaceIdentifiers(clinicalInfo),
  sections: kind === 'REPORT' && study ? await sectionsForStudy(scope, study) : [],
});

type DraftNote = { settings: StoredSettings; study: StoredStudy | undefined; kind: PassageKind; promptHash: Buffer };

/** Writes the audit entry before anything is sent. The entry is needed even if the request fails. */
const note = (scope: Scope, { settings, study, kind, promptHash }: DraftNote): Promise<void> =>
  audit(scope, 'ai_passage.draft', {
    entity: 'ai_passage',
    ...(study && { studyId: study.id, patientId: study.patient_id }),
    detail: {
      kind,
      provider: settings.ai_provider,
      model: settings.ai_provider === 'RULES' ? '' : settings.ai_model,
      promptHash: promptHash.toString('hex'),
    },
  });

const textsOf = ({ text, studyDescription, clinicalInfo, sections }: DraftRequest): string[] => [
  text,
  studyDescription,
  clinicalInfo,
  ...sections.flatMap(({ heading, normal }) => [heading, normal]),
];

const refuseTooLong = (answer: string): void => {
  if (answer.length > longestAnswer) {
    throw new Problem(502, 'drafting.failed', t`The answer is longer than a report can be. It was discarded.`);
  }
};

/** Each section of a drafted report becomes a separate passage, so that a reader decides about each section. */
const finish = async (
  { scopes }: Drafting,
  session: Session,
  { drafter, request, study, promptHash, withheld }: PreparedDraft,
  answer: string,
): Promise<DraftedPassage[]> => {
  refuseTooLong(answer);
  const { provider, model } = drafter;
  const { kind } = request;
  const texts = kind === 'REPORT' ? sectionsOfAnswer(answer) : [answer];
  const sources = textsOf(request).map(withheld.restoreIdentifiers);
  const origin = study && { studyId: study.id, kind, provider, model, promptHash };
  const ids = origin ? await recordAll(scopes, session, origin, texts) : [];
  return texts.map((text, index) => {
    const id = ids[index] ?? null;
    return {
      id,
      kind,
      text,
      html: htmlOfAnswer(text, id),
      provider,
      providerName: aiProviderNames[provider],
      model,
      isRuleBased: provider === 'RULES',
      strangeNumbers: numbersNotGiven(text, sources),
      strangeWords: inventedWords(text, sources.join('\n')),
    };
  });
};

const recordAll = (
  scopes: Drafting['scopes'],
  session: Session,
  origin: Omit<NewPassage, 'text'>,
  texts: readonly string[],
): Promise<string[]> =>
  scopes.inTenant(session, async (scope) => {
    const ids: string[] = [];
    for (const text of texts) ids.push(await recordPassage(scope, { ...origin, text }));
    return ids;
  });
