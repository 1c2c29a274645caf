import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImageEdit } from '@emma/contract/actions/files.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import {
  acceptedExtensions,
  convertedTypes,
  FILE_LIMITS,
  fileTypes,
  isFileType,
} from '@emma/contract/file-storage.ts'
import { isDiskLow } from '@emma/core/audience/uploads/upload-reservation.ts'
import { splitName } from '@emma/core/files/file-path.ts'
import type { CheckedFile, SentFile } from '@emma/core/files/store-file.ts'
import { fileTypeFromFile } from 'file-type'
import type { ImageProcesses } from './run-image-process.ts'

/** A file being received. */
export interface IncomingFile {
  stream: Readable
  /** A name of the FSP protocol; its extension may be replaced by that of the content. */
  name: string
  /** As the caller says, to recognise the same file. */
  type: string
  /** Applied to an image before it is stored. */
  edit?: ImageEdit
}

/** A received file with the name that fits its content. */
export interface ReceivedFile extends CheckedFile {
  name: string
}

/**
 * Receives a file into a folder, detects its type by its content and prepares images. Whoever calls `use` gets the
 * checked file; it is deleted afterwards.
 * @throws EmmaError `too_large`, `invalid` (empty, type, damaged image), `disk_full`, `busy`
 */
export async function receiveFile<T>(
  { folder, images, clientId }: { folder: string; images: ImageProcesses; clientId: number },
  incoming: IncomingFile,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  await assertDiskSpace(folder)
  const path = join(folder, randomUUID())
  try {
    const size = await write(incoming.stream, path)
    const sent: SentFile = { name: incoming.name, type: incoming.type, size }
    return await use(await check({ path, images, clientId, sent, edit: incoming.edit }))
  } finally {
    incoming.stream.resume()
    for (const ending of ['', '.thumb', '.out']) await rm(`${path}${ending}`, { force: true })
  }
}

/** Creates a folder of received files if there is none. @throws EmmaError `disk_full` */
export async function assertDiskSpace(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize, blocks } = await statfs(folder)
  if (isDiskLow(bavail * bsize, blocks * bsize)) throw new EmmaError('disk_full')
}

async function write(stream: Readable, path: string): Promise<number> {
  let size = 0
  await pipeline(
    stream,
    async function* bounded(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > FILE_LIMITS.fileBytes) throw tooLarge()
        yield chunk
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  )
  if (size === 0) throw invalid([fieldError('file', 'file.empty')])
  return size
}

export function tooLarge(): EmmaError {
  const error = fieldError('file', 'file.size', { max: FILE_LIMITS.fileBytes / 1_000_000 })
  return new EmmaError('too_large', error)
}

interface Unchecked {
  path: string
  images: ImageProcesses
  clientId: number
  sent: SentFile
  edit: ImageEdit | undefined
}

async function check({ path, images, clientId, sent, edit }: Unchecked): Promise<ReceivedFile> {
  const type = await typeOf(path, sent.name)
  if (!type.startsWith('image/')) {
    const plain = { width: null, height: null, thumbnail: null }
    return {
      ...plain,
      name: nameFor(sent.name, type),
      path,
      type: asFileType(type),
      size: sent.size,
      sha256: await hashOf(path),
      sent,
    }
  }
  const image = await images.run(clientId, { path, type, edit })
  const { size } = await stat(image.path)
  if (size > FILE_LIMITS.fileBytes) throw tooLarge()
  return { ...image, name: nameFor(sent.name, image.type), size, sha256: await hashOf(image.path), sent }
}

/** Type by content: one of the closed list, or an image that is converted. */
async function typeOf(path: string, name: string): Promise<string> {
  const found = (await fileTypeFromFile(path))?.mime ?? 'application/octet-stream'
  const type = found === 'image/apng' ? 'image/png' : found
  if (isFileType(type) || convertedTypes.includes(type)) {
    assertFits(name, type)
    return type
  }
  if (await isSvg(path)) throw invalid([fieldError('file', 'file.svg')])
  throw invalid([fieldError('file', 'file.type', { types: acceptedExtensions.join(', ') })])
}

/** An image may have the extension of another image, which is replaced; other contents must fit their names. */
function assertFits(name: string, type: string): void {
  const extension = splitName(name).extension.toLowerCase()
  const isNamedPdf = extension === '.pdf'
  const isNamedOther = extension !== '' && !(acceptedExtensions as readonly string[]).includes(extension)
  if (isNamedOther || (isNamedPdf !== (type === 'application/pdf') && extension !== ''))
    throw invalid([fieldError('file', 'file.extension', { type, name })])
}

const HEAD_BYTES = 4_096

async function isSvg(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return /<svg[\s>]/i.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await file.close()
  }
}

function nameFor(name: string, type: string): string {
  const { stem, extension } = splitName(name)
  const fitting = fileTypes[asFileType(type)]
  const isFitting =
    extension.toLowerCase() === `.${fitting}` || (fitting === 'jpg' && /^\.jpeg$/i.test(extension))
  return isFitting ? name : `${stem.slice(0, FILE_LIMITS.nameCharacters - fitting.length - 1)}.${fitting}`
}

function asFileType(type: string): keyof typeof fileTypes {
  if (isFileType(type)) return type
  throw new Error(`${type} is not stored`)
}

async function hashOf(path: string): Promise<Buffer> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest()
}
