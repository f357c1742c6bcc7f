import { globalTemplates, templateFacts, templates } from '@radwork/contract/reading/templates';
import { defineSamples, nobody } from '#test/feature-samples.ts';

const content = '<p>Text</p>';

const templateForm = { name: 'x', modality: 'CT', content };

export const samples = defineSamples({
  access: `
                                              asks for        anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/studies/{id}/template-choice  report.create   401       403  403  may  403  403  404       403    403
    GET    /api/studies/{id}/template-facts   report.create   401       403  403  200  403  403  404       403    403
    GET    /api/templates                     report.view     401       200  200  200  200  403  none      403    200
    POST   /api/templates                     template.manage 401       may  may  403  403  403  none      403    may
    GET    /api/templates/global              report.view     401       200  200  200  200  403  none      403    200
    POST   /api/templates/global              tenant.manage   401       may  403  403  403  403  none      403    may
    PUT    /api/templates/global/{id}         tenant.manage   401       may  403  403  403  403  404       403    may
    DELETE /api/templates/global/{id}         tenant.manage   401       may  403  403  403  403  404       403    may
    POST   /api/templates/global/{id}/copies  template.manage 401       may  may  403  403  403  404       403    may
    GET    /api/templates/modality/{modality} report.view     401       200  200  200  200  403  none      403    200
    POST   /api/templates/mrrt                template.manage 401       may  may  403  403  403  none      403    may
    GET    /api/templates/{id}                report.view     401       200  200  200  200  403  404       403    200
    PUT    /api/templates/{id}                template.manage 401       may  may  403  403  403  404       403    may
    DELETE /api/templates/{id}                template.manage 401       may  may  403  403  403  404       403    may
    POST   /api/templates/{id}/uses           report.create   401       403  403  may  403  403  404       403    403
    GET    /api/templates/{id}/versions       report.view     401       200  200  200  200  403  404       403    200
  `,
  unaudited: [templates.list, templates.get, templates.versions, globalTemplates.list, templates.ofModality],
  ids: { '/templates/': 'templateId' },
  values: { modality: 'CT' },
  fields: { templateId: 'templateId' },
  bodies: [
    [templateFacts.choose, { templateId: nobody }],
    [templates.create, templateForm],
    [templates.update, { ...templateForm, revision: 1 }],
    [templates.readMrrt, { html: content }],
    [globalTemplates.create, templateForm],
    [globalTemplates.update, { ...templateForm, revision: 1 }],
  ],
  after: ['studies'],
  fill: async ({ personOf, author, mark, id }) => {
    const text = `<p>${mark}</p>`;
    const sections = [{ name: mark, content: text, order: 1 }];
    const normalFindings = { bodyPart: mark, modality: 'CT', content: text };
    const template = await personOf('ADMIN').send(templates.create, {
      body: { name: mark, description: mark, modality: 'CT', bodyPart: mark, content: text, sections, normalFindings },
    });
    const templateId = template.data.id;
    await author.send(templateFacts.choose, { params: { id: id('studyId') }, body: { templateId } });
    return { templateId };
  },
});
