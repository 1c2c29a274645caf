import { EmmaError } from '@emma/contract/errors.ts'
import type { PictureTask } from '@emma/core/content/mail-pictures.ts'
import { readMessageForOne, renderMessage } from '@emma/core/content/render-message.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import type { Db } from '@emma/db/connection.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import { designsIn } from '../catalog/list-designs.ts'
import { readDesignSource } from '../catalog/render-design.ts'
import type { PreviewPool } from '../content/preview-pool.ts'

/**
 * The HTML of a template or design for a sample recipient; null if it has none, is deleted, or cannot be compiled.
 * @throws EmmaError `too_large`, `busy` if it takes too long
 */
export async function renderSubject(
  db: Db,
  { preview }: PreviewPool,
  trackingUrl: string,
  { client_id: clientId, subject }: Pick<PictureTask, 'client_id' | 'subject'>,
): Promise<string | null> {
  const [kind, name = '', lang] = subject.split('/')
  try {
    return kind === 'message' ? await renderTemplate(Number(name)) : await renderDesign(name, lang)
  } catch (error) {
    const isFinal = error instanceof EmmaError && ['invalid', 'not_found'].includes(error.code)
    if (isFinal || error instanceof ContentError) return null
    throw error
  }

  async function renderTemplate(id: number): Promise<string | null> {
    const scope = { clientIds: [clientId] }
    const sample = { memberId: 0 }
    const actor = systemActor(clientId)
    const read = await readMessageForOne(db, actor, scope, id, trackingUrl, sample)
    const mail = await renderMessage(read, preview)
    return mail.html || null
  }

  async function renderDesign(slug: string, language: string | undefined): Promise<string | null> {
    const lang = language === 'de' || language === 'es' ? language : 'en'
    const design = designsIn(lang).find(each => each.slug === slug)
    if (!design) return null
    const { source, data } = await readDesignSource(db, clientId, design, lang, trackingUrl)
    const mail = await preview(clientId, source, data)
    return mail.html || null
  }
}
