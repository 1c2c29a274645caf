import { type Context, defaultOperators, type Operators } from 'liquidjs'
import { textFinder } from './find-text.ts'
import { spendWork, workOf } from './render-budget.ts'

/**
 * Comparison operators of liquidjs that charge their work to the render budget: comparing long texts or lists takes
 * as long as reading them.
 */
export const countedOperators: Operators = {
  ...defaultOperators,
  ...Object.fromEntries(
    (['==', '!=', '>', '<', '>=', '<='] as const).map(name => [name, counted(binary(name))]),
  ),
  contains: counted((left, right, context) =>
    typeof left === 'string' && typeof right === 'string'
      ? textFinder(right)(left) >= 0
      : binary('contains')(left, right, context),
  ),
}

type Comparison = (left: unknown, right: unknown, context: Context) => ReturnType<Operators[string]>

function binary(name: string): Comparison {
  const compare = defaultOperators[name]
  if (!compare || compare.length < 2) throw new Error(`liquidjs has no comparison "${name}"`)
  return compare as Comparison
}

function counted(compare: Comparison): Comparison {
  return (left, right, context) => {
    spendWork(workOf(left) + workOf(right))
    return compare(left, right, context)
  }
}
