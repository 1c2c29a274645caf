import type { LinkRow } from '../links/link-table.ts'
import { mailFault } from '../mail-fault.ts'
import {
  type AssembledContent,
  assembleContent,
  type CompiledContent,
  compileContent,
  countedOf,
  finishContent,
} from './compile-content.ts'
import type { CompileOptions } from './compile-options.ts'
import type { ContentSource } from './content-source.ts'
import { type ContentTests, contentTests } from './content-tests.ts'
import { ContentError, TemplateError, type Warning, warningOf } from './template-error.ts'

/** The parts of a message in a further language. */
export type LanguageSource = Pick<ContentSource, 'subject' | 'preheader' | 'html' | 'text'> & {
  mjml?: string | null
  language: string
}

/** A message in all its languages, compiled or assembled. */
interface InLanguages<T> {
  /** The message in its default language. */
  content: T
  /** By language. */
  others: ReadonlyMap<string, T>
  /** Of all languages: a link with a URL of an earlier language shares its row. */
  links: LinkRow[]
  warnings: Warning[]
}

export type CompiledLanguages = InLanguages<CompiledContent>
/** Plain data, which a thread can return; `finishLanguages` makes the compiled message of it. */
export type AssembledLanguages = InLanguages<AssembledContent>

/**
 * Compiles a message in all its languages.
 * @throws ContentError with the faults of the first language that cannot be compiled; LanguageError of a further one
 */
export function compileLanguages(
  source: ContentSource,
  languages: readonly LanguageSource[],
): Promise<CompiledLanguages> {
  return eachLanguage(source, languages, compileContent)
}

/** Compiles a message as `compileLanguages` does, with the same faults, but for the last step. */
export function assembleLanguages(
  source: ContentSource,
  languages: readonly LanguageSource[],
  options?: CompileOptions,
): Promise<AssembledLanguages> {
  return eachLanguage(source, languages, one => assembleContent(one, options))
}

/** The compiled message of what `assembleLanguages` returned for the same arguments. */
export function finishLanguages(
  source: ContentSource,
  languages: readonly LanguageSource[],
  assembled: AssembledLanguages,
): CompiledLanguages {
  const others = new Map<string, CompiledContent>()
  for (const language of languages) {
    const content = assembled.others.get(language.language)
    if (content) others.set(language.language, finishContent(inOther(source, language), content))
  }
  return { ...assembled, content: finishContent(source, assembled.content), others }
}

async function eachLanguage<T extends Pick<CompiledContent, 'links' | 'warnings'>>(
  source: ContentSource,
  languages: readonly LanguageSource[],
  compile: (source: ContentSource) => Promise<T>,
): Promise<InLanguages<T>> {
  const content = await compile(source)
  const others = new Map<string, T>()
  let { links } = content
  const warnings = [...content.warnings]
  for (const language of languages) {
    const other = { ...inOther(source, language), sharedLinks: links }
    const compiled = await withLanguage(language.language, () => compile(other))
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

async function withLanguage<T>(language: string, compile: () => Promise<T>): Promise<T> {
  try {
    return await compile()
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
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
