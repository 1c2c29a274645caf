import * as catalog from '@emma/contract/actions/catalog.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { findBrandFields } from '@emma/core/content/find-brand.ts'
import { imprintOf } from '@emma/core/content/imprint.ts'
import { findPictures } from '@emma/core/content/mail-pictures.ts'
import { requestMissing } from '@emma/core/content/request-pictures.ts'
import { fileBaseOf } from '@emma/core/files/file-host.ts'
import { type Actor, scopeOf } from '@emma/core/resource/actor.ts'
import { categoryTitles, collectionTitles } from '../../catalog/designs.ts'
import { designsIn, listDesigns, pageOf, presentDesign } from '../../catalog/list-designs.ts'
import {
  type DesignLanguage,
  type LocalDesign,
  readDesignImage,
  translate,
} from '../../catalog/read-designs.ts'
import { readDesignSource, sourceOf } from '../../catalog/render-design.ts'
import type { PreviewPool } from '../../content/preview-pool.ts'
import { createBoundedMap } from '../../bounded-map.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Rendered designs in memory, each about 30 kB. */
const CACHED_PREVIEWS = 200

/** The catalogue of designs (R261–R263). */
export function mountCatalogActions(http: Http, { preview }: PreviewPool): void {
  const { trackingUrl } = http.config
  const previews = createBoundedMap<{ subject: string; html: string; text: string }>(CACHED_PREVIEWS)

  mountAction(http, catalog.listCatalogCategories, async ({ query }) =>
    pageOf('/catalog/categories', groupsOf('category', categoryTitles, query.lang), query),
  )

  mountAction(http, catalog.listCatalogCollections, async ({ query }) =>
    pageOf('/catalog/collections', groupsOf('collection', collectionTitles, query.lang), query),
  )

  mountAction(http, catalog.listCatalogTemplates, async ({ db, actor, query }) => {
    const page = listDesigns(query)
    const clientId = actor.clientId
    if (clientId === null) return page
    const subjectOf = (slug: string) => `design/${slug}/${query.lang}` as const
    const subjects = page.results.map(({ slug }) => subjectOf(slug))
    await requestMissing(db, clientId, subjects)
    const mails = subjects.map(subject => ({ clientId, subject }))
    const pictures = await findPictures(db, trackingUrl, mails)
    const results = page.results.map(design => {
      const picture = pictures.get(subjectOf(design.slug))
      return picture
        ? { ...design, thumbnail: picture.url_small, thumbnail_large: picture.url_large }
        : design
    })
    return { ...page, results }
  })

  mountAction(http, catalog.readCatalogTemplate, async ({ db, actor, params, query }) => {
    const design = findDesign(params.slug, query.lang)
    const clientId = clientOf(actor, query.client_id)
    const base = await fileBaseOf(db, clientId, trackingUrl)
    return {
      ...presentDesign(design),
      subject: design.subject,
      preheader: design.preheader,
      body_mjml: sourceOf(design, {
        base,
        brand: await findBrandFields(db, clientId),
        imprint: await imprintOf(db, clientId),
      }),
    }
  })

  mountAction(http, catalog.renderCatalogTemplate, async ({ db, actor, params, query }) => {
    const design = findDesign(params.slug, query.lang)
    const clientId = clientOf(actor, query.client_id)
    const rendering = await readDesignSource(db, clientId, design, query.lang, trackingUrl)
    const rendered = await previews.get(JSON.stringify(rendering.key), async () => {
      const mail = await preview(clientId, rendering.source, rendering.data)
      return { subject: mail.subject, html: mail.html, text: mail.text }
    })
    if (rendered === null) throw new EmmaError('not_found')
    return { ...rendered, html: withInlineImages(rendered.html, trackingUrl) }
  })
}

/** The client whose brand a design takes; 0 for a user without an active client. */
function clientOf(actor: Actor, clientId: number | undefined): number {
  if (clientId !== undefined) scopeOf(actor, clientId)
  return clientId ?? actor.clientId ?? 0
}

function findDesign(slug: string, lang: DesignLanguage): LocalDesign {
  const design = designsIn(lang).find(each => each.slug === slug)
  if (!design) throw new EmmaError('not_found')
  return design
}

/** The console shows a preview on any installation, also where images are not served over https. */
function withInlineImages(html: string, base: string): string {
  const names = new Set(
    html
      .split(`${base}/designs/`)
      .slice(1)
      .map(rest => rest.slice(0, rest.indexOf('"'))),
  )
  return [...names].reduce((text, name) => {
    const image = readDesignImage(name)
    if (image === null) return text
    return text.replaceAll(`${base}/designs/${name}`, `data:image/png;base64,${image.toString('base64')}`)
  }, html)
}

function groupsOf<K extends string>(
  field: 'category' | 'collection',
  titles: Record<K, string>,
  lang: DesignLanguage,
) {
  return (Object.entries(titles) as [K, string][]).map(([slug, title]) => ({
    id: slug,
    slug,
    title: translate(title, lang),
    count: designsIn(lang).filter(design => design[field] === slug).length,
  }))
}
