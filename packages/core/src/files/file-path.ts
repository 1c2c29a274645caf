import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { FILE_LIMITS, fileName, sharedSegment, sharedStorage } from '@emma/contract/file-storage.ts'

/** Place of a file or folder. The root of a client's files has an empty name. */
export interface FilePath {
  clientId: number
  /** Path of its folder from the client's root, with slashes at both ends. */
  folder: string
  name: string
  isFolder: boolean
}

/**
 * Parses a decoded path such as `/12/news/logo.png`; a slash at its end means a folder. Null for `/`, which lists the
 * clients.
 * @throws EmmaError `bad_request` for names that the FSP protocol does not have (`..`, NUL, other alphabets),
 * `not_found` for an owner that is no client
 */
export function parseFilePath(path: string): FilePath | null {
  const isFolder = path.endsWith('/')
  const [owner = '', ...names] = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (owner === '') return null
  const clientId = ownerOf(owner)
  if (names.length === 0) return { clientId, folder: '/', name: '', isFolder: true }
  if (!names.every(name => fileName.safeParse(name).success))
    throw new EmmaError('bad_request', fault('file.path'))
  if (names.length > FILE_LIMITS.folderDepth + (isFolder ? 0 : 1))
    throw new EmmaError('bad_request', fault('file.depth', { max: FILE_LIMITS.folderDepth }))
  const folders = names.slice(0, -1)
  return { clientId, folder: pathOf(folders), name: names.at(-1) ?? '', isFolder }
}

function ownerOf(segment: string): number {
  if (segment === sharedSegment) return sharedStorage
  if (!/^[1-9]\d{0,14}$/.test(segment)) throw new EmmaError('not_found')
  return Number(segment)
}

function pathOf(folders: readonly string[]): string {
  return folders.length === 0 ? '/' : `/${folders.join('/')}/`
}

/** Path of a folder's entries: `/news/`. */
export function insideOf({ folder, name }: Pick<FilePath, 'folder' | 'name'>): string {
  return name === '' ? '/' : `${folder}${name}/`
}

/** The folder of a path as a place of its own. */
export function parentOf({ clientId, folder }: Pick<FilePath, 'clientId' | 'folder'>): FilePath {
  const names = folder.split('/').filter(Boolean)
  return { clientId, folder: pathOf(names.slice(0, -1)), name: names.at(-1) ?? '', isFolder: true }
}

/** The path on the wire: `/12/news/logo.png`, `/shared/`. */
export function toWirePath({ clientId, folder, name, isFolder }: FilePath): string {
  const owner = clientId === sharedStorage ? sharedSegment : String(clientId)
  return `/${owner}${folder}${name}${isFolder && name !== '' ? '/' : ''}`
}

const letters: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' }

/** Converts the name of a file on somebody's computer to a name of the protocol: `Größe №1.png` → `Groesse -1.png`. */
export function toFileName(text: string): string {
  const last = text.slice(-1000).replaceAll('\\', '/').split('/').at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .replaceAll(/[äöüÄÖÜß]/g, letter => letters[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ a-zA-Z0-9._()-]+/g, '-')
    .trim()
  const { stem, extension } = splitName(plain)
  const most = FILE_LIMITS.nameCharacters - extension.length
  const name = `${stem.slice(0, Math.max(0, most)).trim() || 'file'}${extension}`
  return fileName.safeParse(name).success ? name : 'file'
}

/** Splits before the last dot, unless the name begins with it; extensions are up to ten characters. */
export function splitName(name: string): { stem: string; extension: string } {
  const at = name.lastIndexOf('.')
  const isExtension = at > 0 && name.length - at <= 11
  return isExtension ? { stem: name.slice(0, at), extension: name.slice(at) } : { stem: name, extension: '' }
}
