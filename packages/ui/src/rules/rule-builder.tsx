import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { RuleBuilderBoxProps } from './rule-builder-box.tsx'

export type RuleBuilderProps = RuleBuilderBoxProps

/** The rules of a segment (R283–R289). react-querybuilder arrives only where it is shown. */
export const RuleBuilder = lazyComponent<RuleBuilderProps>(
  async () => (await import('./rule-builder-box.tsx')).RuleBuilderBox,
  () => <BlockSkeleton height={160} />,
)
