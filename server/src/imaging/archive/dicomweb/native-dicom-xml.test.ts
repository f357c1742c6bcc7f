import { expect, test } from 'vitest';
import { dicomXml } from './native-dicom-xml.ts';

const opening =
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<NativeDicomModel xmlns="http://dicom.nema.org/PS3.19/models/NativeDICOM" xml:space="preserve">';
const closing = '</NativeDicomModel>';

test('writes values, names, items and bulk data as PS3.19 defines, in tag order', () => {
  const xml = dicomXml({
    '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Yamada^Tarou^^Dr', Ideographic: '山田^太郎' }] },
    '00081140': { vr: 'SQ', Value: [{ '00081155': { vr: 'UI', Value: ['1.2'] } }] },
    '00080008': { vr: 'CS', Value: ['ORIGINAL', null, 'AXIAL'] },
    '00281203': { vr: 'OW', BulkDataURI: 'https://example.org/bulk?a=1&b=2' },
    '00420011': { vr: 'OB', InlineBinary: 'JVBERg==' },
    '00080050': { vr: 'SH' },
  });

  expect(xml).toBe(
    opening +
      '<DicomAttribute tag="00080008" vr="CS" keyword="ImageType"><Value number="1">ORIGINAL</Value>' +
      '<Value number="3">AXIAL</Value></DicomAttribute>' +
      '<DicomAttribute tag="00080050" vr="SH" keyword="AccessionNumber"></DicomAttribute>' +
      '<DicomAttribute tag="00081140" vr="SQ" keyword="ReferencedImageSequence"><Item number="1">' +
      '<DicomAttribute tag="00081155" vr="UI" keyword="ReferencedSOPInstanceUID"><Value number="1">1.2</Value>' +
      '</DicomAttribute></Item></DicomAttribute>' +
      '<DicomAttribute tag="00100010" vr="PN" keyword="PatientName"><PersonName number="1">' +
      '<Alphabetic><FamilyName>Yamada</FamilyName><GivenName>Tarou</GivenName><NamePrefix>Dr</NamePrefix></Alphabetic>' +
      '<Ideographic><FamilyName>山田</FamilyName><GivenName>太郎</GivenName></Ideographic>' +
      '</PersonName></DicomAttribute>' +
      '<DicomAttribute tag="00281203" vr="OW" keyword="BluePaletteColorLookupTableData">' +
      '<BulkData uri="https://example.org/bulk?a=1&amp;b=2"/></DicomAttribute>' +
      '<DicomAttribute tag="00420011" vr="OB" keyword="EncapsulatedDocument"><InlineBinary>JVBERg==</InlineBinary>' +
      '</DicomAttribute>' +
      closing,
  );
});

test('a private element in XML names its creator', () => {
  const xml = dicomXml({
    '00290010': { vr: 'LO', Value: ['ACME "1"'] },
    '00291008': { vr: 'CS', Value: ['X'] },
  });

  expect(xml).toContain(
    '<DicomAttribute tag="00290008" vr="CS" privateCreator="ACME &quot;1&quot;"><Value number="1">X<',
  );
});

test('escapes text and omits characters that XML cannot contain', () => {
  const xml = dicomXml({ '00204000': { vr: 'LT', Value: ['a </Value><b> & "c"\u0000\u001b\ud800 é'] } });

  expect(xml).toContain('<Value number="1">a &lt;/Value&gt;&lt;b&gt; &amp; &quot;c&quot;\ufffd é</Value>');
});

test('a carriage return stays in the XML, although XML normally changes line ends', () => {
  const xml = dicomXml({ '00204000': { vr: 'LT', Value: ['one\r\ntwo\rthree'] } });

  expect(xml).toContain('<Value number="1">one&#13;\ntwo&#13;three</Value>');
});
