import { SOURCE_CHARACTERS } from '@emma/contract/actions/html-body.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { type Fault, fault, type TextCode, type ValuesFor } from '@emma/contract/faults.ts'
import { FILE_LIMITS } from '@emma/contract/file-storage.ts'
import { formatOf, decodeSource } from '@emma/mail/template/read-source.ts'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { collectBytes } from '../../network/collect-bytes.ts'
import { IMPORT_LIMITS } from '../../network/limits.ts'

/** A template in a ZIP archive. */
export interface ArchivedTemplate {
  source: string
  /** Its path in the archive. */
  name: string
  /** Number of templates; this is the first. */
  templates: number
  /** Bytes of a file by a URL relative to the template, or why it is rejected; null if there is none. */
  read(url: string): Promise<{ bytes: Buffer; name: string; type: string } | { cause: Fault } | null>
}

/**
 * Opens a ZIP archive and checks all its entries before any is unpacked.
 * @throws EmmaError `invalid` in the field `file`: no archive, too many or too large files, paths outside of the
 * archive, symbolic links, passwords, no template
 */
export async function withArchive<T>(
  path: string,
  use: (template: ArchivedTemplate) => Promise<T>,
): Promise<T> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw refused('import.zip_broken')
  })
  // Errors while an entry is read come with its stream.
  zip.on('error', () => {})
  try {
    const entries = await listEntries(zip)
    return await use(await findTemplate(zip, entries))
  } finally {
    zip.close()
  }
}

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const { entryCount } = zip
  const max = IMPORT_LIMITS.archiveEntries
  if (entryCount > max) throw refused('import.zip_entries', { count: entryCount, max })
  const entries: Entry[] = []
  let unpacked = 0
  for await (const entry of iterate(zip)) {
    assertHarmless(entry)
    unpacked += entry.uncompressedSize
    if (entries.length >= max) throw refused('import.zip_entries', { count: entryCount, max })
    if (unpacked > IMPORT_LIMITS.unpackedBytes)
      throw refused('import.zip_unpacked', { max: IMPORT_LIMITS.unpackedBytes / 1_048_576 })
    if (!entry.fileName.endsWith('/') && !isByTheWay(entry.fileName)) entries.push(entry)
  }
  return entries
}

/** yauzl rejects names that lead out of the archive. */
async function* iterate(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    const name = /^(?:invalid relative path|absolute path|invalid characters in fileName): (.*)/s.exec(
      error instanceof Error ? error.message : '',
    )?.[1]
    throw name === undefined
      ? refused('import.zip_broken')
      : refused('import.zip_path', { name: name.slice(0, 200) })
  }
}

const SYMBOLIC_LINK = 0o12

function assertHarmless(entry: Entry): void {
  const name = entry.fileName.slice(0, 200)
  if (entry.externalFileAttributes >>> 28 === SYMBOLIC_LINK) throw refused('import.zip_link', { name })
  if (entry.isEncrypted()) throw refused('import.zip_encrypted', { name })
}

/** Files that operating systems add. */
function isByTheWay(name: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$)/.test(name)
}

async function findTemplate(zip: ZipFile, entries: readonly Entry[]): Promise<ArchivedTemplate> {
  const templates = entries.filter(({ fileName }) => /\.(?:html?|mjml)$/i.test(fileName)).toSorted(byPlace)
  const [template] = templates
  if (!template) throw refused('import.zip_no_template')
  if (template.uncompressedSize > IMPORT_LIMITS.pageBytes)
    throw refused('import.characters', { max: SOURCE_CHARACTERS / 1_000_000 })
  const bytes = await readEntry(zip, template)
  const source = decodeSource(bytes)
  if (formatOf(source) === null) throw refused('import.no_template')
  const folder = template.fileName.slice(0, template.fileName.lastIndexOf('/') + 1)
  const byPath = new Map(entries.map(entry => [entry.fileName, entry]))
  const byLowerPath = new Map(entries.map(entry => [entry.fileName.toLowerCase(), entry]))
  return {
    source,
    name: template.fileName,
    templates: templates.length,
    async read(url) {
      const path = pathOf(url, folder)
      const entry = byPath.get(path) ?? byLowerPath.get(path.toLowerCase())
      if (entry === undefined) return null
      const max = FILE_LIMITS.fileBytes
      if (entry.uncompressedSize > max) return { cause: fault('file.size', { max: max / 1_000_000 }) }
      return { bytes: await readEntry(zip, entry), name: entry.fileName, type: '' }
    },
  }
}

/** The nearest to the root, MJML before the HTML made of it, `index` before others. */
function byPlace(a: Entry, b: Entry): number {
  const rank = ({ fileName }: Entry) =>
    fileName.split('/').length * 4 +
    (/\.mjml$/i.test(fileName) ? 0 : 2) +
    (/(?:^|\/)index\.\w+$/i.test(fileName) ? 0 : 1)
  return rank(a) - rank(b) || (a.fileName < b.fileName ? -1 : 1)
}

/** Path in the archive of a URL relative to a folder; a path that leads out of it names no entry. */
function pathOf(url: string, folder: string): string {
  const base = new URL(`zip://archive/${folder.split('/').map(encodeURIComponent).join('/')}`)
  const pathname = URL.parse(url, base)?.pathname.slice(1) ?? ''
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

/** yauzl stops when an entry unpacks to another size than it says. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  try {
    return (await collectBytes(await zip.openReadStreamPromise(entry), entry.uncompressedSize)).bytes
  } catch {
    throw refused('import.zip_broken')
  }
}

function refused<Code extends TextCode>(code: Code, ...values: ValuesFor<Code>) {
  return invalid([fieldError('file', code, ...values)])
}
