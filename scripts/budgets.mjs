/**
 * Budgets of the phases of `npm test` in seconds, on two idle cores. The duration of each phase is shown next to its
 * budget; exceeding it by a fifth fails only with EMMA_BUDGET=enforce, on a machine of known speed.
 */
const budgets = {
  'unit tests': 90,
  'integration tests': 300,
  'statements on PostgreSQL 15': 30,
  screens: 60,
  'browser journeys': 400,
}

/** Returns the text next to a phase's duration, and whether it fails; nothing for one without a budget. */
export function judgeSeconds(phase, seconds) {
  const budget = budgets[phase]
  if (budget === undefined || seconds === undefined) return { words: '', isOver: false }
  return {
    words: ` of ${budget} s`,
    isOver: process.env.EMMA_BUDGET === 'enforce' && seconds > budget * 1.2,
  }
}
