import { compile, type HtmlToTextOptions, type SelectorDefinition } from 'html-to-text'
import { mask, protectLiquid } from './scan-liquid.ts'

/**
 * The plain text of an HTML mail: reading order of the markup, links as `text <address>`, pictures by their alt
 * text, lines of at most 76 characters, hidden elements (preheaders) left out. Placeholders and conditions come
 * through unharmed.
 */
export function textFromHtml(html: string): string {
  const { text, restore } = protectLiquid(html)
  const plain = toText(text)
    // Text that only looks like a placeholder (written with entities in the HTML) must not become one.
    .replaceAll(/\{(?=[{%])/g, `{${mask}`)
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return plain === '' ? '' : `${restore(plain).replaceAll(mask, '\u200b')}\n`
}

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
  limits: { maxDepth: 400, maxInputLength: 2_000_000 },
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
    // Mails are laid out in tables: what stands in two cells is not one word.
    { selector: 'td', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'th', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...hidden,
  ],
}

const toText = compile(options)
