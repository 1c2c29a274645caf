import { globSync, readFileSync } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { applyPatch, invertPatch } from '@emma/mail/edit/patch.ts'
import { formatOf, parseTemplate } from '@emma/mail/edit/parse-template.ts'
import type { TemplateFormat, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { type Rendered, renderCanvas, renderSent, renderUnmarked } from '@emma/mail/test/compile-both.ts'
import { findForeignChange, writeTree } from '@emma/mail/test/edit-checks.ts'
import { createSectionCache } from '@emma/mail/template/section-cache.ts'
import { randomEdit, seededRandom } from '@emma/mail/test/random-edit.ts'

/**
 * Measures the editor's functions on a folder of templates: `npm run bench:edit -- FOLDER [SEED [EDITS]]` opens each
 * *.mjml and *.html of FOLDER and makes 1,000 random edits. The last line is JSON: `files`; shares of files that are
 * `unchanged` by opening and closing them, of edits that changed their node alone (`local`) and that undo took back byte
 * for byte (`inverse`), and of files and edited files whose canvas without its marks is the HTML that is sent (`rendered`;
 * for a file that the compiler refuses: the same faults), and of files without a tree (`code_only`); the number of files
 * that the compiler refuses (`refused`); `open_ms_p95` from the source to the rendered canvas, `edit_ms_p95` from the edit to it.
 * `large_open_ms`, `large_edit_ms_p95` and `large_edit_cpu_ms_p95` (processor time, which other programs change less): 100 edits
 * of the largest MJML file if it has 90 kB, otherwise of one made of the bodies of all MJML files.
 */
const [folder, seedText, editsText] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: npm run bench:edit -- FOLDER [SEED [EDITS]]')
  process.exit(2)
}
const seed = Number(seedText ?? Math.floor(Math.random() * 1_000_000))
const editCount = Number(editsText ?? 1_000)

interface Opened {
  name: string
  format: TemplateFormat
  tree: TemplateTree
  isRefused: boolean
  openMs: number
}

interface EditTime {
  ms: number
  cpuMs: number
}

/** The canvas of every fifth edit is compared with the mail: that compiles both. */
const COMPARED_EVERY = 5

const LARGE_LENGTH = 90_000
const LARGE_EDITS = 100

const opened: Opened[] = []
const openTimes: { ms: number; kb: number; name: string }[] = []
/** As in the thread that renders for the editor. */
const sections = createSectionCache()
let unchanged = 0
let codeOnly = 0
const local = { right: 0, all: 0 }
const inverse = { right: 0, all: 0 }
const rendered = { right: 0, all: 0 }

const names = globSync('**/*.{mjml,html,htm}', { cwd: folder }).toSorted()
// MJML is loaded once per server.
await renderCanvas('<mjml><mj-body></mj-body></mjml>', 'mjml')
for (const name of names) await open(name, readFileSync(join(folder, name)))
const editTimes = await edit(opened, editCount)
const large = await largestMjml()
const largeTimes = large ? await edit([large], LARGE_EDITS) : []
report()

async function open(name: string, bytes: Buffer): Promise<void> {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const source = bytes.toString(encoding)
  const started = performance.now()
  const tree = parseTemplate(source, { format: name.endsWith('.mjml') ? 'mjml' : formatOf(source) })
  const canvas = await renderCanvas(source, tree.format, sections)
  const openMs = performance.now() - started
  openTimes.push({ ms: openMs, kb: bytes.length / 1_000, name })
  const written = tree.type === 'tree' ? writeTree(tree) : tree.source
  if (Buffer.from(written, encoding).equals(bytes)) unchanged++
  else console.log(`${name}: changed by opening`)
  const isRefused = 'faults' in canvas
  if (isRefused) console.log(`${name}: refused (${canvas.faults})`)
  await compareCanvas(name, source, tree.format)
  if (tree.type === 'tree') opened.push({ name, format: tree.format, tree, isRefused, openMs })
  else {
    codeOnly++
    console.log(`${name}: code only (${tree.reason.message})`)
  }
}

async function compareCanvas(name: string, source: string, format: TemplateFormat): Promise<void> {
  const isSame = isSameMail(await renderUnmarked(source, format, sections), await renderSent(source, format))
  countShare(rendered, isSame, `${name}: the canvas differs from the mail`)
}

function isSameMail(one: Rendered, other: Rendered): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Files take turns; each keeps its edits. */
async function edit(files: readonly Opened[], count: number): Promise<EditTime[]> {
  const times: EditTime[] = []
  const random = seededRandom(seed)
  const editable = files.filter(file => randomEdit(file.tree, seededRandom(seed)) !== null)
  if (editable.length === 0) return times
  for (let number = 0; number < count; number++) {
    const file = editable[number % editable.length]!
    const before = file.tree
    const made = randomEdit(before, random)
    if (made === null) continue
    const started = performance.now()
    const cpuStarted = process.cpuUsage()
    const source = applyPatch(before.source, made.patches)
    const after = parseTemplate(source, { previous: before, patches: made.patches })
    const canvas = await renderCanvas(source, file.format, sections)
    const { user, system } = process.cpuUsage(cpuStarted)
    if ('html' in canvas) times.push({ ms: performance.now() - started, cpuMs: (user + system) / 1_000 })
    const what = `${file.name}, edit ${number}, ${made.name} at ${made.nodes[0]?.range.from}`
    const foreign = after.type === 'tree' ? findForeignChange(before, made, after) : 'code only'
    countShare(local, foreign === null, `${what}: ${foreign}`)
    countShare(inverse, applyPatch(source, invertPatch(before.source, made.patches)) === before.source, what)
    if (number % COMPARED_EVERY === 0) await compareCanvas(what, source, file.format)
    if (after.type === 'tree') file.tree = after
  }
  return times
}

async function largestMjml(): Promise<Opened | null> {
  const files = opened.filter(({ format, isRefused }) => format === 'mjml' && !isRefused)
  const [largest] = files.toSorted((a, b) => b.tree.source.length - a.tree.source.length)
  if (!largest || largest.tree.source.length >= LARGE_LENGTH) return largest ?? null
  const bodies = files.map(({ tree }) => /<mj-body[^>]*>([\s\S]*)<\/mj-body>/.exec(tree.source)?.[1] ?? '')
  if (bodies.join('') === '') return null
  let body = ''
  for (let number = 0; body.length < LARGE_LENGTH; number++) body += bodies[number % bodies.length]
  const source = `<mjml><mj-body>${body}</mj-body></mjml>`
  const started = performance.now()
  const tree = parseTemplate(source, { format: 'mjml' })
  const canvas = await renderCanvas(source, 'mjml')
  const openMs = performance.now() - started
  if (tree.type === 'code' || 'faults' in canvas) return null
  return { name: 'large.mjml', format: 'mjml', tree, isRefused: false, openMs }
}

function countShare(share: { right: number; all: number }, isRight: boolean, fault: string): void {
  share.all++
  if (isRight) share.right++
  else console.log(fault)
}

function report(): void {
  const slowest = openTimes.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
  for (const { ms, kb, name } of slowest)
    console.log(`${ms.toFixed(0).padStart(6)} ms ${kb.toFixed(0)} kB ${name}`)
  console.log(`Seed ${seed}: npm run bench:edit -- ${folder} ${seed} ${editCount}`)
  console.log(
    JSON.stringify({
      files: names.length,
      unchanged: names.length === 0 ? 1 : unchanged / names.length,
      local: shareOf(local),
      inverse: shareOf(inverse),
      rendered: shareOf(rendered),
      open_ms_p95: percentile(openTimes.map(({ ms }) => ms)),
      edit_ms_p95: percentile(editTimes.map(({ ms }) => ms)),
      large_open_ms: Math.round(large?.openMs ?? 0),
      large_edit_ms_p95: percentile(largeTimes.map(({ ms }) => ms)),
      large_edit_cpu_ms_p95: percentile(largeTimes.map(({ cpuMs }) => cpuMs)),
      code_only: names.length === 0 ? 0 : codeOnly / names.length,
      refused: opened.filter(({ isRefused }) => isRefused).length,
    }),
  )
}

function shareOf({ right, all }: { right: number; all: number }): number {
  return all === 0 ? 1 : right / all
}

function percentile(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0)
}
