import type { LinkRow } from '../links/link-table.ts'
import { mailFault } from '../mail-fault.ts'
import { type CompiledContent, compileContent, countedOf } from './compile-content.ts'
import type { ContentSource } from './content-source.ts'
import { type ContentTests, contentTests } from './content-tests.ts'
import { ContentError, TemplateError, type Warning, warningOf } from './template-error.ts'

/** The parts of a message in a further language. */
export type LanguageSource = Pick<ContentSource, 'subject' | 'preheader' | 'html' | 'text'> & {
  mjml?: string | null
  language: string
}

export interface CompiledLanguages {
  /** The message in its default language. */
  content: CompiledContent
  /** By language. */
  others: ReadonlyMap<string, CompiledContent>
  /** Of all languages: a link with a URL of an earlier language shares its row. */
  links: LinkRow[]
  warnings: Warning[]
}

/**
 * Compiles a message in all its languages.
 * @throws ContentError with the faults of the first language that cannot be compiled; LanguageError of a further one
 */
export async function compileLanguages(
  source: ContentSource,
  languages: readonly LanguageSource[],
): Promise<CompiledLanguages> {
  const content = await compileContent(source)
  const others = new Map<string, CompiledContent>()
  let { links } = content
  const warnings = [...content.warnings]
  for (const language of languages) {
    const compiled = await compileOther({ ...inOther(source, language), sharedLinks: links })
    links = compiled.links
    others.set(language.language, compiled)
    warnings.push(
      ...compiled.warnings
        .filter(({ code }) => !ofAllLanguages.has(code))
        .map(warning => inLanguage(language.language, warning)),
    )
  }
  return { content, others, links, warnings }
}

/** The counted sections of a message in all its languages, without compiling it. */
export function contentTestsOf(
  source: ContentSource,
  languages: readonly LanguageSource[],
): ContentTests | null {
  const others = languages.map(each => [each.language, countedOf(inOther(source, each))] as const)
  return contentTests(countedOf(source), new Map(others))
}

function inOther(source: ContentSource, language: LanguageSource): ContentSource & { language: string } {
  return { ...source, ...language, mjml: language.mjml ?? null }
}

/** Faults of a further language. */
export class LanguageError extends ContentError {
  readonly language: string

  constructor(language: string, errors: readonly TemplateError[]) {
    super(errors)
    this.language = language
  }
}

/** Findings that a message has in every language. */
const ofAllLanguages = new Set(['attachment-gone', 'attachments-too-large', 'mail-too-large'])

async function compileOther(source: ContentSource & { language: string }): Promise<CompiledContent> {
  try {
    return await compileContent(source)
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    const { language } = source
    throw new LanguageError(
      language,
      error.errors.map(
        ({ part, line, column, fault }) =>
          new TemplateError(part, line, column, mailFault('content.in_language', { language, fault })),
      ),
    )
  }
}

function inLanguage(language: string, { reason, values, message, ...warning }: Warning): Warning {
  const fault = { code: reason, values, message }
  return { ...warning, ...warningOf(mailFault('content.in_language', { language, fault })) }
}
