import { join } from 'node:path'
import * as guidance from '@emma/contract/actions/guidance.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import {
  listLoginMotds,
  listMotdsOf,
  listToursOf,
  nextMotdChange,
  type WrittenMotd,
} from '@emma/core/guidance/read-guidance.ts'
import { listSeen, markRecordSeen, markVersionSeen } from '@emma/core/guidance/user-seen.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import type { FastifyReply } from 'fastify'
import { changelog, latestSeen, newsSince } from '../../help/changelog.ts'
import { createHelpService } from '../../help/help-service.ts'
import { renderMarkdown } from '../../help/render-markdown.ts'
import { createTranslator } from '../../help/translator.ts'
import { shippedTexts } from '../../shipped-texts.ts'
import type { Http } from '../http.ts'
import { done, mountAction } from '../mount-action.ts'
import { parseId, parseQuery } from '../parse.ts'

const articleFolder = join(import.meta.dirname, '../../help/articles')

/** Mounts messages of the day, tours, help, changelog, translations: readable by everybody who is logged in. */
export function mountGuidanceActions(http: Http): void {
  mountAction(http, guidance.readGuidance, async ({ db, actor, claims }) => {
    const viewRole = claims?.view_role ?? null
    const [messages, changesAt, tours, seen] = await Promise.all([
      listMotdsOf(db, actor, viewRole),
      nextMotdChange(db, actor, viewRole),
      listToursOf(db, actor, viewRole),
      listSeen(db, personOf(actor), 'changelog'),
    ])
    return { messages: messages.map(shown), changes_at: changesAt, tours, news: newsSince(seen) }
  })

  mountAction(http, guidance.listLoginMotds, async ({ db }) => ({
    messages: (await listLoginMotds(db)).map(shown),
  }))

  mountAction(http, guidance.dismissMotd, async ({ db, actor, params }) => {
    await markRecordSeen(db, personOf(actor), 'motd', params.id)
    return done
  })

  mountAction(http, guidance.previewMotd, async ({ body }) => ({ html: renderMarkdown(body.body ?? '') }))

  mountAction(http, guidance.seeTour, async ({ db, actor, params }) => {
    await markRecordSeen(db, personOf(actor), 'guided_tour', params.id)
    return done
  })

  mountAction(http, guidance.readChangelog, async ({ db, actor }) => ({
    versions: [...changelog],
    seen: latestSeen(await listSeen(db, personOf(actor), 'changelog')),
  }))

  mountAction(http, guidance.seeChangelog, async ({ db, actor, body }) => {
    if (!changelog.some(({ version }) => version === body.version))
      throw invalid([fieldError('version', 'field.not_there')])
    await markVersionSeen(db, personOf(actor), body.version)
    return done
  })

  const translator = createTranslator(shippedTexts(http.config.consoleFolder), http.config)
  mountAction(http, guidance.translate, ({ query }) => translator(query))

  mountHelp(http)
}

/** At the API's path and at WordPress's (domain.md, Part 3). Articles are public. */
function mountHelp(http: Http): void {
  const help = createHelpService(articleFolder, http.config.publicUrl)

  function list(query: guidance.HelpQuery, reply: FastifyReply) {
    const { posts, total, pages } = help.list(query)
    void reply
      .header('x-wp-total', total)
      .header('x-wp-totalpages', pages)
      .header('access-control-expose-headers', 'X-WP-Total, X-WP-TotalPages')
      .header('access-control-allow-origin', '*')
    return posts
  }

  mountAction(http, guidance.listHelp, async ({ query, reply }) => list(query, reply))
  mountAction(http, guidance.findHelp, async ({ params, query }) => help.find(params.id, query.lang))

  const [root] = guidance.listHelp.paths
  http.app.get(root, async (request, reply) =>
    list(parseQuery(guidance.listHelp.query, request.query), reply),
  )
  http.app.get<{ Params: { id: string } }>(`${root}/:id`, async request =>
    help.find(parseId(request.params.id), parseQuery(guidance.findHelp.query, request.query).lang),
  )
}

function shown({ body_en, body_de, body_es, ...message }: WrittenMotd): guidance.ShownMotd {
  return {
    ...message,
    html_en: renderMarkdown(body_en),
    html_de: renderMarkdown(body_de),
    html_es: renderMarkdown(body_es),
  }
}

/** The user of a session; 0 is anonymous. */
function personOf({ userId }: Actor): number {
  return userId ?? 0
}
