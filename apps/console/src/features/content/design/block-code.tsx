import { EditError } from '@emma/mail/edit/edit-error.ts'
import { codeOf, setCode } from '@emma/mail/edit/set-code.ts'
import type { ElementNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { contentComponents } from '@emma/mail/template/mjml-content.ts'
import { Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import classes from './design.module.css'
import type { Design } from './use-design.ts'

interface BlockCodeProps {
  design: Design
  tree: TemplateTree
  node: ElementNode
}

/** Longer content is edited in the source. */
const maxLength = 20_000

/** Source of what is inside a block. While a tag of it is open, it is kept in the input alone. */
export function BlockCode({ design, tree, node }: BlockCodeProps): ReactNode {
  const { t } = useTranslation()
  const [held, setHeld] = useState<{ code: string; fault: string } | null>(null)
  const stored = codeOf(tree, node)
  const isContent = tree.format === 'mjml' ? contentComponents.has(node.name) : blocks.has(node.name)
  if (!isContent || stored.length > maxLength) return null
  const change = (code: string) => {
    try {
      const patches = setCode(tree, node, code)
      setHeld(null)
      design.edit(() => patches, { key: `${node.id} code` })
    } catch (error) {
      if (!(error instanceof EditError)) throw error
      setHeld({ code, fault: textOfFault(error.fault) })
    }
  }
  return (
    <Textarea
      size="xs"
      classNames={{ input: classes.code ?? '' }}
      label={t('content.design.code')}
      description={t('content.design.code_hint')}
      spellCheck={false}
      rows={5}
      resize="vertical"
      value={held?.code ?? stored}
      error={held?.fault}
      onChange={event => change(event.currentTarget.value)}
    />
  )
}

/** Elements of HTML that hold a text or a block. */
const blocks = new Set('a p div h1 h2 h3 h4 h5 h6 ul ol li blockquote table td'.split(' '))
