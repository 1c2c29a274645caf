import type { ElementNode, TemplateTree } from './template-tree.ts'

/** `at`: for a component of a module, its own tree, and the component of the template that it is inserted into. */
type DefaultClassOf = (
  node: ElementNode,
  at?: { source?: TemplateTree; parent?: ElementNode | null },
) => string | null

/**
 * Returns the css-class that a component has by `<mj-attributes>`, as MJML finds it (mjml-core 5.4.1, applyAttributes):
 * a component's own css-class would replace it. Source text, null if there is none.
 */
export function readDefaultClasses(tree: TemplateTree): DefaultClassOf {
  const ofTag = new Map<string, string>()
  const ofClass = new Map<string, string>()
  const ofClassChild = new Map<string, string>()
  for (const node of tree.nodes) {
    if (node.type !== 'element' || node.parent === null) continue
    const className = writtenAttribute(tree, node, 'css-class')
    if (className === null) continue
    const { parent } = node
    if (parent.name === 'mj-attributes')
      if (node.name === 'mj-class') ofClass.set(constantAttribute(tree, node, 'name') ?? '', className)
      else ofTag.set(node.name, className)
    else if (parent.name === 'mj-class' && parent.parent?.name === 'mj-attributes')
      ofClassChild.set(`${constantAttribute(tree, parent, 'name') ?? ''} ${node.name}`, className)
  }
  if (ofTag.size + ofClass.size + ofClassChild.size === 0) return () => null
  return (node, { source = tree, parent = node.parent } = {}) => {
    const around = classNames(nearestClasses(tree, parent))
    const byParent = around.map(name => ofClassChild.get(`${name} ${node.name}`)).findLast(isGiven)
    const own = classNames(constantAttribute(source, node, 'mj-class'))
    const byClass = own.flatMap(name => ofClass.get(name) ?? []).join(' ')
    return byParent ?? (byClass === '' ? (ofTag.get(node.name) ?? ofTag.get('mj-all') ?? null) : byClass)
  }
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined
}

function writtenAttribute({ source }: TemplateTree, node: ElementNode, name: string): string | null {
  const value = node.attributes.find(one => one.name === name)?.value
  return value ? source.slice(value.from, value.to) : null
}

/** A name with Liquid in it is the name of no class. */
function constantAttribute(tree: TemplateTree, node: ElementNode, name: string): string | null {
  const value = writtenAttribute(tree, node, name)
  return value === null || value.includes('{{') || value.includes('{%') ? null : value
}

function nearestClasses(tree: TemplateTree, node: ElementNode | null): string | null {
  for (let around = node; around; around = around.parent) {
    const classes = constantAttribute(tree, around, 'mj-class')
    if (classes !== null) return classes
  }
  return null
}

function classNames(value: string | null): string[] {
  return value === null ? [] : value.split(' ')
}
