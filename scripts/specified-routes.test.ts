import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Routes of docs/routes.md, which `npm run routes` generates from what is mounted. */
const routes = new Set(
  [
    ...readFileSync(new URL('../docs/routes.md', import.meta.url), 'utf8').matchAll(
      /^\| ([A-Z]+) \| `([^`]+)` \|/gm,
    ),
  ].map(([, method, path]) => `${method} ${path}`),
)

const client = '/v2/emma/client/{client_id}'

/** The paths of the specification (domain.md, 1F) that are built. The conformance suites call each of them. */
const specified = [
  'R171 GET :client/campaign/',
  'R172 GET :client/campaign/{campaign_id}/click-report',
  'R173 GET :client/campaign/{campaign_id}/c-m-u-history',
  'R174 GET :client/campaign/{campaign_id}/mta-report',
  'R175 GET :client/campaign/{campaign_id}/preblock-reason',
  'R176 GET :client/campaign/{campaign_id}/report:view',
  'R177 GET :client/doi-report',
  'R178 GET :client/campaign/{campaign_id}/list:count',
  'R180 GET :client/membertable/{member_table_id}/member/',
  'R182 GET :client/message/{id}/render/{member_id}',
  'R183 POST :client/message:generate-subject',
  'R184 POST :client/message:test',
  'R186 GET :client/domain/',
  'R188 GET :client/agb-confirm',
  'R188 POST :client/agb-confirm',
  'R189 GET :client/bav-confirm',
  'R189 POST :client/bav-confirm',
  'R190 GET :client/pmt/',
  'R194 GET :client/mailclass/',
  'R195 GET /emma/campaign/',
  'R196 POST /emma/campaign/{id}/{action}',
  'R198 GET /emma/report/',
  'R199 GET /emma/report/download/{id}',
  'R201 GET /emma/message/',
  'R202 POST /emma/message/{id}/track',
  'R203 POST /emma/message/{id}/untrack',
  'R204 GET /emma/list/',
  'R205 GET /emma/list/{id}/member/',
  'R206 GET /emma/membertable/',
  'R207 GET /emma/domain/',
  'R208 GET /emma/mailclass/',
  'R209 GET /emma/blacklist/',
  'R211 GET /emma/testaddress/',
  'R214 GET /emma/capping/',
  'R215 GET /emma/category/',
  'R216 GET /emma/provider/',
  'R217 GET /emma/client/',
  'R218 GET /emma/placeholder/',
  'R224 GET /user/',
  'R225 GET /user/{id}/settings/',
  'R226 GET /user/{id}/client/{client_id}/',
  'R227 POST /user:unstuck/{id}',
  'R228 GET /role/',
  'R229 GET /role/{id}/permission',
  'R230 GET /permission/',
  'R231 GET /dashboard/',
  'R232 GET /view/dashboard/{type}/',
  'R233 GET /reportinggroup/',
  'R236 GET /motd/',
  'R237 GET /webform/',
  'R238 GET /translation/',
  'R239 POST /password-reset/',
  'R244 GET /dataupload/',
  'R245 POST /v2/dataupload/',
  'R246 GET /v2/dataupload:quota',
  'R252 GET /templates/',
  'R253 GET /v2/agb/',
  'R254 GET /v2/agb:latest',
  'R254 GET /v2/agb/:latest',
  'R255 GET /v2/bav/',
  'R256 GET /v2/bav:latest',
  'R256 GET /v2/bav/:latest',
  'R257 GET /v2/scd-rule/',
  'R258 GET /v2/guided-tour/',
  'R259 GET /testgroup/',
  'R261 GET /catalog/categories',
  'R262 GET /catalog/collections',
  'R263 GET /catalog/templates',
]

test.each(specified)('%s is a route', line => {
  expect(routes).toContain(line.replace(/^R\d+ /, '').replace(':client', client))
})
