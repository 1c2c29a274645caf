import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { htmlBodyRequest, readHtmlBody } from '@emma/contract/actions/html-body.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { clientExists, fileBaseOf } from '@emma/core/files/file-host.ts'
import { can, ownClient } from '@emma/core/resource/actor.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { fetchPage, originOfPage } from '../../content/import/fetch-page.ts'
import { createTemplateImports, type Origin } from '../../content/import/import-template.ts'
import { type ArchivedTemplate, withArchive } from '../../content/import/read-archive.ts'
import type { FileParts } from '../../files/edit-image.ts'
import { assertDiskSpace } from '../../files/receive-file.ts'
import { type Beefree, readBeefreeDesign } from '../../provider/beefree.ts'
import { IMPORT_LIMITS } from '../../network/limits.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { unpacked } from '../read-multipart.ts'
import { readParts } from '../read-parts.ts'

type HtmlBody = z.output<typeof htmlBodyRequest>

/** Mounts the import of templates from pages, HTML and ZIP archives (R249). */
export function mountHtmlBody(http: Http, files: FileParts, beefree: Beefree): void {
  const imports = createTemplateImports(files)
  http.app.addHook('onClose', () => imports.close())

  mountAction(http, readHtmlBody, async ({ db, actor, body, request }) => {
    if (!request.isMultipart()) {
      const design = readBeefreeDesign(body.html ?? '')
      const html = design ? await beefree.exportHtml(design) : body.html
      const imported = await run(body, async use => use(await originOf({ ...body, html })))
      return { ...imported, bee_json: asJson(design) }
    }
    return withUpload(request, files.folder, (data, path) =>
      run(data, use => withArchive(path, template => use(originOfArchive(template)))),
    )

    async function run(data: HtmlBody, open: Parameters<typeof imports.run>[1]) {
      const clientId = ownClient(actor, data.client_id)
      if (data.store_images && !can(actor, 'CloudStorage:post')) throw new EmmaError('forbidden')
      if (data.store_images && !(await clientExists(db, clientId))) throw new EmmaError('not_found')
      const store = data.store_images
        ? { db, actor, base: await fileBaseOf(db, clientId, http.config.trackingUrl) }
        : null
      return imports.run({ clientId, inlinesCss: data.inline_css, store }, open)
    }
  })
}

/** A design as its JSON. */
function asJson(design: object | null): Answer<typeof readHtmlBody>['bee_json'] {
  return design && JSON.parse(JSON.stringify(design))
}

/** The origin of a request without a file: a page, or HTML. */
async function originOf({ url, html }: HtmlBody): Promise<Origin> {
  if ((url === undefined) === (html === undefined)) throw invalid([fieldError('url', 'import.one_source')])
  const page = url === undefined ? { source: html ?? '', url: null } : await fetchPage(url, 'public')
  return originOfPage(page, 'public')
}

/** Images of an archive and those of the web. */
function originOfArchive(template: ArchivedTemplate): Origin {
  const { source, name, templates } = template
  const web = originOfPage({ source, url: null }, 'public')
  const others = fault('import.other_templates', { count: templates, name })
  return {
    ...web,
    warnings: templates > 1 ? [others] : [],
    readImage: (url, timeout) => (/^https?:/i.test(url) ? web.readImage(url, timeout) : template.read(url)),
    missing: (line, url) =>
      /^https?:/i.test(url) ? web.missing(line, url) : fault('import.image_missing', { line, url }),
  }
}

/** Receives the file of a form for the time of `use`. */
async function withUpload<T>(
  request: FastifyRequest,
  folder: string,
  use: (data: HtmlBody, path: string) => Promise<T>,
): Promise<T> {
  const { data, file } = await readParts(request, htmlBodyRequest)
  await assertDiskSpace(folder)
  const path = join(folder, randomUUID())
  try {
    await pipeline(unpacked(file.file), bounded, createWriteStream(path, { mode: 0o600 })).catch(
      (error: unknown) => {
        if (isBadGzip(error)) throw invalid([fieldError('file', 'import.zip_broken')])
        throw error
      },
    )
    return await use(data, path)
  } finally {
    file.file.resume()
    await rm(path, { force: true })
  }
}

/** Codes of zlib. */
function isBadGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > IMPORT_LIMITS.archiveBytes)
      throw new EmmaError(
        'too_large',
        fieldError('file', 'import.zip_size', { max: IMPORT_LIMITS.archiveBytes / 1_048_576 }),
      )
    yield chunk
  }
}
