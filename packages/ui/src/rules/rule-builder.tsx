import { type ReactNode, Suspense, lazy } from 'react'
import { BlockSkeleton } from '../feedback/skeletons.tsx'
import type { RuleBuilderBoxProps } from './rule-builder-box.tsx'

export type RuleBuilderProps = RuleBuilderBoxProps

/** The rules of a segment (R283–R289). react-querybuilder arrives only where it is shown. */
export function RuleBuilder(props: RuleBuilderProps): ReactNode {
  return (
    <Suspense fallback={<BlockSkeleton height={160} />}>
      <Box {...props} />
    </Suspense>
  )
}

const Box = lazy(async () => ({ default: (await import('./rule-builder-box.tsx')).RuleBuilderBox }))
