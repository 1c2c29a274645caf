import type { TemplateNode } from '@emma/mail/edit/template-tree.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** Returns a function that names the kind of a node: that of the component, or the element's tag. */
export function useComponentLabel(): (node: TemplateNode) => string {
  const { t, i18n } = useTranslation()
  return useCallback(
    node => {
      if (node.type === 'text') return t('content.design.components.text')
      const name = keys[node.name] ?? node.name.replace(/^mj-/, '')
      const key = `content.design.components.${name}`
      return i18n.exists(key) ? t(key) : node.name
    },
    [t, i18n],
  )
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
