import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { RuleBuilderBoxProps } from './rule-builder-box.tsx'

export type RuleBuilderProps = RuleBuilderBoxProps

/** Rule builder of segments (R283–R289). react-querybuilder is loaded on first render. */
export const RuleBuilder = lazyComponent<RuleBuilderProps>(
  async () => (await import('./rule-builder-box.tsx')).RuleBuilderBox,
  () => <BlockSkeleton height={160} />,
)
