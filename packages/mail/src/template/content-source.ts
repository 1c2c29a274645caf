import type { LinkRow } from '../links/link-table.ts'
import type { KnownNames } from './check-variables.ts'
import type { BrandValues } from './brand-values.ts'
import type { Module } from './modules.ts'

/** Attachments of a message. Their limits are of the contract, which this package does not import. */
export interface AttachedSizes {
  /** `size`: bytes; null if the file is gone. */
  files: readonly { name: string; size: number | null }[]
  /** Bytes of all files. */
  totalBytes: number
  /** Bytes of a whole mail above which there is a warning. */
  warnedMailBytes: number
}

/** Sizes of images, by the path of their URL. */
export interface ImageSizes {
  files: readonly { path: string; name: string; size: number }[]
  /** Bytes above which the checks warn. */
  heavyBytes: number
}

/** A message as edited, with the settings of its installation. */
export interface ContentSource {
  subject: string
  preheader: string
  /** Ignored if there is MJML. */
  html: string
  mjml?: string | null
  /** Generated from the HTML when empty. */
  text: string
  modules: readonly Module[]
  known: KnownNames
  /** Values of `{{ brand.… }}`, which are inserted when the message is compiled. */
  brand?: BrandValues
  /** Scheme and host of the tracking domain, the prefix of all public URLs of the message. */
  trackingBase: string
  /** True if opens and clicks are tracked; system links work in any case. */
  isTracked: boolean
  /** Previous link table of the message: names and `is_active` are preserved. */
  links?: readonly Omit<LinkRow, 'index'>[]
  /** For the checks of the whole mail. */
  attachments?: AttachedSizes
  /** Images of the file manager that the message shows. */
  images?: ImageSizes
  /** Charset of the mail; default: UTF-8. */
  charset?: string
  /** Links of earlier languages of the message: the same URLs share their rows. */
  sharedLinks?: readonly LinkRow[]
  /** BCP 47; language of modules, dates and numbers. Default: English. */
  language?: string
  /** IANA name. Default: UTC. */
  timeZone?: string
}
