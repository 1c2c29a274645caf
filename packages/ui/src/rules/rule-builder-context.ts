import { createContext, use } from 'react'
import type { RowAction } from '../list/list-parts.ts'

/** Context shared by the parts of a rule builder. */
export interface RuleBuilderSettings {
  isDisabled: boolean
  /** Whether incomplete rules show their errors before their inputs were left, after an attempt to save. */
  showsFaults: boolean
  /** Opens the one menu shared by all rules, since one per rule would be slow. */
  openMenu: (anchor: HTMLElement, actions: readonly RowAction[]) => void
  /** Called before a change of the query: `find` returns the element to focus after the next render. */
  focusAfter: (find: () => HTMLElement | null | undefined) => void
}

export const RuleBuilderContext = createContext<RuleBuilderSettings | null>(null)

export function useRuleBuilder(): RuleBuilderSettings {
  const settings = use(RuleBuilderContext)
  if (!settings) throw new Error('A part of the rule builder stands outside of it')
  return settings
}
