import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { fetchedPart } from '../fetched-part.tsx'
import type { RuleBuilderBoxProps } from './rule-builder-box.tsx'

export type RuleBuilderProps = RuleBuilderBoxProps

/** The rules of a segment (R283–R289). react-querybuilder arrives only where it is shown. */
export const RuleBuilder = fetchedPart<RuleBuilderProps>(
  async () => (await import('./rule-builder-box.tsx')).RuleBuilderBox,
  () => <BlockSkeleton height={160} />,
)
