import { mailFault, type MailFault } from '../mail-fault.ts'
import { type FoundElement, readAttributes } from './found-element.ts'
import { keepIds } from './node-ids.ts'
import { findModuleRuns } from './module-runs.ts'
import { findElements } from './parse-html.ts'
import { findComponents } from './parse-mjml.ts'
import type { Patch } from './patch.ts'
import { type ScannedSource, scanSource } from './scan-source.ts'
import type {
  CodeOnly,
  ElementNode,
  SourceRange,
  TemplateFormat,
  TemplateNode,
  TemplateTree,
} from './template-tree.ts'
import { findTextRuns } from './text-runs.ts'

export interface ParseOptions {
  /** Recognised from the source if missing. */
  format?: TemplateFormat
  /** The tree before the last change, whose node ids are kept. */
  previous?: TemplateTree
  /** The last change of `previous`; found by comparison if missing. */
  patches?: readonly Patch[]
}

/** Limits of a template that is edited as a tree. */
export const templateLimits = { length: 5_000_000, nodes: 100_000 } as const

/**
 * Reads the source of a template, whatever its form: nothing is refused because of faults in it, and nothing in it is
 * changed. Takes linear time.
 * @returns its tree, or the reason why only its source can be edited (size, depth, no MJML)
 */
export function parseTemplate(source: string, options: ParseOptions = {}): TemplateTree | CodeOnly {
  const format = options.format ?? options.previous?.format ?? formatOf(source)
  const codeOnly = (reason: MailFault): CodeOnly => ({ type: 'code', source, format, reason })
  if (source.length > templateLimits.length)
    return codeOnly(mailFault('content.edit_long', { max: shown(templateLimits.length) }))
  const scanned = scanSource(source)
  const found = format === 'mjml' ? findComponents(scanned.blank) : findElements(scanned.blank)
  if ('code' in found) return codeOnly(found)
  const runs =
    format === 'mjml' ? findModuleRuns(found, scanned.pieces) : findTextRuns(scanned.masked, scanned.pieces)
  if (found.length + runs.length > templateLimits.nodes)
    return codeOnly(mailFault('content.edit_many', { max: shown(templateLimits.nodes) }))
  const { nodes, roots } = buildNodes(source, scanned, format, found, runs)
  const { pieces, masked } = scanned
  const tree: TemplateTree = {
    type: 'tree',
    source,
    format,
    nodes,
    roots,
    pieces,
    masked,
    nextId: nodes.length,
  }
  return options.previous ? keepIds(options.previous, tree, options.patches) : tree
}

function shown(limit: number): string {
  return limit.toLocaleString('en')
}

/** MJML begins with `<mjml>`, after comments, or with a component if it is a part of a template. */
export function formatOf(source: string): TemplateFormat {
  const { blank } = scanSource(source.slice(0, 20_000))
  const [first = ''] = /<[a-z][^\s/>]*/i.exec(blank.replaceAll(/<!--[\s\S]*?-->/g, '')) ?? []
  return /^<mj(?:ml$|-)/i.test(first) ? 'mjml' : 'html'
}

function buildNodes(
  source: string,
  { masked }: ScannedSource,
  format: TemplateFormat,
  found: readonly FoundElement[],
  runs: readonly SourceRange[],
): { nodes: TemplateNode[]; roots: TemplateNode[] } {
  const nodes: TemplateNode[] = []
  const roots: TemplateNode[] = []
  const around: { node: ElementNode; children: TemplateNode[] }[] = []
  const parentAt = (offset: number) => {
    while (around.length > 0 && around.at(-1)!.node.range.to <= offset) around.pop()
    return around.at(-1)
  }
  let run = 0
  const addRuns = (end: number) => {
    for (let range = runs[run]; range && range.from < end; range = runs[++run]) {
      const parent = parentAt(range.from)
      const index = nodes.length
      const node: TemplateNode = { type: 'text', id: index, index, parent: parent?.node ?? null, range }
      nodes.push(node)
      ;(parent?.children ?? roots).push(node)
    }
  }
  for (const { name, range, open, close, hasContent } of found) {
    addRuns(range.from)
    const parent = parentAt(range.from)
    const index = nodes.length
    const children: TemplateNode[] = []
    const node: ElementNode = {
      type: 'element',
      id: index,
      index,
      parent: parent?.node ?? null,
      range,
      name,
      children,
      open,
      content: hasContent ? { from: open.to, to: close?.from ?? range.to } : null,
      close,
      attributes: readAttributes(source, masked, open, format === 'mjml'),
    }
    nodes.push(node)
    ;(parent?.children ?? roots).push(node)
    around.push({ node, children })
  }
  addRuns(Number.POSITIVE_INFINITY)
  return { nodes, roots }
}
