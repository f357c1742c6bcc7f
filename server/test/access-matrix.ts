/**
 * The expected reply to each type of caller, written by hand for review. `access-matrix.test.ts` makes every call of
 * the server's OpenAPI document in every way listed here and compares the replies. It does not read the contract, so
 * a permission changed there by mistake is found here.
 *
 * Each line is one operation, with these columns:
 * - asks for: a permission, "authenticated" for any session, or "public"
 * - anonymous: the reply without a session
 * - own: the replies to users about data of their tenant, by type of user: SUPER_ADMIN, ADMIN, RADIOLOGIST,
 *   REFERRING_PHYSICIAN, PATIENT
 * - elsewhere: the reply about data of another tenant, identical to that about missing data. "none" when the URL
 *   names no data, or when it names a tenant, which is for super administrators
 * - header: the reply to other users than super administrators who name another tenant in x-tenantid
 * - visitor: the reply to a super administrator of another tenant who names this one in x-tenantid
 *
 * A number is a status. 403 means "Access denied" before body and ids are read. Two other values occur for calls that
 * change data. With "may" the caller is let in, and the body decides the result. With "rule" the caller is let in but
 * gets 403, because the work belongs to another user.
 */
const table = `
about                                                                    asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/about                                                        public           200       200  200  200  200  200   none      none   none

account                                                                  asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/account                                                      authenticated    401       200  200  200  200  200   none      403    200
PUT    /api/account                                                      authenticated    401       may  may  may  may  may   none      403    may
POST   /api/account/second-factor                                        authenticated    401       may  may  may  may  may   none      403    may
POST   /api/account/second-factor/confirm                                authenticated    401       may  may  may  may  may   none      403    may
POST   /api/account/second-factor/recovery-codes                         authenticated    401       may  may  may  may  may   none      403    may
POST   /api/account/second-factor/remove                                 authenticated    401       may  may  may  may  may   none      403    may
GET    /api/account/sessions                                             authenticated    401       200  200  200  200  200   none      403    200
POST   /api/account/sessions/end                                         authenticated    401       may  may  may  may  may   none      403    may
DELETE /api/account/sessions/{id}                                        authenticated    401       may  may  may  may  may   404       403    may
PUT    /api/account/signature                                            report.finalize  401       403  403  may  403  403   none      403    403
POST   /api/account/signature/remove                                     report.finalize  401       403  403  may  403  403   none      403    403
GET    /api/account/signing                                              authenticated    401       200  200  200  200  200   none      403    200
GET    /api/account/signing-means                                        report.finalize  401       403  403  200  403  403   none      403    403
PUT    /api/account/signing-pin                                          report.finalize  401       403  403 rule  403  403   none      403    403
POST   /api/account/signing-pin/remove                                   report.finalize  401       403  403 rule  403  403   none      403    403
POST   /api/account/signing/code                                         authenticated    401       may  may  may  may  may   none      403    may
POST   /api/account/signing/mail                                         authenticated    401       may  may  may  may  may   none      403    may
POST   /api/account/signing/prove                                        authenticated    401       may  may  may  may  may   none      403    may

application-entities                                                     asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/application-entities                                         config.manage    401       200  200  403  403  403   none      403    200
POST   /api/application-entities                                         config.manage    401       may  may  403  403  403   none      403    may
PUT    /api/application-entities/{id}                                    config.manage    401       may  may  403  403  403   404       403    may
DELETE /api/application-entities/{id}                                    config.manage    401       may  may  403  403  403   404       403    may

atlas                                                                    asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/atlas                                                        staff            401       200  200  200  200  403   none      403    200
POST   /api/atlas                                                        atlas.manage     401       may  may  may  403  403   none      403    may
GET    /api/atlas/{id}                                                   staff            401       200  200  200  200  403   404       403    200
PUT    /api/atlas/{id}                                                   atlas.manage     401       may  may  may  403  403   404       403    may
DELETE /api/atlas/{id}                                                   atlas.manage     401       may  may  may  403  403   404       403    may
DELETE /api/atlas/{id}/files/{fileId}                                    atlas.manage     401       may  may  may  403  403   404       403    may

audit                                                                    asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/audit                                                        audit.view       401       200  200  403  403  403   none      403    200
GET    /api/audit/export                                                 audit.view       401       200  200  403  403  403   none      403    200
GET    /api/audit/people                                                 audit.view       401       200  200  403  403  403   none      403    200
POST   /api/audit/verify                                                 audit.view       401       may  may  403  403  403   none      403    may

auth                                                                     asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/auth/facts                                                   public           200       200  200  200  200  200   none      none   none
POST   /api/auth/forget                                                  public           200       200  200  200  200  200   none      none   none
POST   /api/auth/forgot-password                                         public           400       400  400  400  400  400   none      none   none
POST   /api/auth/login                                                   public           401       401  401  401  401  401   none      none   none
POST   /api/auth/logout                                                  authenticated    401       may  may  may  may  may   none      403    may
POST   /api/auth/password-links/check                                    public           400       400  400  400  400  400   none      none   none
POST   /api/auth/password-links/use                                      public           400       400  400  400  400  400   none      none   none
GET    /api/auth/sso                                                     public           200       200  200  200  200  200   none      none   none
GET    /api/auth/sso/callback                                            public           303       303  303  303  303  303   none      none   none
POST   /api/auth/sso/confirm                                             authenticated    401       may  may  may  may  may   none      403    may
POST   /api/auth/sso/exchange                                            public           401       401  401  401  401  401   none      none   none
GET    /api/auth/sso/{subdomain}/start                                   public           303       303  303  303  303  303   none      none   none
POST   /api/auth/validate                                                public           401       401  401  401  401  401   none      none   none

chat                                                                     asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/chat/conversation/{conversationId}                           chat.use         401       200  200  200  200  403   404       403    200
GET    /api/chat/conversation/{conversationId}/people                    chat.use         401       200  200  200  200  403   404       403    200
PUT    /api/chat/conversation/{conversationId}/read                      chat.use         401       may  may  may  may  403   404       403    may
DELETE /api/chat/messages/{messageId}                                    chat.use         401       rule rule may  rule 403   404       403    403
POST   /api/chat/send                                                    chat.use         401       may  may  may  may  403   none      403    may

configurations                                                           asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/configurations                                               study.import     401       200  200  200  403  403   none      403    200
POST   /api/configurations                                               config.manage    401       may  may  403  403  403   none      403    may
POST   /api/configurations/test                                          config.manage    401       may  may  403  403  403   none      403    may
GET    /api/configurations/{id}                                          config.manage    401       200  200  403  403  403   404       403    200
PUT    /api/configurations/{id}                                          config.manage    401       may  may  403  403  403   404       403    may
PATCH  /api/configurations/{id}                                          config.manage    401       may  may  403  403  403   404       403    may
DELETE /api/configurations/{id}                                          config.manage    401       may  may  403  403  403   404       403    may
POST   /api/configurations/{id}/test                                     config.manage    401       may  may  403  403  403   404       403    may

critical-contacts                                                        asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/critical-contacts                                            config.manage    401       200  200  403  403  403   none      403    200
PUT    /api/critical-contacts                                            config.manage    401       may  may  403  403  403   none      403    may

critical-findings                                                        asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/critical-findings                                            report.view      401       200  200  200  200  403   none      403    200
GET    /api/critical-findings/{id}                                       report.view      401       200  200  200  200  403   404       403    200
POST   /api/critical-findings/{id}/acknowledgement                       report.view      401       rule rule rule rule 403   404       403    403
POST   /api/critical-findings/{id}/acknowledgement-in-report             report.view      401       rule rule rule rule 403   404       403    403
POST   /api/critical-findings/{id}/communications                        critical.manage  401       403  403  may  403  403   404       403    403
GET    /api/critical-findings/{id}/recipients                            critical.manage  401       403  403  200  403  403   404       403    403
POST   /api/critical-findings/{id}/withdrawal                            critical.manage  401       403  403  may  403  403   404       403    403

dashboard                                                                asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/dashboard                                                    dashboard.view   401       200  200  200  200  403   none      403    200
GET    /api/dashboard/export                                             dashboard.view   401       200  200  200  200  403   none      403    200

external                                                                 asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
POST   /api/external/reports                                             report.send      401       may  may  may  403  403   none      403    may
GET    /api/external/reports/destinations                                report.send      401       200  200  200  403  403   none      403    200

files                                                                    asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/files/{id}/download                                          staff            401       200  200  200  200  403   404       403    200
GET    /api/files/{id}/rendered                                          staff            401       406  406  406  406  403   404       403    406

gemini                                                                   asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
POST   /api/gemini/generate                                              report.edit      401       403  403  may  403  403   none      403    403
POST   /api/gemini/medical-report                                        report.edit      401       403  403  may  403  403   none      403    403

guidelines                                                               asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/guidelines                                                   staff            401       200  200  200  200  403   none      403    200
POST   /api/guidelines                                                   guideline.manage 401       may  may  may  403  403   none      403    may
GET    /api/guidelines/{id}                                              staff            401       200  200  200  200  403   404       403    200
PUT    /api/guidelines/{id}                                              guideline.manage 401       may  may  may  403  403   404       403    may
DELETE /api/guidelines/{id}                                              guideline.manage 401       may  may  may  403  403   404       403    may
DELETE /api/guidelines/{id}/files/{fileId}                               guideline.manage 401       may  may  may  403  403   404       403    may

health                                                                   asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /health/live                                                      public           200       200  200  200  200  200   none      none   none
GET    /health/ready                                                     public           200       200  200  200  200  200   none      none   none

identities                                                               asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/identities                                                   patient.merge    401       200  200  403  403  403   none      403    200
GET    /api/identities/count                                             patient.merge    401       200  200  403  403  403   none      403    200
POST   /api/identities/{id}/decision                                     patient.merge    401       may  may  403  403  403   404       403    may
POST   /api/identities/{id}/undo                                         patient.merge    401       may  may  403  403  403   404       403    may

kept-layouts                                                             asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/kept-layouts                                                 study.view       401       200  200  200  200  403   none      403    200
PUT    /api/kept-layouts                                                 study.view       401       may  may  may  may  403   none      403    may
DELETE /api/kept-layouts                                                 study.view       401       may  may  may  may  403   none      403    may

key-images                                                               asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/key-images/for-study/{id}                                    study.view       401       200  200  200  200  403   404       403    200
GET    /api/key-images/for-study/{id}/export                             study.export     401       200  200  200  403  403   404       403    200
POST   /api/key-images/for-study/{id}/store                              report.edit      401       403  403  may  403  403   404       403    403
PUT    /api/key-images/for-study/{id}/{keyImageId}                       report.edit      401       403  403  may  403  403   404       403    403
DELETE /api/key-images/for-study/{id}/{keyImageId}                       report.edit      401       403  403  may  403  403   404       403    403
GET    /api/key-images/for-study/{id}/{keyImageId}/picture               report.edit      401       403  403  200  403  403   404       403    403

knowledge                                                                asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/knowledge/for-study/{id}                                     study.view       401       200  200  200  200  403   404       403    200

live                                                                     asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/live                                                         authenticated    401       200  200  200  200  204   none      403    200

macros                                                                   asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/macros                                                       report.view      401       200  200  200  200  403   none      403    200
POST   /api/macros                                                       report.view      401       rule rule may  rule 403   none      403    403
PUT    /api/macros/{id}                                                  report.view      401       may  may  rule rule 403   404       403    may
DELETE /api/macros/{id}                                                  report.view      401       may  may  rule rule 403   404       403    may

measurements                                                             asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/measurements/for-study/{id}                                  study.view       401       200  200  200  200  403   404       403    200
GET    /api/measurements/for-study/{id}/export                           study.export     401       200  200  200  403  403   404       403    200
POST   /api/measurements/for-study/{id}/store                            report.edit      401       403  403  may  403  403   404       403    403
PUT    /api/measurements/for-study/{id}/{measurementId}                  report.edit      401       403  403  may  403  403   404       403    403
DELETE /api/measurements/for-study/{id}/{measurementId}                  report.edit      401       403  403  may  403  403   404       403    403

notifications                                                            asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/notifications                                                authenticated    401       200  200  200  200  200   none      403    200
DELETE /api/notifications/clear-all                                      authenticated    401       may  may  may  may  may   none      403    may
PUT    /api/notifications/mark-all-read                                  authenticated    401       may  may  may  may  may   none      403    may
GET    /api/notifications/preferences                                    authenticated    401       200  200  200  200  200   none      403    200
PUT    /api/notifications/preferences                                    authenticated    401       may  may  may  may  may   none      403    403
PUT    /api/notifications/removals/{id}/restore                          authenticated    401       may  may  may  may  may   404       403    may
DELETE /api/notifications/{id}                                           authenticated    401       may  may  may  may  may   404       403    may
PUT    /api/notifications/{id}/mark-read                                 authenticated    401       may  may  may  may  may   404       403    may

openapi.json                                                             asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/openapi.json                                                 authenticated    401       200  200  200  200  200   none      403    200

organisation                                                             asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/organisation                                                 config.manage    401       200  200  403  403  403   none      403    200
PUT    /api/organisation                                                 config.manage    401       may  may  403  403  403   none      403    may
GET    /api/organisation/brand                                           public           200       200  200  200  200  200   none      none   none

outreach                                                                 asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/outreach                                                     authenticated    401       200  200  200  200  200   none      403    200
PUT    /api/outreach                                                     authenticated    401       may  may  may  may  may   none      403    403
POST   /api/outreach/devices                                             authenticated    401       may  may  may  may  may   none      403    403
DELETE /api/outreach/devices/{id}                                        authenticated    401       may  may  may  may  may   404       403    may

patients                                                                 asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/patients                                                     patient.view     401       200  200  200  200  403   none      403    200
POST   /api/patients                                                     patient.edit     401       may  may  may  403  403   none      403    may
GET    /api/patients/{id}                                                patient.view     401       200  200  200  200  403   404       403    200
PUT    /api/patients/{id}                                                patient.edit     401       may  may  may  403  403   404       403    may
DELETE /api/patients/{id}                                                patient.edit     401       may  may  may  403  403   404       403    may
GET    /api/patients/{id}/differences                                    patient.edit     401       200  200  200  403  403   404       403    200
POST   /api/patients/{id}/differences/accept                             patient.edit     401       may  may  may  403  403   404       403    may
POST   /api/patients/{id}/differences/dismiss                            patient.edit     401       may  may  may  403  403   404       403    may
GET    /api/patients/{id}/duplicates                                     patient.merge    401       200  200  403  403  403   404       403    200
POST   /api/patients/{id}/former-ids/release                             patient.edit     401       may  may  may  403  403   404       403    may
GET    /api/patients/{id}/merge-preview/{sourceId}                       patient.merge    401       200  200  403  403  403   404       403    200
GET    /api/patients/{id}/merges                                         patient.edit     401       200  200  200  403  403   404       403    200
POST   /api/patients/{id}/merges                                         patient.merge    401       may  may  403  403  403   404       403    may
POST   /api/patients/{id}/merges/{mergeId}/undo                          patient.merge    401       may  may  403  403  403   404       403    may
POST   /api/patients/{id}/moves                                          patient.merge    401       may  may  403  403  403   404       403    may
GET    /api/patients/{id}/reports                                        report.view      401       200  200  200  200  403   404       403    200

permissions                                                              asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/permissions                                                  role.manage      401       200  403  403  403  403   none      403    200

portal                                                                   asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/portal/report/{hash}                                         public           200       200  200  200  200  200   none      none   none
POST   /api/portal/report/{hash}                                         public           200       200  200  200  200  200   none      none   none
POST   /api/portal/report/{hash}/pdf                                     public           200       200  200  200  200  200   none      none   none

queue-jobs                                                               asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/queue-jobs                                                   study.import     401       200  200  200  403  403   none      403    200
POST   /api/queue-jobs                                                   study.import     401       may  may  may  403  403   none      403    may
GET    /api/queue-jobs/{id}                                              study.import     401       200  200  200  403  403   404       403    200
POST   /api/queue-jobs/{id}/cancel                                       study.import     401       may  may  may  403  403   404       403    may
POST   /api/queue-jobs/{id}/retry                                        study.import     401       may  may  may  403  403   404       403    may

remote                                                                   asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
POST   /api/remote/connections                                           study.import     401       may  may  may  403  403   none      403    may
GET    /api/remote/search                                                study.import     401       400  400  400  403  403   none      403    400

report-pictures                                                          asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
POST   /api/report-pictures/fetch                                        report.edit      401       403  403  may  403  403   none      403    403

reporting-settings                                                       asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/reporting-settings                                           authenticated    401       200  200  200  200  200   none      403    200
GET    /api/reporting-settings/all                                       config.manage    401       200  200  403  403  403   none      403    200
PUT    /api/reporting-settings/all                                       config.manage    401       may  may  403  403  403   none      403    may
POST   /api/reporting-settings/test                                      config.manage    401       may  may  403  403  403   none      403    may

reports                                                                  asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/reports                                                      report.view      401       200  200  200  200  403   none      403    200
GET    /api/reports/views                                                report.view      401       200  200  200  200  403   none      403    200
GET    /api/reports/{id}                                                 report.view      401       200  200  200  200  403   404       403    200
POST   /api/reports/{id}/addenda                                         report.finalize  401       403  403  may  403  403   404       403    403
PUT    /api/reports/{id}/addenda/{addendumId}                            report.finalize  401       403  403  may  403  403   404       403    403
DELETE /api/reports/{id}/addenda/{addendumId}                            report.finalize  401       403  403  may  403  403   404       403    403
POST   /api/reports/{id}/addenda/{addendumId}/finalize                   report.finalize  401       403  403  may  403  403   404       403    403
GET    /api/reports/{id}/checks                                          report.edit      401       403  403  200  403  403   404       403    403
GET    /api/reports/{id}/deliveries                                      report.send      401       200  200  200  403  403   404       403    200
POST   /api/reports/{id}/deliveries/{deliveryId}/retry                   report.send      401       may  may  may  403  403   404       403    may
GET    /api/reports/{id}/link                                            report.share     401       200  200  200  403  403   404       403    200
POST   /api/reports/{id}/link                                            report.share     401       may  may  may  403  403   404       403    403
DELETE /api/reports/{id}/link                                            report.share     401       may  may  may  403  403   404       403    403
GET    /api/reports/{id}/link/opens                                      report.share     401       200  200  200  403  403   404       403    200
GET    /api/reports/{id}/link/terms                                      report.share     401       200  200  200  403  403   404       403    200
GET    /api/reports/{id}/pdf                                             report.view      401       200  200  200  200  403   404       403    200
GET    /api/reports/{id}/reviewers                                       report.view      401       200  200  200  200  403   404       403    200
POST   /api/reports/{id}/store-in-study                                  report.send      401       may  may  may  403  403   404       403    may
GET    /api/reports/{id}/versions/{version}                              report.view      401       200  200  200  200  403   404       403    200

roles                                                                    asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/roles                                                        role.manage      401       200  403  403  403  403   none      403    200
POST   /api/roles                                                        role.manage      401       may  403  403  403  403   none      403    may
GET    /api/roles/{id}                                                   role.manage      401       200  403  403  403  403   404       403    200
PUT    /api/roles/{id}                                                   role.manage      401       may  403  403  403  403   404       403    may
DELETE /api/roles/{id}                                                   role.manage      401       may  403  403  403  403   404       403    may
POST   /api/roles/{id}/clone                                             role.manage      401       may  403  403  403  403   404       403    may

saved-pictures                                                           asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
POST   /api/saved-pictures/for-study/{id}                                study.export     401       may  may  may  403  403   404       403    may

search                                                                   asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/search                                                       staff            401       400  400  400  400  403   none      403    400

setup                                                                    asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
POST   /api/setup                                                        public           404       404  404  404  404  404   none      none   none
POST   /api/setup/check                                                  public           404       404  404  404  404  404   none      none   none

single-sign-on                                                           asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/single-sign-on                                               config.manage    401       200  200  403  403  403   none      403    200
PUT    /api/single-sign-on                                               config.manage    401       may  may  403  403  403   none      403    may
GET    /api/single-sign-on/arrivals                                      user.manage      401       200  200  403  403  403   none      403    200
DELETE /api/single-sign-on/arrivals/{arrivalId}                          user.manage      401       may  may  403  403  403   404       403    may
POST   /api/single-sign-on/arrivals/{arrivalId}/link                     user.manage      401       may  may  403  403  403   404       403    may
GET    /api/single-sign-on/identities                                    user.manage      401       200  200  403  403  403   none      403    200
DELETE /api/single-sign-on/identities/{identityId}                       user.manage      401       may  may  403  403  403   404       403    may
POST   /api/single-sign-on/test                                          config.manage    401       may  may  403  403  403   none      403    may

studies                                                                  asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/studies                                                      study.view       401       200  200  200  200  403   none      403    200
POST   /api/studies                                                      study.create     401       may  may  may  403  403   none      403    may
GET    /api/studies/deleted                                              study.delete     401       200  200  403  403  403   none      403    200
GET    /api/studies/patient/{id}                                         study.view       401       200  200  200  200  403   404       403    200
GET    /api/studies/pending                                              study.view       401       200  200  200  200  403   none      403    200
GET    /api/studies/recent                                               study.view       401       200  200  200  200  403   none      403    200
GET    /api/studies/search                                               study.view       401       200  200  200  200  403   none      403    200
GET    /api/studies/uid/{studyUid}                                       study.view       401       200  200  200  200  403   404       403    200
GET    /api/studies/views                                                study.view       401       200  200  200  200  403   none      403    200
GET    /api/studies/{id}                                                 study.view       401       200  200  200  200  403   404       403    200
PUT    /api/studies/{id}                                                 study.edit       401       may  may  may  403  403   404       403    may
DELETE /api/studies/{id}                                                 study.delete     401       may  may  403  403  403   404       403    may
GET    /api/studies/{id}/ai-passages                                     report.edit      401       403  403  200  403  403   404       403    403
POST   /api/studies/{id}/ai-passages/{passageId}/decision                report.edit      401       403  403  may  403  403   404       403    403
GET    /api/studies/{id}/audit                                           study.view       401       200  200  200  200  403   404       403    200
GET    /api/studies/{id}/critical-findings                               report.view      401       200  200  200  200  403   404       403    200
GET    /api/studies/{id}/kept-texts                                      report.edit      401       403  403  200  403  403   404       403    403
PUT    /api/studies/{id}/legal-hold                                      study.delete     401       may  may  403  403  403   404       403    may
GET    /api/studies/{id}/move-preview/{patientId}                        patient.merge    401       200  200  403  403  403   404       403    200
GET    /api/studies/{id}/priors                                          study.view       401       200  200  200  200  403   404       403    200
PUT    /api/studies/{id}/reading-lock                                    report.edit      401       403  403  may  403  403   404       403    403
DELETE /api/studies/{id}/reading-lock                                    report.edit      401       403  403  may  403  403   404       403    403
PUT    /api/studies/{id}/reading-lock/beat                               report.edit      401       403  403  may  403  403   404       403    403
GET    /api/studies/{id}/report                                          report.view      401       200  200  200  200  403   404       403    200
GET    /api/studies/{id}/report-check-facts                              report.edit      401       403  403  200  403  403   404       403    403
POST   /api/studies/{id}/restore                                         study.delete     401       may  may  403  403  403   404       403    may
GET    /api/studies/{id}/series                                          study.view       401       200  200  200  200  403   404       403    200
GET    /api/studies/{id}/tags                                            study.view       401       200  200  200  200  403   404       403    200
GET    /api/studies/{id}/template-facts                                  report.create    401       403  403  200  403  403   404       403    403

templates                                                                asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/templates                                                    report.view      401       200  200  200  200  403   none      403    200
POST   /api/templates                                                    template.manage  401       may  may  403  403  403   none      403    may
GET    /api/templates/global                                             report.view      401       200  200  200  200  403   none      403    200
POST   /api/templates/global                                             tenant.manage    401       may  403  403  403  403   none      403    may
PUT    /api/templates/global/{id}                                        tenant.manage    401       may  403  403  403  403   404       403    may
DELETE /api/templates/global/{id}                                        tenant.manage    401       may  403  403  403  403   404       403    may
POST   /api/templates/global/{id}/copies                                 template.manage  401       may  may  403  403  403   404       403    may
GET    /api/templates/modality/{modality}                                report.view      401       200  200  200  200  403   none      403    200
POST   /api/templates/mrrt                                               template.manage  401       may  may  403  403  403   none      403    may
GET    /api/templates/{id}                                               report.view      401       200  200  200  200  403   404       403    200
PUT    /api/templates/{id}                                               template.manage  401       may  may  403  403  403   404       403    may
DELETE /api/templates/{id}                                               template.manage  401       may  may  403  403  403   404       403    may
POST   /api/templates/{id}/uses                                          report.create    401       403  403  may  403  403   404       403    403
GET    /api/templates/{id}/versions                                      report.view      401       200  200  200  200  403   404       403    200

tenants                                                                  asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/tenants                                                      tenant.manage    401       200  403  403  403  403   none      403    200
POST   /api/tenants                                                      tenant.manage    401       may  403  403  403  403   none      403    may
GET    /api/tenants/{id}                                                 tenant.manage    401       200  403  403  403  403   none      403    200
PUT    /api/tenants/{id}                                                 tenant.manage    401       may  403  403  403  403   none      403    may
GET    /api/tenants/{id}/export                                          tenant.manage    401       200  403  403  403  403   none      403    200
PUT    /api/tenants/{id}/status                                          tenant.manage    401       may  403  403  403  403   none      403    may
GET    /api/tenants/{id}/unproven-signing                                tenant.manage    401       200  403  403  403  403   none      403    200
PUT    /api/tenants/{id}/unproven-signing                                tenant.manage    401       may  403  403  403  403   none      403    may
GET    /api/tenants/{id}/users                                           user.manage      401       200  200  403  403  403   none      403    200

users                                                                    asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/users                                                        user.manage      401       200  200  403  403  403   none      403    200
POST   /api/users                                                        user.manage      401       may  may  403  403  403   none      403    may
GET    /api/users/assignable                                             study.assign     401       400  400  400  403  403   none      403    400
GET    /api/users/role-choices                                           user.manage      401       200  200  403  403  403   none      403    200
GET    /api/users/search                                                 user.manage      401       200  200  403  403  403   none      403    200
GET    /api/users/{id}                                                   user.manage      401       200  200  403  403  403   404       403    200
PUT    /api/users/{id}                                                   user.manage      401       may  may  403  403  403   404       403    may
DELETE /api/users/{id}                                                   user.manage      401       may  may  403  403  403   404       403    may
PUT    /api/users/{id}/password                                          authenticated    401       rule rule rule rule rule  404       403    403
POST   /api/users/{id}/reset-password                                    user.manage      401       may  may  403  403  403   404       403    may
POST   /api/users/{id}/reset-second-factor                               user.manage      401       may  may  403  403  403   404       403    may
GET    /api/users/{id}/signing                                           user.manage      401       200  200  403  403  403   404       403    200
POST   /api/users/{id}/signing/confirm                                   user.manage      401       may  may  403  403  403   404       403    may
PUT    /api/users/{id}/roles                                             user.manage      401       may  may  403  403  403   404       403    may
PUT    /api/users/{id}/status                                            user.manage      401       may  may  403  403  403   404       403    may
PUT    /api/users/{id}/tenant                                            tenant.manage    401       may  403  403  403  403   404       403    may

webhooks                                                                 asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/webhooks                                                     config.manage    401       200  200  403  403  403   none      403    200
POST   /api/webhooks                                                     config.manage    401       may  may  403  403  403   none      403    may
PUT    /api/webhooks/{id}                                                config.manage    401       may  may  403  403  403   404       403    may
DELETE /api/webhooks/{id}                                                config.manage    401       may  may  403  403  403   404       403    may
POST   /api/webhooks/{id}/retry                                          config.manage    401       may  may  403  403  403   404       403    may
POST   /api/webhooks/{id}/test                                           config.manage    401       may  may  403  403  403   404       403    may

workflow                                                                 asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
POST   /api/workflow/reports/draft/{id}                                  report.create    401       403  403  may  403  403   404       403    403
POST   /api/workflow/reports/{id}/critical-findings                      critical.manage  401       403  403  may  403  403   404       403    403
POST   /api/workflow/reports/{id}/draft                                  report.edit      401       403  403  may  403  403   404       403    403
POST   /api/workflow/reports/{id}/finalize                               report.finalize  401       403  403  may  403  403   404       403    403
POST   /api/workflow/reports/{id}/request-review                         report.edit      401       403  403  may  403  403   404       403    403
POST   /api/workflow/reports/{id}/reroute-review                         study.assign     401       may  may  may  403  403   404       403    403
POST   /api/workflow/reports/{id}/submit-review                          report.review    401       403  403  rule 403  403   404       403    403
GET    /api/workflow/studies/{id}                                        study.view       401       200  200  200  200  403   404       403    200
POST   /api/workflow/studies/{id}/assignments                            study.assign     401       may  may  may  403  403   404       403    403
DELETE /api/workflow/studies/{id}/assignments/{userId}                   study.assign     401       may  may  may  403  403   404       403    403
PUT    /api/workflow/studies/{id}/assignments/{userId}/complete          study.view       401       may  may  may  rule 403   404       403    403
PUT    /api/workflow/studies/{id}/assignments/{userId}/due-date          study.assign     401       may  may  may  403  403   404       403    403
GET    /api/workflow/studies/{id}/history                                study.view       401       200  200  200  200  403   404       403    200
GET    /api/workflow/studies/{id}/history/export                         study.view       401       200  200  200  200  403   404       403    200
PUT    /api/workflow/studies/{id}/kept-text                              report.edit      401       403  403  may  403  403   404       403    403
DELETE /api/workflow/studies/{id}/kept-text                              report.edit      401       403  403  may  403  403   404       403    403
POST   /api/workflow/studies/{id}/reinstate                              tenant.manage    401       may  403  403  403  403   404       403    403
PUT    /api/workflow/studies/{id}/status                                 study.status     401       may  may  may  403  403   404       403    403

DICOMweb                                                                 asks for         anonymous SUPE ADMI RADI REFE PATI  elsewhere header visitor
GET    /api/qido-rs/instances                                            study.view       401       200  200  200  200  403   none      403    200
GET    /api/qido-rs/series                                               study.view       401       200  200  200  200  403   none      403    200
GET    /api/qido-rs/studies                                              study.view       401       200  200  200  200  403   none      403    200
GET    /api/qido-rs/studies/{studyUid}/instances                         study.view       401       200  200  200  200  403   404       403    200
GET    /api/qido-rs/studies/{studyUid}/series                            study.view       401       200  200  200  200  403   404       403    200
GET    /api/qido-rs/studies/{studyUid}/series/{seriesUid}/instances      study.view       401       200  200  200  200  403   404       403    200
POST   /api/stow-rs/studies                                              study.create     401       may  may  may  403  403   none      403    may
POST   /api/stow-rs/studies/{studyUid}                                   study.create     401       may  may  may  403  403   415       403    may
GET    /api/wado-rs/studies/{studyUid}                                   study.view       401       200  200  200  200  403   404       403    200
DELETE /api/wado-rs/studies/{studyUid}                                   study.delete     401       may  may  403  403  403   404       403    may
GET    /api/wado-rs/studies/{studyUid}/metadata                          study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/rendered                          study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}                study.view       401       200  200  200  200  403   404       403    200
DELETE /api/wado-rs/studies/{studyUid}/series/{seriesUid}                study.delete     401       may  may  403  403  403   405       403    may
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid} study.view       401       200  200  200  200  403   404       403    200
DELETE /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid} study.delete     401       may  may  403  403  403   405       403    may
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/bulkdata/{rest} study.view       401       404  404  404  404  403   404       403    404
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames} study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/rendered study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/thumbnail study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/metadata study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/rendered study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/thumbnail study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/metadata       study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/rendered       study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/thumbnail      study.view       401       200  200  200  200  403   404       403    200
GET    /api/wado-rs/studies/{studyUid}/thumbnail                         study.view       401       200  200  200  200  403   404       403    200
POST   /api/wado-rs/studies/{studyUid}/thumbnail                         study.view       401       may  may  may  may  403   404       403    403
GET    /dicom-web/instances                                              study.view       401       200  200  200  200  403   none      403    200
GET    /dicom-web/series                                                 study.view       401       200  200  200  200  403   none      403    200
GET    /dicom-web/studies                                                study.view       401       200  200  200  200  403   none      403    200
POST   /dicom-web/studies                                                study.create     401       may  may  may  403  403   none      403    may
GET    /dicom-web/studies/{studyUid}                                     study.view       401       200  200  200  200  403   404       403    200
POST   /dicom-web/studies/{studyUid}                                     study.create     401       may  may  may  403  403   415       403    may
DELETE /dicom-web/studies/{studyUid}                                     study.delete     401       may  may  403  403  403   404       403    may
GET    /dicom-web/studies/{studyUid}/instances                           study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/metadata                            study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/rendered                            study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series                              study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}                  study.view       401       200  200  200  200  403   404       403    200
DELETE /dicom-web/studies/{studyUid}/series/{seriesUid}                  study.delete     401       may  may  403  403  403   405       403    may
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances        study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid} study.view       401       200  200  200  200  403   404       403    200
DELETE /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid} study.delete     401       may  may  403  403  403   405       403    may
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/bulkdata/{rest} study.view       401       404  404  404  404  403   404       403    404
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames} study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/rendered study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/thumbnail study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/metadata study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/rendered study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/thumbnail study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/metadata         study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/rendered         study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/thumbnail        study.view       401       200  200  200  200  403   404       403    200
GET    /dicom-web/studies/{studyUid}/thumbnail                           study.view       401       200  200  200  200  403   404       403    200
POST   /dicom-web/studies/{studyUid}/thumbnail                           study.view       401       may  may  may  may  403   404       403    403
`;

/** The expected replies of one operation. */
export type Line = {
  operation: string;
  /** The required permission. */
  access: string;
  anonymous: string;
  /** The reply to each type of user, in the order of `userTypes`. */
  own: string[];
  elsewhere: string;
  withHeader: string;
  visitor: string;
};

const lineOf = (text: string): Line => {
  const words = text.trim().split(/ +/);
  const [method, path, access, anonymous, ...rest] = words;
  const [elsewhere, withHeader, visitor] = rest.slice(5);
  if (!access || !anonymous || !elsewhere || !withHeader || !visitor || words.length !== 12) {
    throw new Error(`A line of the access matrix has twelve words: ${text}`);
  }
  return { operation: `${method} ${path}`, access, anonymous, own: rest.slice(0, 5), elsewhere, withHeader, visitor };
};

export const accessMatrix: readonly Line[] = table
  .split('\n')
  .filter((line) => /^\s*(GET|POST|PUT|PATCH|DELETE) /.test(line))
  .map(lineOf);
