import { lintTree, type TreeFinding } from '@emma/mail/edit/lint-tree.ts'
import type { TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { isSame } from '@emma/ui/form/merge-versions.ts'
import type { TemplateFault } from '../templates/template-faults.ts'

/**
 * Finds the nodes of faults that the server found in a mail. Equal faults are placed in document order; a fault that
 * is repaired already, or that lies in a placeholder, has no node.
 */
export function placeFaults(
  tree: TemplateTree,
  faults: readonly TemplateFault[],
): ReadonlyMap<TemplateFault, TreeFinding> {
  const open = lintTree(tree)
  const places = new Map<TemplateFault, TreeFinding>()
  const take = (fault: TemplateFault, fits: (finding: TreeFinding) => boolean) => {
    const at = open.findIndex(finding => finding.fault.code === fault.reason && fits(finding))
    const [finding] = at === -1 ? [] : open.splice(at, 1)
    if (finding) places.set(fault, finding)
  }
  for (const fault of faults) take(fault, finding => isSame(finding.fault.values, fault.values))
  // The name of an empty link is known in the mail alone.
  for (const fault of faults)
    if (!places.has(fault) && fault.reason === 'content.link_empty') take(fault, () => true)
  return places
}
