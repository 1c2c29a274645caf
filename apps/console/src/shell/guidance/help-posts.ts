import { type HelpPost, findHelp, listHelp } from '@emma/contract/actions/guidance.ts'
import { t } from 'i18next'
import { apiHost } from '../session/api-host.ts'

export interface HelpPage {
  posts: readonly HelpPost[]
  total: number
}

/**
 * Lists articles of the help service, which responds like WordPress: a plain array with the total in a header (R304).
 *
 * @throws Error `help not available` when the service cannot be reached or the response is invalid (R317)
 */
export async function listPosts(
  wanted: { lang: string; search?: string; offset?: number; perPage?: number },
  signal?: AbortSignal,
): Promise<HelpPage> {
  const search = wanted.search?.trim() ?? ''
  const query = new URLSearchParams({
    lang: wanted.lang,
    per_page: String(wanted.perPage ?? 100),
    offset: String(wanted.offset ?? 0),
    ...(search === '' ? { orderby: 'id', order: 'asc' } : { orderby: 'relevance', search }),
  })
  const response = await ask(`${listHelp.paths[0]}?${query}`, signal)
  const posts = listHelp.response.safeParse(await response.json().catch(() => null))
  if (!posts.success) throw notAvailable()
  return { posts: posts.data, total: Number(response.headers.get('X-WP-Total') ?? posts.data.length) }
}

/** Returns an article, or null if the id does not exist. */
export async function findPost(id: number, lang: string, signal?: AbortSignal): Promise<HelpPost | null> {
  const path = findHelp.paths[0].replace('{id}', String(id))
  const response = await ask(`${path}?${new URLSearchParams({ lang })}`, signal, [404])
  const body: unknown = await response.json().catch(() => null)
  if (response.status === 404 && !saysNotAvailable(body)) return null
  const post = findHelp.response.safeParse(body)
  if (!post.success) throw notAvailable()
  return post.data
}

async function ask(
  path: string,
  signal: AbortSignal | undefined,
  expected: readonly number[] = [],
): Promise<Response> {
  try {
    const response = await fetch(apiHost() + path, signal ? { signal } : {})
    if (response.ok || expected.includes(response.status)) return response
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
  }
  throw notAvailable()
}

function saysNotAvailable(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'error' in body && body.error === 'help not available'
}

function notAvailable(): Error {
  return new Error(t('help.not_available'))
}

/**
 * Returns the articles of a screen, most specific path first: an article on `/campaigns` covers all paths below it; one
 * on `/campaigns/reports` is more specific for a report.
 */
export function postsForScreen(posts: readonly HelpPost[], pathname: string): HelpPost[] {
  const closeness = (post: HelpPost) =>
    Math.max(
      0,
      ...post.screens.map(screen =>
        pathname === screen || pathname.startsWith(`${screen}/`) ? screen.length : 0,
      ),
    )
  return posts
    .map(post => ({ post, near: closeness(post) }))
    .filter(({ near }) => near > 0)
    .toSorted((a, b) => b.near - a.near || a.post.id - b.post.id)
    .map(({ post }) => post)
}
