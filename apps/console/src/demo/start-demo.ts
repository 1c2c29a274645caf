import { queryKeys } from '@emma/client/query-keys.ts'
import { readProfile, saveUserSettings } from '@emma/contract/actions/account.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { isDemoBypass } from '@emma/contract/demo.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { client } from '@emma/contract/resources/client.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { demoClientId, type SessionClaims } from '@emma/contract/session.ts'
import i18next from 'i18next'
import { api } from '../shell/session/api.ts'
import { apiHost } from '../shell/session/api-host.ts'
import { datasourceQuery } from '../shell/resource/datasource-query.ts'
import { asLang } from '../shell/i18n/i18n.ts'
import { interceptCalls } from '../shell/session/interception.ts'
import { responseCache } from '../shell/resource/response-cache.ts'
import { queryClient } from '../shell/resource/query-client.ts'
import { refresh } from '../shell/resource/record-calls.ts'
import { sessionStore } from '../shell/session/session-store.ts'
import { answerCall } from './answer-call.ts'
import type { DemoState } from './demo-call.ts'
import type { DemoCampaign } from './demo-records.ts'
import { openDemoTables } from './demo-tables.ts'
import { customKey } from './installation-routes.ts'
import { createRandom } from './seed/random.ts'
import { type DemoSeed, reseedDemo, seedDemo } from './seed/seed-demo.ts'

/** Between two refreshes of what is running, where people look at it: there is no socket that would tell. */
const refreshEveryMs = 5000

const fresh = { ignoreCache: true }

let current: { state: DemoState; clients: DemoSeed['clients'] } | undefined
let timer: ReturnType<typeof setInterval> | undefined

/**
 * From now on the API is answered from this browser (R306). The last questions to the server are who it is, and which
 * other clients they may go back to.
 *
 * @returns the choices the person has made in the demo so far
 */
export async function startDemo({ sub: { id } }: SessionClaims): Promise<Record<string, unknown>> {
  const [profile, clients, tables] = await Promise.all([
    api.call(readProfile, { params: { id }, ...fresh }),
    api.listAll(client, {}, fresh).catch(() => []),
    openDemoTables(),
  ])
  const state = {
    tables,
    person: { id, ...profile },
    random: createRandom(Date.now()),
    now: () => new Date(),
  }
  current = { state, clients }
  await alone(() => seedDemo(tables, seedNow(state, clients)))
  interceptCalls(apiHost(), async (request, path) => {
    if (isDemoBypass(request.method, path) || (await leavesDemo(request, path))) return null
    return alone(() => answerCall(request, path, state))
  })
  clearInterval(timer)
  timer = setInterval(() => void refreshRunning(state), refreshEveryMs)
  const datasources = await api.listAll(membertable, datasourceQuery, fresh)
  queryClient.setQueryData(queryKeys.list(membertable, datasourceQuery), datasources)
  return (await tables<Record<string, unknown>>('settings').get(customKey)) ?? {}
}

/** Everything as it was in the morning, in the language of now. */
export async function resetDemo(): Promise<void> {
  if (!current) return
  const { state, clients } = current
  await alone(() => reseedDemo(state.tables, seedNow(state, clients)))
  await responseCache.clear()
  await queryClient.invalidateQueries()
}

function seedNow({ person, now }: DemoState, clients: DemoSeed['clients']): DemoSeed {
  return { person, clients, lang: asLang(i18next.resolvedLanguage ?? navigator.language), now: now() }
}

/** Going over to another client is the one change that the server must hear of: it ends the demo. */
async function leavesDemo(request: Request, path: string): Promise<boolean> {
  const isSettings = /^\/user\/\d+\/settings\/?$/.test(path) && request.method === saveUserSettings.method
  if (!isSettings || request.headers.has('content-encoding')) return false
  const body = saveUserSettings.body.safeParse(await request.clone().json())
  const wanted = body.data?.client_id
  return wanted !== undefined && wanted !== demoClientId
}

async function refreshRunning({ tables }: DemoState): Promise<void> {
  if (!sessionStore.get().isDemo) return clearInterval(timer)
  const campaigns = await tables<DemoCampaign>('campaign').all()
  if (!campaigns.some(({ valid }) => valid === campaignState.running)) return
  await responseCache.evict([campaign.name, 'report'])
  await refresh(campaign)
}

/** One call after the other, in all tabs: what a refresh moves must not undo what a click has just set. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  // There are no locks on pages that came without encryption.
  const locks: LockManager | undefined = navigator.locks
  return locks ? locks.request('emma-demo', work) : work()
}
