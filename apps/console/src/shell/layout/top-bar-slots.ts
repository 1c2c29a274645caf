import { type FetchedPart, lazyComponent } from '@emma/ui/lazy-component.tsx'
import type { ComponentType } from 'react'
import { shellTextDependencies } from '../../texts/text-dependencies.ts'
import { fetchTexts } from '../../texts/feature-texts.ts'

/** Slots in the top bar that features fill: changelog, and help for the current screen. */
export type TopBarSlot = 'whats_new' | 'help'

const buttons = new Map<TopBarSlot, FetchedPart<object>>()

/**
 * Registers a feature's button for a slot. Called beside the feature's routes, before the first render:
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

/** The button of a slot, if a feature has registered one. */
export function topBarButton(slot: TopBarSlot): FetchedPart<object> | undefined {
  return buttons.get(slot)
}
