const { metaData, registerDefaultProviders } = await import('@cornerstonejs/metadata');
registerDefaultProviders?.();
let n = 0;
const show = (what, header, frame = 1) => {
  const id = `wadors:/studies/1/series/1/instances/1.2.${n++}/frames/${frame}`;
  metaData.addMetaData('naturalized', id.replace(/frames\/\d+/, 'frames/1'), {
    dicomwebJson: {
      '00080060': { vr: 'CS', Value: ['MR'] },
      '00280010': { vr: 'US', Value: [4] },
      '00280011': { vr: 'US', Value: [4] },
      ...header,
    },
  });
  console.log(
    what,
    JSON.stringify(metaData.get('voiLutModule', id)),
    JSON.stringify(metaData.get('modalityLutModule', id)),
  );
};
const ds = (...Value) => ({ vr: 'DS', Value });
const cs = (...Value) => ({ vr: 'CS', Value });
const sq = (...Value) => ({ vr: 'SQ', Value });
show('plain', { '00281050': ds(40), '00281051': ds(400) });
show('several', { '00281050': ds(40, 50), '00281051': ds(400, 500), '00281056': cs('LINEAR_EXACT') });
show('sigmoid', { '00281050': ds(40), '00281051': ds(400), '00281056': cs('SIGMOID') });
show('zero center', { '00281050': ds(0), '00281051': ds(400) });
show('string', { '00281050': ds('40'), '00281051': ds('400'), '00281052': ds('-1024'), '00281053': ds('1') });
show('slope', { '00281052': ds(-1024), '00281053': ds(0.5) });
show('slope zero', { '00281052': ds(-1024), '00281053': ds(0) });
const pvt = (slope, int) => sq({ '00281053': ds(slope), '00281052': ds(int), '00281054': { vr: 'LO', Value: ['US'] } });
const voi = (c, w, f) => sq({ '00281050': ds(c), '00281051': ds(w), ...(f && { '00281056': cs(f) }) });
const enh = {
  '00280008': { vr: 'IS', Value: [3] },
  52009229: sq({}),
  52009230: sq(
    { '00289145': pvt(2, 1), '00289132': voi(10, 20) },
    { '00289145': pvt(3, 2), '00289132': voi(11, 21, 'SIGMOID') },
    { '00289145': pvt(4, 3), '00289132': voi(12, 22) },
  ),
};
show('enh1', enh, 1);
show('enh2', enh, 2);
show('enh3', enh, 3);
const shared = {
  '00280008': { vr: 'IS', Value: [3] },
  52009229: sq({ '00289145': pvt(2, 1), '00289132': voi(10, 20) }),
  52009230: sq({}, {}, { '00289132': voi(12, 22) }),
};
show('sh1', shared, 1);
show('sh3', shared, 3);
process.exit(0);
