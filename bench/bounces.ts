import { REASONS, type Score, scoreLabelled } from '@emma/mail/bounce/score-labelled.ts'

/**
 * Measures how well returned mail is understood: `npm run bench:bounces -- FOLDER [--wrong]` reads FOLDER's *.eml and
 * labels.json (per file one label a recipient: status, reply, reason, hard, feedback; none for a mail that is no report)
 * and prints how the classes were confused; `--wrong` lists what was not understood. The last line is JSON: the share of
 * labels recognised for what they are, of bounces with the right hardness and the right reason class, and the number of
 * other mails counted as bounces.
 */
const [folder, option] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: npm run bench:bounces -- FOLDER [--wrong]')
  process.exit(2)
}

const started = performance.now()
const score = scoreLabelled(folder)
const elapsed = performance.now() - started
if (option === '--wrong') for (const line of score.wrong) console.log(line)
printConfusion(score)
console.log(
  `${score.labels} labels, ${score.bounces} of bounces, ${score.judged} with a reason; ${Math.round(elapsed)} ms`,
)
console.log(
  JSON.stringify({
    recognised: share(score.recognised, score.labels),
    hard: share(score.hard, score.bounces),
    reason: share(score.reason, score.judged),
    false_positives: score.falsePositives,
  }),
)

function printConfusion({ confusion }: Score): void {
  const columns = [
    ...new Set([...Object.keys(REASONS), ...[...confusion.values()].flatMap(row => [...row.keys()])]),
  ]
  console.log(`${'label \\ found'.padEnd(18)}${columns.map(name => name.slice(0, 10).padStart(11)).join('')}`)
  for (const name of Object.keys(REASONS)) {
    const row = confusion.get(name)
    const cells = columns.map(column => String(row?.get(column) ?? '·').padStart(11))
    console.log(name.padEnd(18) + cells.join(''))
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000
}
