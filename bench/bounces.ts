import { REASONS, type Score, scoreLabelled } from '@emma/mail/bounce/score-labelled.ts'

/**
 * Measures the classification of bounces: `npm run bench:bounces -- FOLDER [--wrong]` reads FOLDER's *.eml and
 * labels.json (per file one label per recipient: status, reply, reason, hard, feedback; none for a message that is not a
 * report) and prints the confusion matrix; `--wrong` lists the misclassified ones. The last line is JSON: shares of labels
 * recognised as their kind, of bounces with the correct hard flag, and of those with the correct reason class; number of
 * other messages classified as bounces.
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
