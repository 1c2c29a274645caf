import type { SectionCache } from './section-cache.ts'

/** What an editor does differently, which compiles the same content again and again. */
export interface CompileOptions {
  /** Sections of MJML that were rendered before; missing: all are rendered. */
  sections?: SectionCache
  /** Leaves out the checks of MJML's HTML and all warnings: for a picture of a message that is checked elsewhere. */
  isUnchecked?: boolean
}
