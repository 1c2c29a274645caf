import { createContext, use } from 'react'
import type { RowAction } from '../list/list-parts.ts'

/** What the parts of a rule builder share. */
export interface RuleBuilderSettings {
  isDisabled: boolean
  /** Also rules that were only begun say what they lack: somebody tried to save. */
  showsFaults: boolean
  /** One menu for all rules: two hundred of them would cost more than the rules. */
  openMenu: (anchor: HTMLElement, actions: readonly RowAction[]) => void
  /** Says before a change of the query what gets the focus in the drawing after it. */
  focusAfter: (find: () => HTMLElement | null | undefined) => void
}

export const RuleBuilderContext = createContext<RuleBuilderSettings | null>(null)

export function useRuleBuilder(): RuleBuilderSettings {
  const settings = use(RuleBuilderContext)
  if (!settings) throw new Error('A part of the rule builder stands outside of it')
  return settings
}
