import { isUtf8 } from 'node:buffer'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderTest, testSnapshot } from '@emma/delivery/test/sample-mail.ts'
import { formatOf, parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import { writeTree } from '@emma/mail/test/edit-checks.ts'
import { parseDocument } from 'htmlparser2'
import PostalMime from 'postal-mime'

/**
 * Recounts what arrives of templates: `npm run bench:fidelity -- FOLDER` opens each *.mjml and *.html of FOLDER in the
 * editor's tree, closes it, renders the mail that the engine sends and reads it with another parser. The last line is
 * JSON: `files`, `refused` (with an explanation), and the numbers of `words`, `links` and `images` of the sources with
 * how many of them the mails lack (`…_lost`). Exits with code 1 if anything is lost.
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: npm run bench:fidelity -- FOLDER')
  process.exit(2)
}

type Kind = 'words' | 'links' | 'images'
type Content = Record<Kind, Map<string, number>>
type Node = ReturnType<typeof parseDocument>['children'][number]

const kinds: readonly Kind[] = ['words', 'links', 'images']
const total = { words: 0, links: 0, images: 0 }
const lost = { words: 0, links: 0, images: 0 }
let refused = 0

/** Their text is not shown. `mj-raw` and conditional comments are shown by some programs only. */
const hidden = new Set([
  'head',
  'style',
  'script',
  'title',
  'mj-head',
  'mj-style',
  'mj-title',
  'mj-attributes',
])
const imageAttributes = ['src', 'background', 'background-url', 'background-image']

const names = globSync('**/*.{mjml,html,htm}', { cwd: folder }).toSorted()
for (const name of names) await check(name)
const found = kinds.flatMap(kind => [
  [kind, total[kind]],
  [`${kind}_lost`, lost[kind]],
])
console.log(JSON.stringify({ files: names.length, refused, ...Object.fromEntries(found) }))
if (kinds.some(kind => lost[kind] > 0)) process.exitCode = 1

async function check(name: string): Promise<void> {
  const bytes = readFileSync(join(folder ?? '', name))
  const source = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const tree = parseTemplate(source, { format: name.endsWith('.mjml') ? 'mjml' : formatOf(source) })
  const closed = tree.type === 'tree' ? writeTree(tree) : tree.source
  const mail = await receive(closed, tree.format === 'mjml').catch((error: unknown) => {
    if (!(error instanceof ContentError)) throw error
    console.log(`${name}: refused (${error.message})`)
    return null
  })
  if (mail === null) return void refused++
  const sent = contentOf(source)
  const received = contentOf(mail)
  for (const kind of kinds)
    for (const [text, count] of sent[kind]) {
      total[kind] += count
      const missing = Math.max(0, count - (received[kind].get(text) ?? 0))
      lost[kind] += missing
      if (missing > 0) console.log(`${name}: ${missing} of ${count} ${kind} lost: ${text}`)
    }
}

async function receive(source: string, isMjml: boolean): Promise<string> {
  const message = { html: isMjml ? '' : source, mjml: isMjml ? source : '', isTracked: false }
  const { raw } = await renderTest(testSnapshot({ message }))
  return (await PostalMime.parse(raw)).html ?? ''
}

function contentOf(source: string): Content {
  const content: Content = { words: new Map(), links: new Map(), images: new Map() }
  const add = (kind: Kind, text: string) => content[kind].set(text, (content[kind].get(text) ?? 0) + 1)
  const waiting: Node[] = [...parseDocument(source, { decodeEntities: true }).children]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'text')
      for (const word of withoutTokens(node.data).match(/[\p{L}\p{N}]+/gu) ?? []) add('words', word)
    if (!('attribs' in node) || hidden.has(node.name)) continue
    const { href = '', ...attributes } = node.attribs
    if (/^(?:https?|mailto|tel):/i.test(href.trim()) && node.name !== 'link') add('links', plain(href))
    for (const name of imageAttributes) if (attributes[name]) add('images', plain(attributes[name]))
    waiting.push(...node.children)
  }
  return content
}

/** Placeholders are filled in, or stay; what they hold is no word of the template. */
function withoutTokens(text: string): string {
  return text.replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, ' ')
}

function plain(url: string): string {
  return withoutTokens(url).replaceAll(/\s+/g, '')
}
