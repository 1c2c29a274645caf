import { type readHtmlBody, SOURCE_CHARACTERS } from '@emma/contract/actions/html-body.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { acceptedExtensions } from '@emma/contract/file-storage.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import { splitName, toFileName } from '@emma/core/files/file-path.ts'
import {
  dropContent,
  insertFiles,
  publicPath,
  putContent,
  type StoredContent,
} from '@emma/core/files/store-file.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Resource } from '@emma/mail/template/find-resources.ts'
import { formatOf } from '@emma/mail/template/read-source.ts'
import { Readable } from 'node:stream'
import type { FileParts } from '../../files/edit-image.ts'
import { receiveFile } from '../../files/receive-file.ts'
import { PlaceQueue } from '../../network/concurrency-queue.ts'
import { IMPORT_LIMITS } from '../../network/limits.ts'
import { createThread, ThreadMemoryExceeded, ThreadTimeout } from '../../run-in-thread.ts'
import type { ChangedSource } from './parse-source.ts'
import type { SourceAnswer, SourceTask } from './source-thread.ts'

type Imported = Answer<typeof readHtmlBody>

/** A source and where its images are. */
export interface Origin {
  source: string
  /** Address of the page; null for sources whose relative URLs lead nowhere. */
  url: string | null
  /** Findings of its reading. */
  warnings: Fault[]
  /** Bytes of an image by its URL, or why it is rejected; null if there is none. */
  readImage(
    url: string,
    timeout: number,
  ): Promise<{ bytes: Buffer; name: string; type: string } | { cause: Fault } | null>
  /** Finding for an image that cannot be read. */
  missing(line: number, url: string): Fault
}

export interface ImportRequest {
  clientId: number
  inlinesCss: boolean
  /** Null: images are not stored. */
  store: { db: Db; actor: Actor; base: string } | null
}

/** Imports templates, a bounded number at a time. */
export interface TemplateImports {
  /**
   * @throws EmmaError `invalid` (no template, too long), `too_large` (quota), `busy`; nothing is stored then
   */
  run(
    request: ImportRequest,
    open: (use: (origin: Origin) => Promise<Imported>) => Promise<Imported>,
  ): Promise<Imported>
  close(): Promise<void>
}

const SOURCE_THREAD = new URL('source-thread.ts', import.meta.url)

export function createTemplateImports(files: FileParts): TemplateImports {
  const { total, perClient, waitingPerClient, waitMs, parseTimeoutMs, threadMemoryBytes } = IMPORT_LIMITS
  const queue = new PlaceQueue({ total, perKey: perClient, waitingPerKey: waitingPerClient, waitMs })
  const thread = createThread<SourceTask, SourceAnswer>(SOURCE_THREAD, {
    processorMs: parseTimeoutMs,
    memoryMb: threadMemoryBytes / 1_048_576,
  })

  async function ask(task: SourceTask): Promise<SourceAnswer> {
    try {
      return await thread.run(task)
    } catch (error) {
      if (error instanceof ThreadTimeout || error instanceof ThreadMemoryExceeded) throw costly()
      throw error
    }
  }

  async function importFrom(origin: Origin, request: ImportRequest): Promise<Imported> {
    const { source } = origin
    const format = formatOf(source)
    if (format === null) throw invalid([fieldError('html', 'import.no_template')])
    if (source.length > SOURCE_CHARACTERS)
      throw invalid([fieldError('html', 'import.characters', { max: SOURCE_CHARACTERS / 1_000_000 })])
    const answer = await ask({ parse: source })
    if (!('parsed' in answer)) throw new Error('The thread answered another task.')
    const { resources, base } = answer.parsed
    const addressOf = absolute(origin.url, base)
    const images = resources.filter(({ kind }) => kind === 'image')
    const isHtml = format === 'html'
    const change = async (stored: ReadonlyMap<string, string>): Promise<ChangedSource> => {
      const urls = new Map(resources.map(({ url }) => [url, stored.get(url) ?? addressOf(url)]))
      const answered = await ask({
        change: { source, resources, urls, isHtml, inlinesCss: request.inlinesCss },
      })
      if (!('changed' in answered)) throw new Error('The thread answered another task.')
      if (answered.changed === null) throw costly()
      return answered.changed
    }
    // Before images are stored: a template that is rejected leaves none behind.
    const unstored = await change(new Map())
    const stored = await storeImages(files, origin, images, addressOf, request)
    const changed = stored.urls.size === 0 ? unstored : await change(stored.urls)
    const shown = [...new Set(images.map(({ url }) => url))]
    return {
      ...changed,
      bee_json: null,
      format,
      images: shown.map(url => ({ url, stored_url: stored.urls.get(url) ?? null })),
      warnings: [...origin.warnings, ...stored.warnings, ...findingsOf(resources, addressOf)],
    }
  }

  return {
    run: (request, open) =>
      queue.run(String(request.clientId), () => open(origin => importFrom(origin, request))),
    close: () => thread.close(),
  }
}

function costly(): EmmaError {
  return invalid([fieldError('html', 'import.costly')])
}

/** Absolute form of a URL; unchanged without an address. */
function absolute(page: string | null, base: string | null): (url: string) => string {
  const named = base === null ? null : URL.parse(base, page ?? undefined)
  const address = named && /^https?:$/.test(named.protocol) ? named.href : page
  return url => {
    if (/^https?:/i.test(url) || (address === null && !url.startsWith('//'))) return url
    return URL.parse(url, address ?? 'https://-')?.href ?? url
  }
}

async function storeImages(
  files: FileParts,
  origin: Origin,
  images: readonly Resource[],
  addressOf: (url: string) => string,
  { clientId, store }: ImportRequest,
): Promise<{ urls: Map<string, string>; warnings: Fault[] }> {
  const urls = new Map<string, string>()
  const warnings: Fault[] = []
  if (store === null) return { urls, warnings }
  const { db, actor, base } = store
  const received: ReceivedImage[] = []
  try {
    await receiveImages(files, origin, images, addressOf, { clientId, base }, received, warnings)
  } catch (error) {
    for (const { content } of received) await dropContent(files.storage, clientId, content)
    throw error
  }
  if (received.length === 0) return { urls, warnings }
  const folder = { clientId, folder: '/', name: 'imported', isFolder: true }
  const rows = await insertFiles(db, files.storage, actor, folder, received)
  for (const [index, row] of rows.entries()) urls.set(received[index]?.url ?? '', `${base}${publicPath(row)}`)
  return { urls, warnings }
}

interface ReceivedImage {
  /** As in the source. */
  url: string
  name: string
  content: StoredContent
}

async function receiveImages(
  files: FileParts,
  origin: Origin,
  images: readonly Resource[],
  addressOf: (url: string) => string,
  { clientId, base }: { clientId: number; base: string },
  received: ReceivedImage[],
  warnings: Fault[],
): Promise<void> {
  const deadline = Date.now() + IMPORT_LIMITS.imagesTimeoutMs
  const firsts = new Map(images.toReversed().map(image => [image.url, image]))
  const places = [...firsts.values()].toReversed()
  for (const [index, { url, line }] of places.entries()) {
    const address = addressOf(url)
    const left = deadline - Date.now()
    if (index >= IMPORT_LIMITS.images || left <= 0) {
      const limits = { max: IMPORT_LIMITS.images, seconds: IMPORT_LIMITS.imagesTimeoutMs / 1000 }
      warnings.push(fault('import.images', { line, url: address, ...limits }))
      break
    }
    // Files of the client already.
    if (address.startsWith(`${base}/files/${clientId}/`)) continue
    const image = await origin.readImage(address, Math.min(left, IMPORT_LIMITS.pageTimeoutMs))
    if (image === null) {
      warnings.push(origin.missing(line, address))
      continue
    }
    const content = 'cause' in image ? image : await receive(files, clientId, image)
    if ('cause' in content)
      warnings.push(fault('import.image_rejected', { line, url: address, cause: content.cause }))
    else received.push({ url, ...content })
  }
}

/** Stores the content of an image, or tells why it is rejected. @throws EmmaError `busy`, `disk_full` */
async function receive(
  { storage, images, folder }: FileParts,
  clientId: number,
  { bytes, name, type }: { bytes: Buffer; name: string; type: string },
): Promise<{ name: string; content: StoredContent } | { cause: Fault }> {
  const incoming = { stream: Readable.from([bytes]), name: imageName(name), type }
  try {
    return await receiveFile({ folder, images, clientId }, incoming, async file => {
      const isImage = file.type.startsWith('image/')
      if (!isImage) return { cause: fault('import.no_image') }
      return { name: file.name, content: await putContent(storage, clientId, file) }
    })
  } catch (error) {
    const cause =
      error instanceof EmmaError && ['invalid', 'too_large'].includes(error.code) ? causeOf(error) : null
    if (cause === null) throw error
    return { cause }
  }
}

function causeOf({ fields, fault }: EmmaError): Fault | null {
  return fault ?? fields[0] ?? null
}

/** The name without an ending that belongs to no image: addresses may end in `.php`. */
function imageName(text: string): string {
  const name = toFileName(text)
  const { stem, extension } = splitName(name)
  const isKnown = (acceptedExtensions as readonly string[]).includes(extension.toLowerCase())
  return isKnown ? name : stem
}

function findingsOf(resources: readonly Resource[], addressOf: (url: string) => string): Fault[] {
  return resources
    .flatMap(({ kind, url, line }) => {
      const address = addressOf(url)
      if (kind === 'stylesheet') return [fault('import.stylesheet', { line, url: address })]
      const isIncomplete = kind === 'link' && !/^https?:/i.test(address)
      return isIncomplete ? [fault('import.relative_link', { line, url })] : []
    })
    .slice(0, MOST_FINDINGS)
}

/** More help nobody. */
const MOST_FINDINGS = 100
