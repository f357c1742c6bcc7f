import type { DicomJson } from '@radwork/dicom/dataset';
import type { Context } from '#core/context.ts';
import { prepared } from '#core/database/database.ts';
import type { Session } from '#core/access/scope.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { gunzipText } from '#core/resources/gzip.ts';

/** Returns the stored metadata of an instance as JSON text. */
export const readMetadataText = async (
  { scopes }: Pick<Context, 'scopes'>,
  session: Session,
  { id }: Pick<StoredInstance, 'id'>,
): Promise<Buffer> => {
  const { metadata } = await scopes.reading(session, ({ db }) =>
    db.selectFrom('instances').select('metadata').where('id', '=', id).modifyEnd(prepared).executeTakeFirstOrThrow(),
  );
  return gunzipText(metadata);
};

export const readMetadata = async (...where: Parameters<typeof readMetadataText>): Promise<DicomJson> =>
  JSON.parse((await readMetadataText(...where)).toString());
