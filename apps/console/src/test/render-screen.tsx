import { demoClientId } from '@emma/contract/session.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { modals } from '@mantine/modals'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import { App } from '../app.tsx'
import Console, { prepare } from '../console.tsx'
import { answerCall } from '../demo/answer-call.ts'
import type { DemoState } from '../demo/demo-call.ts'
import type { DemoCampaign } from '../demo/demo-records.ts'
import { createRandom } from '../demo/seed/random.ts'
import { reseedDemo } from '../demo/seed/seed-demo.ts'
import { memoryTables } from '../demo/test-tables.ts'
import { router } from '../router.ts'
import { startTranslations } from '../shell/i18n/i18n.ts'
import { keepFocus } from '../shell/layout/keep-focus.ts'
import { queryClient } from '../shell/resource/query-client.ts'
import { responseCache } from '../shell/resource/response-cache.ts'
import { apiHost } from '../shell/session/api-host.ts'
import { interceptCalls } from '../shell/session/interception.ts'
import { sessionStore } from '../shell/session/session-store.ts'
import { recordFault } from './screen-faults.ts'

const person = { id: 5, username: 'dora', firstname: 'Dora', lastname: 'Demo', email: 'dora@demo.test' }

/** Calls of every screen that the demo does not answer: the menu of running jobs asks for imports. */
const unanswered = new Set(['/dataupload/'])

interface RenderedScreen {
  /** The demo's records, as the screen has saved them. */
  tables: DemoState['tables']
  /** A campaign of the demo, as the screen has saved it. */
  campaign: (id: number) => Promise<DemoCampaign | undefined>
  /** Opens another address in the running console. */
  go: (path: string) => Promise<void>
}

/** Files share one page and its modules: what starts with the console starts once, the router is used again. */
keepFocus()
const translations = startTranslations()
const { startTransition } = router

/**
 * Renders the console at an address, as a superadmin sees it. The in-browser demo API answers its calls, from a new
 * demo in memory; a call that it rejects is a fault.
 *
 * @param path address of a screen, with its query
 * @param prepareDemo changes the demo's records before the screen loads them
 */
export async function renderScreen(
  path: string,
  prepareDemo?: (state: DemoState) => Promise<void>,
): Promise<RenderedScreen> {
  const tables = memoryTables()
  const state: DemoState = { tables, person, random: createRandom(1), now: () => new Date() }
  await reseedDemo(tables, { person, clients: [], lang: 'en', now: new Date() })
  await prepareDemo?.(state)
  await forgetLastScreen()
  interceptCalls(apiHost(), async (request, callPath) => {
    const response = await answerCall(request, callPath, state)
    if (!response.ok && !unanswered.has(callPath))
      recordFault(`${response.status} ${request.method} ${callPath}`)
    return response
  })
  sessionStore.set({
    claims: {
      sub: { id: person.id, firstname: 'Dora', lastname: 'Demo', administrator: true, superadmin: true },
      jti: crypto.randomUUID(),
      iat: 0,
      exp: 2 ** 31,
      permissions: [],
      view_role: null,
    },
    client: { client_id: demoClientId, name: 'Demo', timezone: 'Europe/Berlin' },
    isDemo: true,
    custom: {},
    dueDocuments: [],
  })
  await translations
  router.history.replace(path)
  await prepare()
  mountConsole()
  return {
    tables,
    campaign: id => tables<DemoCampaign>('campaign').get(id),
    go: async address => {
      router.history.push(address)
      await router.load()
    },
  }
}

async function forgetLastScreen(): Promise<void> {
  // A late answer of the test before can have shown one, which would cover what this test clicks.
  notify.closeAll()
  localStorage.clear()
  sessionStorage.clear()
  queryClient.clear()
  await responseCache.clear()
}

function mountConsole(): void {
  const root = document.createElement('div')
  document.body.append(root)
  const page = createRoot(root)
  onTestFinished(() => {
    notify.closeAll()
    modals.closeAll()
    page.unmount()
    root.remove()
    // The mounted router waits in it until it has rendered.
    router.startTransition = startTransition
  })
  page.render(
    <App>
      <Console />
    </App>,
  )
}
