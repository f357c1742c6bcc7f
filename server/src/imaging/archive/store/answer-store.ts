import { t } from '@radwork/contract/core/translate';
import type { FastifyRequest } from 'fastify';
import type { Context } from '#core/context.ts';
import type { StreamCall } from '#core/http/http.ts';
import { malformed } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { acceptHeaderOf, preferredMediaType } from '#imaging/archive/dicomweb/accept-header.ts';
import { sendDicomJson } from '#imaging/archive/dicomweb/dicom-json.ts';
import { dicomXml } from '#imaging/archive/dicomweb/native-dicom-xml.ts';
import { hiddenFromCaller } from '#imaging/archive/index/hidden-studies.ts';
import { serviceAddress } from '#imaging/archive/dicomweb/service-url.ts';
import { type StoreResult, storeInstances } from './store-instances.ts';
import { storeJson, storeReport, storeStatus, storeText } from './store-response.ts';
import { readUpload, studyUid, uploadProblem } from './store-request.ts';
import type { UploadSlots } from './upload-slots.ts';
import { bodyOf } from '#core/uploads/upload-stream.ts';

/** Answers STOW-RS (PS3.18 §10.5): stores the files of the request and reports an outcome for each file. */
export const answerStore = async (
  context: Context,
  slots: UploadSlots,
  call: StreamCall,
  studyInPath: string | undefined,
) => {
  const { request, reply, session } = call;
  const result = await slots(session.tenantId, () => store(context, call, studyInPath));
  if (result.stored.length + result.refused.length === 0) throw malformed(t`The request contains no files`);
  const type = answerType(request);
  if (type === 'application/json') {
    const report = storeReport(result, await unseenOf(context, session, result));
    return reply.status(report.code).send(report);
  }
  void reply.status(storeStatus(result));
  switch (type) {
    case 'text/plain':
      return reply.type('text/plain; charset=utf-8').send(storeText(result));
    case 'application/dicom+json':
      return sendDicomJson(reply, storeJson(result, serviceAddress(context.config, request)));
    case 'application/dicom+xml':
      return reply.type(type).send(Buffer.from(dicomXml(storeJson(result, serviceAddress(context.config, request)))));
  }
};

const unseenOf = async ({ scopes }: Context, session: Session, { stored }: StoreResult) =>
  scopes.reading(session, (scope) =>
    hiddenFromCaller(
      scope,
      stored.map(({ studyId }) => studyId),
    ),
  );

const store = async (
  context: Context,
  { request, session }: StreamCall,
  studyInPath: string | undefined,
): Promise<StoreResult> => {
  const studyOfPath = studyInPath === undefined ? undefined : studyUid(studyInPath);
  try {
    const upload = readUpload(request.headers['content-type'], bodyOf(request.raw));
    return await storeInstances(context, session, upload.files, {
      fileSource: { kind: 'UPLOAD' },
      studyInstanceUID: () => studyOfPath ?? upload.studyInstanceUID(),
      onError: (error) => request.log.error({ traceId: request.id, err: error }, 'a file could not be processed'),
    });
  } catch (error) {
    throw uploadProblem(error);
  }
};

const answerTypes = ['text/plain', 'application/dicom+json', 'application/dicom+xml', 'application/json'] as const;

/**
 * Returns the media type of the answer. A browser form is answered with text, any other upload with DICOM JSON. The
 * sender may ask for another type. If that type is not available, the upload still counts and the sender gets the
 * default.
 */
const answerType = (request: FastifyRequest): (typeof answerTypes)[number] => {
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data');
  const usual = isForm ? 'text/plain' : 'application/dicom+json';
  return preferredMediaType(acceptHeaderOf(request), [usual, ...answerTypes]) ?? usual;
};
