import type { TemplateNode } from '@emma/mail/edit/template-tree.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Returns a function that names the kind of a node: that of the component, or the element's tag. */
export function useComponentLabel(): (node: TemplateNode) => string {
  const { t, i18n } = useTranslation()
  return useMemo(() => {
    const known = new Map<string, string>()
    const labelOf = (tag: string) => {
      const key = `content.design.components.${keys[tag] ?? tag.replace(/^mj-/, '')}`
      return i18n.exists(key) ? t(key) : tag
    }
    return node => {
      const tag = node.type === 'text' ? 'mj-text' : node.name
      const label = known.get(tag) ?? labelOf(tag)
      known.set(tag, label)
      return label
    }
  }, [t, i18n])
}

/** Elements of HTML that have the name of a component. */
const keys: Readonly<Record<string, string>> = {
  'mj-social-element': 'social_element',
  'mj-navbar': 'menu',
  'mj-navbar-link': 'menu_link',
  a: 'link',
  img: 'image',
  hr: 'divider',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  p: 'paragraph',
  ul: 'list',
  ol: 'list',
  li: 'list_item',
}
