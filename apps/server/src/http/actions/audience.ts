import { logChange } from '@emma/core/resource/log-change.ts'
import * as addressCheck from '@emma/contract/actions/address-check.ts'
import * as audience from '@emma/contract/actions/audience.ts'
import { webformConsents, webformFigures } from '@emma/contract/actions/web-forms.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { columnFilters } from '@emma/contract/column-filters.ts'
import {
  createMultiBlacklist,
  listMultiBlacklists,
  removeMultiBlacklist,
} from '@emma/contract/actions/multi-blacklist.ts'
import { type ListQuery, parseListQuery } from '@emma/contract/list-query.ts'
import { member } from '@emma/contract/resources/member.ts'
import { addEntries, listEntries, removeEntries } from '@emma/core/audience/blacklists/blacklist-entries.ts'
import * as multi from '@emma/core/audience/blacklists/multi-blacklist.ts'
import { checkAddress } from '@emma/core/audience/check-address.ts'
import { countHours } from '@emma/core/audience/hours/count-hours.ts'
import { type CountQuestion, countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { type Datasource, readDatasource } from '@emma/core/audience/datasources/datasource.ts'
import { requestConfirmation } from '@emma/core/audience/double-opt-in.ts'
import { eraseMember } from '@emma/core/audience/members/erase-member.ts'
import { findMember, listMembers, previewSegment } from '@emma/core/audience/members/list-members.ts'
import { memberActivity } from '@emma/core/audience/members/member-activity.ts'
import { assertMayCompare } from '@emma/core/audience/segments/rule-rights.ts'
import { readSegment } from '@emma/core/audience/segments/segment-members.ts'
import { listConsentVersions } from '@emma/core/audience/web-forms/consent-versions.ts'
import { dailyFigures } from '@emma/core/audience/web-forms/webform-figures.ts'
import { webformOperations } from '@emma/core/audience/web-forms/webform-operations.ts'
import * as write from '@emma/core/audience/members/write-member.ts'
import { audienceQuestion } from '@emma/core/campaigns/audience-question.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { clientExists } from '@emma/core/files/file-host.ts'
import { type Actor, accessibleClients, scopeOf, type TenantScope } from '@emma/core/resource/actor.ts'
import { presentMember } from '@emma/core/resource/member-rights.ts'
import type { Page } from '@emma/core/resource/operations.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { FastifyRequest } from 'fastify'
import type { Http } from '../http.ts'
import { done, mountAction } from '../mount-action.ts'
import { mountUploadActions } from './uploads.ts'

/** Mounts members, segment counts and previews, suppression entries, uploads, figures of web forms. */
export function mountAudienceActions(http: Http): void {
  mountMembers(http)
  mountSegments(http)
  mountBlacklistEntries(http)
  mountUploadActions(http)
  mountAction(http, webformFigures, async ({ db, actor, params, query }) => {
    const forms = webformOperations(http.config.trackingUrl)
    const form = await forms.find(db, actor, accessibleClients(actor), params.id)
    return { data: await dailyFigures(db, form, query.days) }
  })
  mountAction(http, webformConsents, async ({ db, actor, params, query }) => {
    const forms = webformOperations(http.config.trackingUrl)
    const form = await forms.find(db, actor, accessibleClients(actor), params.id)
    return listConsentVersions(db, form, query)
  })
}

function mountMembers(http: Http): void {
  mountAction(http, audience.listMembers, async ({ db, actor, params, query, kept }) => {
    const { client_id, member_table_id } = params
    scopeOf(actor, client_id)
    const source = await kept.datasources.get(`${client_id} ${member_table_id}`, () =>
      sourceOf(db, actor, params),
    )
    const listQuery = memberQuery(source, query)
    return paged(await listMembers(db, source, listQuery), listQuery)
  })

  mountAction(http, audience.findMember, async ({ db, actor, params }) =>
    findMember(db, await sourceOf(db, actor, params), params.member_id),
  )

  mountAction(http, audience.createMember, async ({ db, actor, params, body }) =>
    presentMember(actor, await write.createMember(db, actor, await sourceOf(db, actor, params), body)),
  )

  mountAction(http, audience.patchMember, async ({ db, actor, params, body, request }) =>
    presentMember(
      actor,
      await write.patchMember(db, actor, await sourceOf(db, actor, params), params.member_id, body, {
        revision: revisionOf(request),
      }),
    ),
  )

  mountAction(http, audience.deleteMember, async ({ db, actor, params, request }) => {
    const source = await sourceOf(db, actor, params)
    await write.deleteMember(db, actor, source, params.member_id, { revision: revisionOf(request) })
    return null
  })

  mountAction(http, audience.eraseMember, async ({ db, actor, params }) => {
    await eraseMember(db, actor, await sourceOf(db, actor, params), params.member_id)
    return done
  })

  mountAction(http, audience.unsubscribeMember, async ({ db, actor, params }) =>
    presentMember(
      actor,
      await write.unsubscribeMember(db, actor, await sourceOf(db, actor, params), params.member_id),
    ),
  )

  mountAction(http, audience.resubscribeMember, async ({ db, actor, params, body }) =>
    presentMember(
      actor,
      await write.resubscribeMember(
        db,
        actor,
        await sourceOf(db, actor, params),
        params.member_id,
        body.reason,
      ),
    ),
  )

  mountAction(http, audience.confirmMember, async ({ db, actor, params, request }) => {
    const table = await sourceOf(db, actor, params)
    const userId = actor.userId ?? undefined
    const { member_id: memberId } = params
    return transaction(db, async tx => {
      const asked = { table, memberId, source: 'console', userId, ip: request.ip } as const
      const outcome = await requestConfirmation(tx, asked)
      const change = { clientId: table.client_id, object: 'member', id: memberId, action: 'confirm' }
      await logChange(tx, actor, change)
      return { outcome }
    })
  })

  mountAction(http, addressCheck.checkAddress, async ({ db, actor, params, query }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    return checkAddress(db, actor, params.client_id, query.email)
  })

  mountAction(http, audience.memberActivity, async ({ db, actor, params, query }) => {
    const source = await sourceOf(db, actor, params)
    return paged(await memberActivity(db, source, params.member_id, query), query)
  })
}

function mountSegments(http: Http): void {
  mountAction(http, audience.countList, async ({ db, actor, params, body }) => {
    const scope = params.client_id === undefined ? accessibleClients(actor) : scopeOf(actor, params.client_id)
    assertMayCompare(actor, body.query ?? null)
    return countSegment(db, scope, question(body))
  })

  const countCampaign = async (db: Db, actor: Actor, clientId: number, id: number, asked: CountQuestion) => {
    const scope = scopeOf(actor, clientId)
    assertMayCompare(actor, asked.query ?? null)
    const campaign = await campaignOperations.find(db, actor, scope, id)
    return countSegment(db, scope, { ...audienceQuestion(campaign), ...asked })
  }
  mountAction(http, audience.countCampaignList, ({ db, actor, params, body }) =>
    countCampaign(db, actor, params.client_id, params.campaign_id, body ? question(body) : {}),
  )
  mountAction(http, audience.countCampaignListNow, ({ db, actor, params }) =>
    countCampaign(db, actor, params.client_id, params.campaign_id, {}),
  )

  mountAction(http, audience.countListHours, ({ db, actor, params, body }) =>
    countHours(db, scopeOf(actor, params.client_id), body),
  )

  mountAction(http, audience.previewList, async ({ db, actor, params, query }) => {
    const segment = await readSegment(db, accessibleClients(actor), params.id)
    const own = { clientIds: [segment.client_id] }
    const source = await readDatasource(db, own, segment.member_table_id)
    const listQuery = memberQuery(source, query)
    return paged(await previewSegment(db, own, params.id, listQuery), listQuery)
  })
}

function mountBlacklistEntries(http: Http): void {
  mountAction(http, audience.listBlacklistEntries, async ({ db, actor, params, query }) => {
    const { limit, offset, search } = query
    const listQuery = { limit, offset, search: search ? search : null }
    return paged(await listEntries(db, accessibleClients(actor), params.id, listQuery), listQuery)
  })

  mountAction(http, audience.addBlacklistEntries, ({ db, actor, params, body }) =>
    addEntries(db, actor, accessibleClients(actor), params.id, body),
  )

  mountAction(http, audience.removeBlacklistEntries, ({ db, actor, params, query }) => {
    const values = [query['value[]'] ?? [], query.value ?? []].flat()
    return removeEntries(db, actor, accessibleClients(actor), params.id, values)
  })

  mountAction(http, listMultiBlacklists, async ({ db, actor, query }) =>
    paged(await multi.listMultiBlacklists(db, actor, query), query),
  )

  mountAction(http, createMultiBlacklist, ({ db, actor, body }) =>
    multi.createMultiBlacklist(db, actor, body),
  )

  mountAction(http, removeMultiBlacklist, ({ db, actor, params }) =>
    multi.removeMultiBlacklist(db, actor, params.id),
  )
}

function sourceOf(
  db: Db,
  actor: Actor,
  params: { client_id: number; member_table_id: number },
): Promise<Datasource> {
  const scope: TenantScope = scopeOf(actor, params.client_id)
  return readDatasource(db, scope, params.member_table_id)
}

/** Members can be sorted by every column of their datasource, and filtered by its filterable columns. */
function memberQuery(source: Datasource, query: Record<string, unknown>): ListQuery {
  let resource = memberResources.get(source)
  if (!resource) {
    const sort = source.columns.map(column => column.column_name)
    resource = { ...member, sort, filters: { ...member.filters, ...columnFilters(source.columns) } }
    memberResources.set(source, resource)
  }
  return parseListQuery(resource, query)
}

/** Members as a resource of a datasource, whose filters take longer to make than to use. */
const memberResources = new WeakMap<Datasource, Parameters<typeof parseListQuery>[0]>()

function paged<Record>(page: Page<Record>, { limit, offset }: { limit: number; offset: number }) {
  return { data: page.data, included: page.included, pagination: { limit, offset, total: page.total } }
}

/** `unsub` is the wire name (R178). */
function question({ unsub, ...body }: CountQuestion & { unsub?: boolean | undefined }): CountQuestion {
  return unsub === undefined ? body : { include_unsubscribed: unsub, ...body }
}

/** X-Revision (R163). */
function revisionOf(request: FastifyRequest): number | null {
  const text = request.headers['x-revision']
  if (text === undefined || text === '') return null
  const revision = Number(text)
  if (!Number.isInteger(revision)) throw new EmmaError('faulty_revision')
  return revision
}
