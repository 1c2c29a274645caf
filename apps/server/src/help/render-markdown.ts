import markdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

const markdown = markdownIt({ html: true, linkify: true })

const inline = [
  'a',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'mark',
  'small',
  'sub',
  'sup',
  'code',
  'kbd',
  'br',
]
const blocks = ['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'pre', 'hr', 'img', 'span', 'div']
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td']

/**
 * Renders Markdown, with or without HTML, as HTML with text, links and images only: no scripts, styles, forms or
 * frames. External links open in a new window.
 */
export function renderMarkdown(text: string): string {
  return sanitizeHtml(markdown.render(text), {
    allowedTags: [...inline, ...blocks, ...tables],
    allowedAttributes: {
      a: ['href', 'title', 'target', 'rel'],
      img: ['src', 'alt', 'title', 'width', 'height'],
      th: ['align'],
      td: ['align'],
    },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    transformTags: {
      h1: 'h2',
      // An empty alt text marks decoration for screen readers.
      img: (tagName, attribs) => ({ tagName, attribs: { alt: '', ...attribs } }),
      a: (tagName, { href = '', title }) => ({
        tagName,
        attribs: {
          href,
          ...(title === undefined ? {} : { title }),
          ...(/^https?:/i.test(href) ? { target: '_blank', rel: 'noopener noreferrer' } : {}),
        },
      }),
    },
  })
}

/** Returns the text of rendered HTML, without tags. */
export function plainText(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [],
    allowedAttributes: {},
    textFilter: text => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  })
    .replaceAll(/\s+/g, ' ')
    .trim()
}
