import { hasWords, joinWords } from './numbered-words.ts'
import type { MediaQuery, RenderedSection } from './section-cache.ts'

/** A section of a source that MJML runs on. */
export interface Section {
  name: string
  /** Null if MJML renders it. */
  cached: RenderedSection | null
  /** Its words, see `takeWords`. */
  words: readonly string[]
  isFirst: boolean
  /** What MJML rendered, to be cached; null if it cannot be. */
  fresh: FreshSection | null
}

export type FreshSection = Omit<RenderedSection, 'html'> & { html: string }

export interface SectionRun {
  sections: readonly Section[]
  /** Sections of the cache are inserted after MJML's last steps; otherwise before. */
  isInsertedLast: boolean
  /** True if a section could not be rendered as MJML alone would. */
  hasFault: boolean
  /** Fonts that MJML imports where they occur. */
  fonts: readonly string[]
}

/** Where a section begins and ends in the HTML. */
export function sectionMarks(index: number): { begin: string; end: string } {
  return { begin: `${sectionAttribute}:${index}:begin;`, end: `${sectionAttribute}:${index}:end;` }
}

/** Attribute of a section in MJML: its index. */
export const sectionAttribute = 'emma-section'

/** Components that can be children of mj-body and contain others. */
export const sectionNames: ReadonlySet<string> = new Set(['mj-section', 'mj-wrapper', 'mj-hero'])

/** Components for MJML that render sections of the cache from it, and record the others. */
export async function sectionComponents(run: SectionRun): Promise<unknown[]> {
  // MJML adds its components when it is loaded.
  await import('mjml')
  const { components } = await import('mjml-core')
  const classes = components as unknown as Record<string, SectionClass | undefined>
  return [...sectionNames].flatMap(name => (classes[name] ? [sectionComponent(classes[name], run)] : []))
}

/** The parts of MJML's components that are used here (mjml-core 5.4.1). */
interface SectionClass {
  new (
    initial: unknown,
  ): {
    props: { index: number; rawAttrs?: Record<string, string> }
    context: SectionContext
    render(): string
  }
  allowedAttributes?: Record<string, string>
}

interface SectionContext {
  globalData: {
    breakpoint: string
    fonts: Record<string, string>
    inlineStyle: readonly unknown[]
    htmlAttributes: object
  }
  addMediaQuery: (...query: MediaQuery) => void
  addHeadStyle: (component: string, style: (breakpoint: string) => string) => void
  /** Spelled so. */
  addComponentHeadSyle: (style: unknown) => void
}

function sectionComponent(Base: SectionClass, run: SectionRun): SectionClass {
  return class extends Base {
    static override readonly allowedAttributes = { ...Base.allowedAttributes, [sectionAttribute]: 'string' }

    override render(): string {
      const index = Number(this.props.rawAttrs?.[sectionAttribute])
      const section = run.sections[index]
      if (!section) return super.render()
      const { context } = this
      const { globalData } = context
      run.fonts = Object.keys(globalData.fonts)
      // These MJML applies to the whole HTML.
      if (globalData.inlineStyle.length > 0 || Object.keys(globalData.htmlAttributes).length > 0)
        run.isInsertedLast = false
      if ((this.props.index === 0) !== section.isFirst) run.hasFault = true
      const { begin, end } = run.isInsertedLast ? sectionMarks(index) : { begin: '', end: '' }
      if (section.cached) {
        addToHead(context, section.cached)
        const { html, fonts } = section.cached
        return begin + (run.isInsertedLast ? fontUses(fonts) : joinWords(html, section.words)) + end
      }
      const recorded = recordHead(context)
      this.context = recorded.context
      const html = super.render()
      this.context = context
      section.fresh = recorded.isCacheable() ? { html, ...recorded.head, fonts: [] } : null
      return begin + html + end
    }
  }
}

function addToHead(context: SectionContext, { mediaQueries, headStyles }: RenderedSection): void {
  for (const query of mediaQueries) context.addMediaQuery(...query)
  for (const [component, css] of headStyles) context.addHeadStyle(component, () => css)
}

/** What MJML searches for the fonts to import, also with none: it searches from quote to quote. */
function fontUses(fonts: readonly string[]): string {
  return fonts.length === 0 ? '""' : fonts.map(fontUse).join('')
}

export function fontUse(font: string): string {
  return `"font-family:${font}"`
}

function recordHead(context: SectionContext) {
  const mediaQueries: MediaQuery[] = []
  const headStyles = new Map<string, string>()
  let isCacheable = true
  const recording: SectionContext = {
    ...context,
    addMediaQuery(...query) {
      mediaQueries.push(query)
      if (hasWords(JSON.stringify(query))) isCacheable = false
      context.addMediaQuery(...query)
    },
    addHeadStyle(component, style) {
      headStyles.set(component, style(context.globalData.breakpoint))
      context.addHeadStyle(component, style)
    },
    addComponentHeadSyle(style) {
      isCacheable = false
      context.addComponentHeadSyle(style)
    },
  }
  const head = {
    mediaQueries,
    get headStyles() {
      return [...headStyles]
    },
  }
  return { context: recording, head, isCacheable: () => isCacheable }
}
