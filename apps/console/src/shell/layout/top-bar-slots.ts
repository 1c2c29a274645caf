import { type FetchedPart, lazyComponent } from '@emma/ui/lazy-component.tsx'
import type { ComponentType } from 'react'
import { shellTextDependencies } from '../../texts/text-dependencies.ts'
import { fetchTexts } from '../../texts/feature-texts.ts'

/** Places in the top bar that features fill: news of the product, and help for the screen at work. */
export type TopBarSlot = 'whats_new' | 'help'

const buttons = new Map<TopBarSlot, FetchedPart<object>>()

/**
 * Puts a feature's button into its place. Called beside the feature's routes, before the console is drawn:
 * `fillTopBarSlot('help', () => import('./help-button.tsx'))`. The module's default export is the button.
 */
export function fillTopBarSlot(slot: TopBarSlot, load: () => Promise<{ default: ComponentType }>): void {
  buttons.set(
    slot,
    lazyComponent(async () => {
      const [button] = await Promise.all([load(), fetchTexts(shellTextDependencies)])
      return button.default
    }),
  )
}

/** The button of a place, if a feature has filled it. */
export function topBarButton(slot: TopBarSlot): FetchedPart<object> | undefined {
  return buttons.get(slot)
}
