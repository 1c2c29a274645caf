import { type ReactNode, useMemo } from 'react'
import type { TemplateFault } from '../templates/template-faults.ts'
import { FaultFixes } from './fault-fixes.tsx'
import { placeFaults } from './place-faults.ts'
import type { Design } from './use-design.ts'

/** What the visual editor does with the faults of its mail. */
interface DesignFaults {
  /** Selects the node of a fault; false if it has none. */
  go: (fault: TemplateFault) => boolean
  /** Buttons that repair a fault; undefined while the visual editor is not shown. */
  fixesOf: ((fault: TemplateFault) => ReactNode) | undefined
}

/** Places the faults of a mail in its tree, while the visual editor is shown. */
export function useDesignFaults(
  design: Design,
  faults: readonly TemplateFault[],
  isShown: boolean,
): DesignFaults {
  const { tree } = design
  const places = useMemo(
    () => (isShown && tree.type === 'tree' ? placeFaults(tree, faults) : null),
    [isShown, tree, faults],
  )
  return {
    go: fault => {
      const finding = places?.get(fault)
      if (finding) design.select(finding.node)
      return finding !== undefined
    },
    fixesOf: places
      ? fault => (
          <FaultFixes
            key={`${fault.reason} ${places.get(fault)?.node.id}`}
            design={design}
            fault={fault}
            finding={places.get(fault) ?? null}
          />
        )
      : undefined,
  }
}
