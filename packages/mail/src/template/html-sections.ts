import { mailFault } from '../mail-fault.ts'
import { mjmlToHtml } from './mjml.ts'
import { parsePart } from './parse-part.ts'
import type { SectionCache } from './section-cache.ts'
import { ContentError, TemplateError } from './template-error.ts'

/** Sections of MJML as HTML, with their Liquid, to be inserted into a template in HTML. */
export interface HtmlSections {
  html: string
  /** Style elements that they need in the head, each on one line. */
  styles: string[]
}

/**
 * Converts sections of MJML for a template in HTML. Texts without a font have the brand's, as the defaults of an MJML
 * template (`mj-attributes`) do not apply there.
 * @throws ContentError if MJML cannot convert them
 */
export async function htmlSections(mjml: string, sections?: SectionCache): Promise<HtmlSections> {
  const source = `${head}<mj-body>${mjml}</mj-body></mjml>`
  const parsed = parsePart('html', source)
  if (!('pieces' in parsed)) throw new ContentError(parsed)
  const { html, errors } = await mjmlToHtml(source, parsed, sections)
  if (errors.length > 0) throw new ContentError(errors)
  const content = contentOf(html)
  if (content === '')
    throw new ContentError([new TemplateError('html', 1, 1, mailFault('content.mjml_incomplete'))])
  return { html: `${sectionStart}\n${content}\n${sectionEnd}`, styles: stylesOf(html, content) }
}

const head =
  '<mjml><mj-head><mj-attributes><mj-all font-family="{{ brand.font }}" /></mj-attributes></mj-head>'

/** The visual editor moves what is in such a table as one section. */
const sectionStart =
  '<table class="emma-section" role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"><tr><td>'
const sectionEnd = '</td></tr></table>'

/** What is in the element around all sections, without the empty lines between its elements. */
function contentOf(html: string): string {
  const inBody = /<body\b[^>]*>\s*<div\b[^>]*>([\s\S]*)<\/div>\s*<\/body>/.exec(html)?.[1] ?? ''
  return inBody.replaceAll(/\n(?:[ \t]*\n)+/g, '\n').trim()
}

/** The rules of MJML's classes that occur: widths of columns. Rules for a whole mail are left to the template. */
function stylesOf(html: string, content: string): string[] {
  const inHead = html.slice(0, html.search(/<body\b/)).replaceAll(/<!--[\s\S]*?-->/g, '')
  return [...inHead.matchAll(/<style\b[^>]*>[\s\S]*?<\/style>/g)]
    .map(([style]) => style.replaceAll(/\s+/g, ' '))
    .filter(style => [...style.matchAll(/\.(mj-[\w-]+)/g)].some(([, name = '']) => content.includes(name)))
}
