import type { Action } from '@emma/contract/define-action.ts'
import type { newShareLink, shareLinks as shareLinksSchema } from '@emma/contract/share-links.ts'
import type { shareLinks, SharedRecord } from '@emma/core/platform/share-links.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Http } from './http.ts'
import { mountAction } from './mount-action.ts'

type Nothing = z.ZodType

interface ShareActions<Params, Body> {
  list: Action<z.ZodType<Params>, Nothing, Nothing, typeof shareLinksSchema>
  share: Action<z.ZodType<Params>, Nothing, z.ZodType<Body>, typeof newShareLink>
  revoke: Action<z.ZodType<Params & { share_id: number }>, Nothing, Nothing, typeof shareLinksSchema>
}

/**
 * Mounts the share links of one type of records: list, creation and revocation.
 *
 * @param keyOf checks that the caller may share the record of the path
 */
export function mountShares<Params, Options extends object>(
  http: Http,
  { list, share, revoke }: ShareActions<Params, { days: number } & Options>,
  links: ReturnType<typeof shareLinks<Options>>,
  keyOf: (db: Http['db'], actor: Actor, params: Params) => Promise<SharedRecord>,
): void {
  mountAction(http, list, async ({ db, actor, params }) => ({
    data: await links.list(db, await keyOf(db, actor, params)),
  }))

  mountAction(http, share, async ({ db, actor, params, body }) =>
    links.add(db, actor, await keyOf(db, actor, params), body),
  )

  mountAction(http, revoke, async ({ db, actor, params }) => {
    const key = await keyOf(db, actor, params)
    await links.revoke(db, actor, key, params.share_id)
    return { data: await links.list(db, key) }
  })
}

/** The answer to the secret of a link is neither indexed nor stored (T29). */
export function keepPrivate(reply: FastifyReply): void {
  void reply.header('x-robots-tag', 'noindex, nofollow').header('cache-control', 'no-store')
}
