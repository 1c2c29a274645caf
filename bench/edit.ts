import { globSync, readFileSync } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { applyPatch, invertPatch } from '@emma/mail/edit/patch.ts'
import { formatOf, parseTemplate } from '@emma/mail/edit/parse-template.ts'
import type { TemplateFormat, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { type Rendered, renderCanvas, renderSent, renderUnmarked } from '@emma/mail/test/compile-both.ts'
import { findForeignChange, writeTree } from '@emma/mail/test/edit-checks.ts'
import { randomEdit, seededRandom } from '@emma/mail/test/random-edit.ts'

/**
 * Measures the editor's functions on a folder of templates: `npm run bench:edit -- FOLDER [SEED [EDITS]]` opens each
 * *.mjml and *.html of FOLDER and makes 1,000 random edits. The last line is JSON: `files`; shares of files that are
 * `unchanged` by opening and closing them, of edits that changed their node alone (`local`) and that undo took back byte
 * for byte (`inverse`), and of files and edited files whose canvas without its marks is the HTML that is sent (`rendered`;
 * for a file that the compiler refuses: the same faults), and of files without a tree (`code_only`); the number of files
 * that the compiler refuses (`refused`); `open_ms_p95` from the source to the rendered canvas, `edit_ms_p95` from the edit to it.
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
}

/** The canvas of every fifth edit is compared with the mail: that compiles both. */
const COMPARED_EVERY = 5

const opened: Opened[] = []
const openTimes: { ms: number; kb: number; name: string }[] = []
const editTimes: number[] = []
let unchanged = 0
let codeOnly = 0
const local = { right: 0, all: 0 }
const inverse = { right: 0, all: 0 }
const rendered = { right: 0, all: 0 }

const names = globSync('**/*.{mjml,html,htm}', { cwd: folder }).toSorted()
// MJML is loaded once per server.
await renderCanvas('<mjml><mj-body></mj-body></mjml>', 'mjml')
for (const name of names) await open(name, readFileSync(join(folder, name)))
await edit()
report()

async function open(name: string, bytes: Buffer): Promise<void> {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const source = bytes.toString(encoding)
  const started = performance.now()
  const tree = parseTemplate(source, { format: name.endsWith('.mjml') ? 'mjml' : formatOf(source) })
  const canvas = await renderCanvas(source, tree.format)
  openTimes.push({ ms: performance.now() - started, kb: bytes.length / 1_000, name })
  const written = tree.type === 'tree' ? writeTree(tree) : tree.source
  if (Buffer.from(written, encoding).equals(bytes)) unchanged++
  else console.log(`${name}: changed by opening`)
  const isRefused = 'faults' in canvas
  if (isRefused) console.log(`${name}: refused (${canvas.faults})`)
  await compareCanvas(name, source, tree.format)
  if (tree.type === 'tree') opened.push({ name, format: tree.format, tree, isRefused })
  else {
    codeOnly++
    console.log(`${name}: code only (${tree.reason.message})`)
  }
}

async function compareCanvas(name: string, source: string, format: TemplateFormat): Promise<void> {
  const isSame = isSameMail(await renderUnmarked(source, format), await renderSent(source, format))
  count(rendered, isSame, `${name}: the canvas differs from the mail`)
}

function isSameMail(one: Rendered, other: Rendered): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Files take turns; each keeps its edits. */
async function edit(): Promise<void> {
  const random = seededRandom(seed)
  const editable = opened.filter(file => randomEdit(file.tree, seededRandom(seed)) !== null)
  if (editable.length === 0) return
  for (let number = 0; number < editCount; number++) {
    const file = editable[number % editable.length]!
    const before = file.tree
    const made = randomEdit(before, random)
    if (made === null) continue
    const started = performance.now()
    const source = applyPatch(before.source, made.patches)
    const after = parseTemplate(source, { previous: before, patches: made.patches })
    const canvas = await renderCanvas(source, file.format)
    if ('html' in canvas) editTimes.push(performance.now() - started)
    const what = `${file.name}, edit ${number}, ${made.name} at ${made.nodes[0]?.range.from}`
    const foreign = after.type === 'tree' ? findForeignChange(before, made, after) : 'code only'
    count(local, foreign === null, `${what}: ${foreign}`)
    count(inverse, applyPatch(source, invertPatch(before.source, made.patches)) === before.source, what)
    if (number % COMPARED_EVERY === 0) await compareCanvas(what, source, file.format)
    if (after.type === 'tree') file.tree = after
  }
}

function count(share: { right: number; all: number }, isRight: boolean, fault: string): void {
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
      edit_ms_p95: percentile(editTimes),
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
