import type { Elements } from '@radwork/dicom/part10';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';

const world = await createWorld();

const upload = async (person: Person, elements: Elements) => {
  const { payload, headers } = form(image(elements));
  return (await person.request({ method: 'POST', url: '/api/stow-rs/studies', payload, headers })).statusCode;
};

const issuers = (person: Person) =>
  person.inScope(async ({ db }) => {
    const rows = await db.selectFrom('patients').select('issuer').orderBy('issuer').execute();
    return rows.map(({ issuer }) => issuer);
  });

const maria = { PatientID: 'P-1', PatientName: 'Alpha^Maria' };
const piotr = { PatientID: 'P-1', PatientName: 'Kowalski^Piotr' };

test('an upload gets the default issuer unless its file names an issuer, by name or by qualifiers', async () => {
  const person = await world.signIn('ADMIN');
  await person.inScope(({ db }) => db.updateTable('tenants').set({ upload_issuer: 'NORTH' }).execute());

  await upload(person, maria);
  await upload(person, { ...maria, IssuerOfPatientID: 'EAST' });
  await upload(person, {
    ...maria,
    IssuerOfPatientIDQualifiersSequence: [{ UniversalEntityID: '1.2.3.4', UniversalEntityIDType: 'ISO' }],
  });

  expect(await issuers(person)).toEqual(['1.2.3.4', 'EAST', 'NORTH']);
});

test('one tenant separates patients of two hospitals with the same IDs by the sending device', async () => {
  const person = await world.signIn('ADMIN');
  const [north, south] = [newId(), newId()];
  const titles = { called_ae_title: `R${person.tenant.id}`, port: null, description: '' };
  await person.inScope(({ db }) =>
    db
      .insertInto('application_entities')
      .values([
        { id: north, ...titles, calling_ae_title: 'NORTH', issuer: 'NORTH' },
        { id: south, ...titles, calling_ae_title: 'SOUTH', issuer: 'SOUTH' },
      ])
      .execute(),
  );
  const send = (id: string, elements: Elements) => {
    const { name, bytes } = image(elements);
    const body = (async function* () {
      yield bytes;
    })();
    return storeInstances(world.context, person.session, [{ name, body }], { fileSource: { kind: 'DEVICE', id } });
  };

  await send(north, maria);
  await send(south, piotr);

  const questions = await person.inScope(({ db }) => db.selectFrom('identity_questions').select('id').execute());
  expect(await issuers(person)).toEqual(['NORTH', 'SOUTH']);
  expect(questions).toEqual([]);
});
