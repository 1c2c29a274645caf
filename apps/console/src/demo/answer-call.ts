import { EmmaError } from '@emma/contract/errors.ts'
import { approvalRoutes } from './approval-routes.ts'
import { audienceRoutes } from './audience-routes.ts'
import { campaignRoutes } from './campaign-routes.ts'
import { commentRoutes } from './comment-routes.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import type { DemoState, DemoRoute, Fields } from './demo-call.ts'
import { installationRoutes } from './installation-routes.ts'
import { mtaStatsRoutes } from './mta-stats-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { legalRoutes } from './legal-routes.ts'
import { queueRoutes } from './queue-routes.ts'
import { recurringRoutes } from './recurring-routes.ts'
import { splitRoutes } from './split-routes.ts'
import { transactionalRoutes } from './transactional-routes.ts'
import { volumeRoute } from './volume-route.ts'

/** All routes of the demo. Literal paths come before those with a parameter in the same place. */
const routes: readonly (DemoRoute & { pattern: RegExp })[] = [
  ...reportRoutes,
  ...mtaStatsRoutes,
  ...splitRoutes,
  ...approvalRoutes,
  ...commentRoutes,
  ...queueRoutes,
  ...campaignRoutes,
  ...volumeRoute,
  ...audienceRoutes,
  ...contentRoutes,
  ...recurringRoutes,
  ...transactionalRoutes,
  ...dashboardRoutes,
  ...legalRoutes,
  ...installationRoutes,
].map(route => ({ ...route, pattern: patternOf(route.path) }))

/** Answers a call in the format of the server. Unknown calls are rejected with `not supported in demo` (R306). */
export async function answerCall(request: Request, path: string, state: DemoState): Promise<Response> {
  try {
    const found = findRoute(request.method, path)
    if (!found) throw new EmmaError('not_in_demo')
    const call = {
      params: found.params,
      query: queryOf(new URL(request.url).searchParams),
      body: await bodyOf(request),
      revision: revisionOf(request),
    }
    return present(await found.route.answer(call, state))
  } catch (error) {
    if (!(error instanceof EmmaError)) throw error
    const { code, fault, fields, message, status } = error
    const reason = fault && { reason: fault.code, values: fault.values }
    return Response.json({ error: message, code, ...reason, fields }, { status })
  }
}

function findRoute(method: string, path: string) {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(decodeURIComponent(path)) : null
    if (match) return { route, params: { ...match.groups } }
  }
  return null
}

/**
 * Pattern of `/emma/campaign/{id}/{action}`, with optional trailing slash (T16). Ids are numbers; other parameters
 * contain no slash.
 */
function patternOf(path: string): RegExp {
  const source = path
    .replace(/\/$/, '')
    .replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => `(?<${name}>${/(?:^|_)id$/.test(name) ? '\\d+' : '[^/:]+'})`,
    )
  return new RegExp(`^${source}/?$`)
}

function queryOf(search: URLSearchParams): Fields {
  const names = [...new Set(search.keys())]
  return Object.fromEntries(
    names.map(name => {
      const all = search.getAll(name)
      return [name, all.length === 1 ? all[0] : all]
    }),
  )
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.body === null) return undefined
  const isPacked = request.headers.get('content-encoding') === 'gzip'
  const bytes = isPacked ? request.body.pipeThrough(new DecompressionStream('gzip')) : request.body
  const text = await new Response(bytes).text()
  return text === '' ? undefined : JSON.parse(text)
}

function revisionOf({ headers }: Request): number | null {
  const text = headers.get('x-revision')
  return text === null ? null : Number(text)
}

function present(answer: unknown): Response {
  if (answer === undefined) return new Response(null, { status: 204 })
  if (typeof answer === 'string') return new Response(answer, { headers: { 'content-type': 'text/plain' } })
  return Response.json(answer)
}
