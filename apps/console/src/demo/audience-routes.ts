import {
  countCampaignList,
  countCampaignListNow,
  countList,
  type countQuestion,
  previewList,
} from '@emma/contract/actions/audience.ts'
import { webformConsents, webformFigures } from '@emma/contract/actions/web-forms.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { list } from '@emma/contract/resources/list.ts'
import { member } from '@emma/contract/resources/member.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import type { z } from 'zod'
import { type DemoState, type DemoRoute, type Fields, onAction } from './demo-call.ts'
import { blacklistRoutes } from './blacklist-routes.ts'
import type { DemoCampaign, DemoDatasource, DemoSegment, DemoWebform } from './demo-records.ts'
import { memberRoutes } from './member-routes.ts'
import { narrowRows } from './narrow-rows.ts'
import { recordRoutes } from './record-routes.ts'

export const audienceRoutes: readonly DemoRoute[] = [
  ...memberRoutes,
  ...onAction(webformFigures, async ({ params, query }, { tables, now }) => {
    const form = await tables<DemoWebform>('webform').get(params.id)
    if (!form) throw new EmmaError('not_found')
    return { data: figuresByDay(form, query.days, now()) }
  }),
  ...onAction(webformConsents, async ({ params }, { tables }) => {
    const form = await tables<DemoWebform>('webform').get(params.id)
    if (!form) throw new EmmaError('not_found')
    const { consent, consent_version: version, updated_at, submissions, confirmed } = form
    const data = version === 0 ? [] : [{ version, consent, created_at: updated_at, submissions, confirmed }]
    return { data, total: data.length }
  }),
  ...recordRoutes({
    resource: webform,
    entity: 'webform',
    blank: {
      ...initialValues(webform),
      consent_version: 0,
      hash: '1-demodemodemodemodemode',
      url: 'https://forms.example/f/1-demodemodemodemodemode',
      views: 0,
      starts: 0,
      submissions: 0,
      confirmed: 0,
    },
  }),
  ...onAction(countList, ({ body }, state) => countAudience(body, state)),
  ...onAction(countCampaignList, async ({ params, body }, state) =>
    countAudience({ ...(await questionOf(params.campaign_id, state)), ...body }, state),
  ),
  ...onAction(countCampaignListNow, async ({ params }, state) =>
    countAudience(await questionOf(params.campaign_id, state), state),
  ),
  {
    method: previewList.method,
    path: previewList.paths[0],
    async answer({ params, query }, { tables }) {
      const segment = await tables<DemoSegment>('segment').get(Number(params['id']))
      if (!segment) throw new EmmaError('not_found')
      const members = await tables<Fields>('subscriber').all()
      const active = members.filter(
        row => row['member_table_id'] === segment.member_table_id && row['active'] === true,
      )
      return narrowRows(member, active, query)
    },
  },
  ...blacklistRoutes,
  ...recordRoutes({
    resource: membertable,
    entity: 'datasource',
    blank: {
      description: null,
      doi_required: false,
      emmamembertableschema: [],
      stats_total: 0,
      stats_active: 0,
      stats_unsubscribed: 0,
      stats_hardbounce: 0,
      stats_softbounce: 0,
      stats_complaint: 0,
      stats_pending: 0,
      stats_at: null,
    },
  }),
  ...recordRoutes({
    resource: list,
    entity: 'segment',
    blank: { kind: 'dynamic', query: null, include_unsubscribed: false, count: null, counted_at: null },
    async settle(row, _, state) {
      const { total } = await countAudience(
        { member_table_id: Number(row['member_table_id']), query: list.fields.query.parse(row['query']) },
        state,
      )
      return { ...row, count: total, counted_at: state.now().toISOString() }
    },
  }),
  ...recordRoutes({
    resource: testaddress,
    entity: 'test_subscriber',
    blank: { addr_type: 'testaddr', active: true, firstname: null, lastname: null, member_data: {} },
  }),
  ...recordRoutes({
    resource: testgroup,
    entity: 'test_group',
    blank: { address_ids: [], is_default: false },
  }),
]

type Question = z.infer<typeof countQuestion>

async function questionOf(campaignId: number, { tables }: DemoState): Promise<Question> {
  const found = await tables<DemoCampaign>('campaign').get(campaignId)
  if (!found) throw new EmmaError('not_found')
  return found.list_id === null ? {} : { list_id: found.list_id }
}

/** Estimates an audience: a saved segment by its stored count; unsaved rules as if each kept 80 % of the members. */
async function countAudience(question: Question, { tables }: DemoState) {
  const segment =
    question.list_id === undefined ? undefined : await tables<DemoSegment>('segment').get(question.list_id)
  const sources = await tables<DemoDatasource>('datasource').all()
  const tableId = question.member_table_id ?? segment?.member_table_id
  const source = sources.find(({ member_table_id }) => member_table_id === tableId) ?? sources[0]
  const rules = question.query?.rules.length ?? 0
  const counted = Math.round((source?.stats_active ?? 0) * 0.8 ** rules)
  const total = question.query === undefined ? (segment?.count ?? counted) : counted
  const blacklisted = Math.round(total * 0.002)
  // As if an earlier campaign with the same key had gone to a tenth.
  const sent = question.send_once_key ? Math.round(total * 0.1) : 0
  return {
    total,
    excluded: 0,
    estimated_volume: total - blacklisted - sent,
    combined_volume: total - blacklisted - sent,
    by_provider: [],
    preblocked: { blacklist_client: blacklisted, ...(sent > 0 && { send_once: sent }) },
  }
}

/** The figures of a form, spread evenly over the days. */
function figuresByDay(form: DemoWebform, days: number, now: Date) {
  const share = (total: number) => Math.round(total / 30)
  return Array.from({ length: form.views === 0 ? 0 : days }, (_, at) => ({
    day: new Date(now.getTime() - (days - 1 - at) * 86_400_000).toISOString().slice(0, 10),
    views: share(form.views),
    starts: share(form.starts),
    submissions: share(form.submissions),
    confirmed: share(form.confirmed),
  }))
}
