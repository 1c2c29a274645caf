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

/** Interval in ms between two refreshes of running campaigns on the screen; the demo has no socket. */
const refreshEveryMs = 5000

const fresh = { ignoreCache: true }

let current: { state: DemoState; clients: DemoSeed['clients'] } | undefined
let timer: ReturnType<typeof setInterval> | undefined

/**
 * Answers API calls in the browser from now on (R306). Before that, it asks the server for the user's profile and
 * clients.
 *
 * @returns the preferences that the user has saved in the demo
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

/** Discards all changes and seeds the demo again, in the current language. */
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

/** True for a switch to another client: the server must receive it, since it ends the demo. */
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

/** Runs calls one after the other, in all tabs, so that a refresh does not overwrite a user's change. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  // The Web Locks API is only available in secure contexts.
  const locks: LockManager | undefined = navigator.locks
  return locks ? locks.request('emma-demo', work) : work()
}
