import { addFooter } from '@emma/mail/edit/add-footer.ts'
import { setAttribute } from '@emma/mail/edit/attributes.ts'
import { markDecorative, type TreeFinding } from '@emma/mail/edit/lint-tree.ts'
import type { Patch } from '@emma/mail/edit/patch.ts'
import type { TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { Button, Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateFault } from '../templates/template-faults.ts'
import type { Design } from './use-design.ts'

interface FaultFixesProps {
  design: Design
  fault: TemplateFault
  /** Null if the fault has no node. */
  finding: TreeFinding | null
}

/** Buttons that repair a fault of a template, each one step of the undo history; nothing if it has no fix. */
export function FaultFixes({ design, fault, finding }: FaultFixesProps): ReactNode {
  const { t } = useTranslation()
  const { tree } = design
  if (tree.type === 'code') return null
  const apply = (make: (current: TemplateTree) => Patch[]) =>
    design.edit(make, { select: current => current.nodes.find(({ id }) => id === finding?.node.id) })
  switch (fault.reason) {
    case 'content.image_alt':
      return finding && <AltFix finding={finding} apply={apply} />
    case 'content.no_unsubscribe': {
      const link = `<a href="{{ link.unsubscribe }}">${t('content.message.links.unsubscribe')}</a>`
      return (
        <Fix label={t('content.design.fix.unsubscribe')} onClick={() => apply(now => addFooter(now, link))} />
      )
    }
    case 'content.module_mandatory': {
      const { name, example } = fault.values ?? {}
      return (
        <Fix
          label={t('content.design.fix.module', { name })}
          onClick={() => apply(now => addFooter(now, String(example)))}
        />
      )
    }
    case 'content.no_imprint':
      return (
        <Fix
          label={t('content.design.fix.imprint')}
          onClick={() => apply(now => addFooter(now, '{{ brand.imprint }}'))}
        />
      )
    default: {
      const fix = finding?.fix
      if (!fix) return null
      const name = fault.reason === 'content.link_insecure' ? 'https' : 'color'
      return <Fix label={t(`content.design.fix.${name}`)} onClick={() => apply(fix)} />
    }
  }
}

interface AltFixProps {
  finding: TreeFinding
  apply: (make: (tree: TemplateTree) => Patch[]) => void
}

function AltFix({ finding, apply }: AltFixProps): ReactNode {
  const { t } = useTranslation()
  const [alt, setAlt] = useState('')
  const set = (make: typeof markDecorative) =>
    apply(tree => {
      const node = tree.nodes.find(({ id }) => id === finding.node.id)
      return node?.type === 'element' ? make(tree, node) : []
    })
  const save = () => set((tree, node) => setAttribute(tree, node, 'alt', alt.trim()))
  return (
    <Group gap={6}>
      <TextInput
        size="xs"
        aria-label={t('content.design.attributes.alt')}
        placeholder={t('content.design.attributes.alt')}
        value={alt}
        onChange={event => setAlt(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (alt.trim() !== '') save()
        }}
      />
      <Button size="compact-xs" variant="default" disabled={alt.trim() === ''} onClick={save}>
        {t('content.design.apply')}
      </Button>
      <Fix label={t('content.design.fix.decorative')} onClick={() => set(markDecorative)} />
    </Group>
  )
}

function Fix({ label, onClick }: { label: string; onClick: () => void }): ReactNode {
  return (
    <Button size="compact-xs" variant="default" onClick={onClick}>
      {label}
    </Button>
  )
}
