/**
 * Seconds that the phases of `npm test` may take on two quiet cores. What a phase took is shown beside them; a fifth more is
 * a failure with EMMA_BUDGET=enforce alone, on a machine that is known: slow ones refuse nothing.
 */
const budgets = {
  'unit tests': 90,
  'integration tests': 300,
  'statements on PostgreSQL 15': 30,
  'integration tests on PostgreSQL 15': 90,
  'browser journeys': 400,
}

/** What is said of a phase beside its seconds, and whether it is to fail; nothing of one without a budget. */
export function judgeSeconds(phase, seconds) {
  const budget = budgets[phase]
  if (budget === undefined || seconds === undefined) return { words: '', isOver: false }
  return {
    words: ` of ${budget} s`,
    isOver: process.env.EMMA_BUDGET === 'enforce' && seconds > budget * 1.2,
  }
}
