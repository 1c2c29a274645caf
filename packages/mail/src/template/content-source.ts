import type { LinkRow } from '../links/link-table.ts'
import type { KnownNames } from './check-variables.ts'
import type { BrandValues } from './brand-values.ts'
import type { Module } from './modules.ts'

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
  /** BCP 47; language of modules, dates and numbers. Default: English. */
  language?: string
  /** IANA name. Default: UTC. */
  timeZone?: string
}
