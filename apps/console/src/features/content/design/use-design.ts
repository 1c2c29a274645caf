import { EditError } from '@emma/mail/edit/edit-error.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { applyPatch, type Patch } from '@emma/mail/edit/patch.ts'
import type { CodeOnly, TemplateFormat, TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'

/** A state of the source that undo can return to. */
interface Step {
  source: string
  selectedId: number | null
  /** Changes with the same key, such as the letters of one value, are one step. */
  key: string | null
}

interface DesignState {
  source: string
  tree: TemplateTree | CodeOnly
  selectedId: number | null
  past: readonly Step[]
  future: readonly Step[]
}

export interface EditOptions {
  key?: string
  /** Chooses the node that is selected after the change; by default the selection stays. */
  select?: (tree: TemplateTree) => TemplateNode | null | undefined
}

/** A template that is edited as a tree. */
export interface Design {
  tree: TemplateTree | CodeOnly
  selected: TemplateNode | null
  select: (node: TemplateNode | null) => void
  /** Applies the patches of an edit; shows an error if the edit is not possible. */
  edit: (make: (tree: TemplateTree) => Patch[], options?: EditOptions) => void
  undo: (() => void) | null
  redo: (() => void) | null
}

/** Steps that undo can return to. */
const maxSteps = 200

/**
 * Keeps the tree, the selection and the undo history of a source. Every edit is a patch of the source; a change from
 * elsewhere (the code editor, a restored draft) begins a new history.
 */
export function useDesign(
  source: string,
  format: TemplateFormat,
  onChange: (source: string) => void,
): Design {
  const { t } = useTranslation()
  const [state, setState] = useState<DesignState>(() => opened(source, format))
  const current = state.source === source && state.tree.format === format ? state : opened(source, format)
  if (current !== state) setState(current)
  const { tree, selectedId, past, future } = current

  const show = (next: DesignState) => {
    setState(next)
    onChange(next.source)
  }
  const edit: Design['edit'] = (make, { key = null, select } = {}) => {
    if (tree.type === 'code') return
    const patches = patchesOf(() => make(tree))
    if (!patches || patches.length === 0) return
    const changed = applyPatch(source, patches)
    const next = parseTemplate(changed, { format, previous: tree, patches })
    const chosen = next.type === 'tree' ? select?.(next) : null
    const isContinued = key !== null && past.at(-1)?.key === key
    show({
      source: changed,
      tree: next,
      selectedId: chosen ? chosen.id : selectedId,
      past: isContinued ? past : [...past, { source, selectedId, key }].slice(-maxSteps),
      future: [],
    })
  }
  const patchesOf = (make: () => Patch[]): Patch[] | null => {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof EditError)) throw error
      notify.warning(textOfFault(error.fault), { title: t('content.design.not_possible') })
      return null
    }
  }
  const goTo = (step: Step, before: readonly Step[], after: readonly Step[]) =>
    show({
      source: step.source,
      tree: parseTemplate(step.source, { format, ...(tree.type === 'tree' && { previous: tree }) }),
      selectedId: step.selectedId,
      past: before,
      future: after,
    })
  const here: Step = { source, selectedId, key: null }
  const last = past.at(-1)
  const [following, ...rest] = future
  return {
    tree,
    selected: nodeOf(tree, selectedId),
    select: node => setState({ ...current, selectedId: node?.id ?? null }),
    edit,
    undo: last ? () => goTo(last, past.slice(0, -1), [here, ...future]) : null,
    redo: following ? () => goTo(following, [...past, here], rest) : null,
  }
}

function opened(source: string, format: TemplateFormat): DesignState {
  return { source, tree: parseTemplate(source, { format }), selectedId: null, past: [], future: [] }
}

function nodeOf(tree: TemplateTree | CodeOnly, id: number | null): TemplateNode | null {
  if (tree.type === 'code' || id === null) return null
  return tree.nodes.find(node => node.id === id) ?? null
}
