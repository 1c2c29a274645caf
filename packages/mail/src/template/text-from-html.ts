import { compile, type HtmlToTextOptions, type SelectorDefinition } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { MAX_ELEMENT_DEPTH } from './html-structure.ts'
import { mask, maskLiquid, protectLiquid, scanLiquid } from './scan-liquid.ts'

/**
 * Converts HTML to plain text: reading order of the markup, links as `text <url>`, images by their alt text, lines of
 * at most 76 characters, hidden elements (preheaders) omitted. Placeholders and conditions are preserved.
 */
export function textFromHtml(html: string): string {
  const { text, restore } = protectLiquid(withoutComments(html))
  const plain = toText(text)
    // Text that only looks like a placeholder (written with entities in the HTML) must not become one, nor a bracket
    // before a placeholder part of it, from which an element separated it in the HTML.
    .replaceAll(/\{(?=[{%]|liqz+\d+x)/gi, `{${mask}`)
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return plain === '' ? '' : `${restore(plain).replaceAll(mask, '\u200b')}\n`
}

/**
 * True if elements are nested too deeply for the parser of the conversion: it closes fewer elements implicitly than a
 * browser, drops deeper content, and takes quadratic time in the depth.
 */
export function isTextTooDeep(html: string): boolean {
  let depth = 0
  let isTooDeep = false
  const parser = new Parser({
    onopentagname() {
      depth++
      if (depth <= MAX_ELEMENT_DEPTH) return
      isTooDeep = true
      parser.pause()
    },
    onclosetag() {
      depth--
    },
  })
  parser.write(protectLiquid(withoutComments(html)).text)
  return isTooDeep
}

/** Comments are invisible, but Liquid works in them, and a block may begin in one and end in another. */
function withoutComments(html: string): string {
  if (!html.includes('<!--')) return html
  const pieces = scanLiquid(html)
  const masked = maskLiquid(html, pieces)
  const tags = pieces.filter(piece => piece.type === 'tag' && blockTags.has(piece.name))
  let text = ''
  let end = 0
  let next = 0
  for (let start = masked.indexOf('<!--'); start !== -1; start = masked.indexOf('<!--', end)) {
    text += html.slice(end, start)
    const close = masked.indexOf('-->', start)
    end = close === -1 ? html.length : close + 3
    for (; next < tags.length && tags[next]!.start < end; next++)
      if (tags[next]!.start > start) text += html.slice(tags[next]!.start, tags[next]!.end)
  }
  return text + html.slice(end)
}

/** Tags without output. */
const blockTags = new Set(
  'if elsif else endif unless endunless case when endcase for endfor break continue assign capture endcapture'.split(
    ' ',
  ),
)

const headings: SelectorDefinition[] = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({
  selector,
  options: { uppercase: false },
}))

const hidden: SelectorDefinition[] = [
  '[style*="display:none"]',
  '[style*="display: none"]',
  '[hidden]',
  'script',
  'style',
  'title',
  'template',
].map(selector => ({ selector, format: 'skip' }))

const options: HtmlToTextOptions = {
  wordwrap: 76,
  limits: { maxDepth: MAX_ELEMENT_DEPTH, maxInputLength: 2_000_000 },
  formatters: {
    altText: (element, _, builder) => {
      const alt: unknown = element.attribs?.alt
      if (typeof alt === 'string') builder.addInline(alt)
    },
  },
  selectors: [
    ...headings,
    { selector: 'a', options: { linkBrackets: ['<', '>'], hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'altText' },
    // Messages use table layouts: the contents of two cells must not become one word.
    { selector: 'td', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'th', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...hidden,
  ],
}

const toText = compile(options)
