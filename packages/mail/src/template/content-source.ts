import type { LinkRow } from '../links/link-table.ts'
import type { KnownNames } from './check-variables.ts'
import type { Module } from './modules.ts'

/** A message as it is edited, and the installation it is sent from. */
export interface ContentSource {
  subject: string
  preheader: string
  /** Ignored where there is MJML. */
  html: string
  mjml?: string | null
  /** Generated from the HTML when empty. */
  text: string
  modules: readonly Module[]
  known: KnownNames
  /** Scheme and host of the tracking domain: all public addresses of the mail begin with it. */
  trackingBase: string
  /** Whether opens and clicks are counted; the mail's own links work anyway. */
  isTracked: boolean
  /** The link table the message had before: names and `is_active` are kept. */
  links?: readonly Omit<LinkRow, 'index'>[]
  /** BCP 47; language of modules, dates and numbers. English when missing. */
  language?: string
  /** IANA name; UTC when missing. */
  timeZone?: string
}
