import { createHash } from 'node:crypto'
import * as contract from '@emma/contract/actions/translations.ts'
import { textLanguages } from '@emma/contract/resources/translation.ts'
import {
  addMissingTexts,
  forgetMissingTexts,
  listMissingTexts,
} from '@emma/core/translations/missing-texts.ts'
import { changeTranslation, listTranslations, readTranslation } from '@emma/core/translations/translations.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shippedTexts } from '../../shipped-texts.ts'
import type { Http } from '../http.ts'
import { done, mountAction } from '../mount-action.ts'
import { revisionOf } from '../mount-resource.ts'
import { presentAll } from '../page.ts'
import { readActor } from '../read-actor.ts'

/** Mounts the console's texts: read by everybody, edited by superadmins, missing keys reported by consoles. */
export function mountTranslationActions(http: Http): void {
  const shipped = shippedTexts(http.config.consoleFolder)

  mountAction(http, contract.listTranslations, async ({ db }) =>
    presentAll(await listTranslations(db, shipped, textLanguages)),
  )

  mountAction(http, contract.readTranslation, async ({ db, params, request, reply }) => {
    const found = await readTranslation(db, shipped, params.language)
    const { language, localisation, label, optional } = found
    return tagged(request, reply, { language, localisation, label, optional })
  })

  mountAction(http, contract.readTexts, async ({ db, params, request, reply }) => {
    const { localisation } = await readTranslation(db, shipped, params.language)
    return tagged(request, reply, localisation)
  })

  mountAction(http, contract.changeTranslation, ({ db, actor, params, body, request }) =>
    changeTranslation(db, actor, shipped, params.language, body, {
      whole: false,
      revision: revisionOf(request),
    }),
  )

  mountAction(http, contract.replaceTranslation, ({ db, actor, params, body, request }) =>
    changeTranslation(db, actor, shipped, params.language, body, {
      whole: true,
      revision: revisionOf(request),
    }),
  )

  mountAction(http, contract.addMissingTexts, async ({ db, params, body, request }) => {
    const isAnonymous = await readActor(http, request).then(
      () => false,
      () => true,
    )
    await addMissingTexts(db, shipped, { ...params, texts: body, isAnonymous })
    return done
  })

  mountAction(http, contract.listMissingTexts, async ({ db }) => presentAll(await listMissingTexts(db)))

  mountAction(http, contract.forgetMissingTexts, async ({ db, query }) => {
    await forgetMissingTexts(db, query.key)
    return done
  })
}

/** Browsers cache them and revalidate each time; 304 if unchanged. */
function tagged(request: FastifyRequest, reply: FastifyReply, texts: object): FastifyReply {
  const body = JSON.stringify(texts)
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  void reply.header('etag', etag).header('cache-control', 'no-cache')
  if (request.headers['if-none-match'] === etag) {
    return reply.status(304).send()
  }
  return reply.type('application/json; charset=utf-8').send(body)
}
