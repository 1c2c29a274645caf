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
 * Markdown, with HTML in it or not, as HTML that holds nothing but text, links and pictures: no script, no style, no
 * form, no foreign frame. Links to elsewhere open in a window of their own.
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
      // Without words a picture is decoration to a screen reader.
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

/** What rendered HTML says, without its tags. */
export function plainText(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [],
    allowedAttributes: {},
    textFilter: text => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  })
    .replaceAll(/\s+/g, ' ')
    .trim()
}
