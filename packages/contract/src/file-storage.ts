import { z } from 'zod'
import { checkFault } from './schema-faults.ts'

/**
 * The file storage (R130, R302): folders and files per client under `/{client_id}/`, files of the installation under
 * `/shared/`, in the format of Beefree's File System Provider.
 */

/** Owner of the shared files, instead of a client. */
export const sharedStorage = 0

/** Path segment of the shared files. */
export const sharedSegment = 'shared'

/** Prefix of the API. */
export const storagePath = '/cloudstorage'

/** Types of files, detected from their content, and their extension. No others are stored or served. */
export const fileTypes = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
} as const

export type FileType = keyof typeof fileTypes

export function isFileType(type: string): type is FileType {
  return Object.hasOwn(fileTypes, type)
}

/** Images that email clients do not show: stored as JPEG, PNG or GIF. */
export const convertedTypes: readonly string[] = ['image/webp', 'image/avif']

/** Extensions that the console offers. */
export const acceptedExtensions = ['.jpg', '.jpeg', '.png', '.gif', '.webp', '.avif', '.pdf'] as const

export const FILE_LIMITS = {
  nameCharacters: 100,
  folderDepth: 10,
  folderEntries: 5_000,
  /** Of a client, including the bin. */
  entries: 100_000,
  fileBytes: 20_000_000,
  clientBytes: 5_000_000_000,
  /** Width × height; of all frames together, if the image is converted. */
  imagePixels: 50_000_000,
  /** Of an image in a mail, above which the checks warn. */
  heavyImageBytes: 500_000,
  binDays: 30,
} as const

/** A name of the FSP protocol: `[ a-zA-Z0-9._-()]+`, without `.`, `..`, and blanks at its ends. */
export const fileName = z
  .string()
  .max(FILE_LIMITS.nameCharacters)
  .regex(/^[ a-zA-Z0-9._()-]+$/, checkFault('field.plain_characters'))
  .refine(name => !/^\.+$/.test(name) && name.trim() === name, checkFault('field.plain_characters'))

export const conflictStrategies = ['ask', 'keep', 'replace'] as const
export type ConflictStrategy = (typeof conflictStrategies)[number]

/** Metadata of a file or folder in the FSP protocol. */
export interface StorageMeta {
  'mime-type': string
  name: string
  /** From the root; of a folder with a slash at its end. */
  path: string
  /** Milliseconds since 1970. */
  'last-modified': number
  size: number
  permissions: 'ro' | 'rw'
  'public-url'?: string
  thumbnail?: string
  'item-count'?: number
  extra: StorageExtra
}

/** EMMA's own metadata. */
export interface StorageExtra {
  file_id?: number
  alt?: string | null
  width?: number | null
  height?: number | null
  /** The upload was skipped, as the file exists with the same name, size and type. */
  skipped?: boolean
}

export const folderType = 'application/directory'

/** Error codes of the FSP protocol; 3900–3999 are EMMA's own. */
export const storageErrors = {
  unknown: 3001,
  unavailable: 3100,
  not_found: 3200,
  forbidden: 3300,
  conflict: 3400,
  invalid: 3450,
  bad_request: 3500,
  unauthorized: 3650,
  too_large: 3900,
  unsupported_media: 3901,
  disk_full: 3902,
  too_many: 3903,
} as const

/** Rejection in the FSP protocol; `details` holds the error as of other paths. */
export interface StorageRefusal {
  status: 'error'
  code: number
  message: string
  details: { code: string; reason?: string; values?: unknown; fields?: unknown }
}
