import { readCondition } from '@emma/contract/conditions/read-condition.ts'
import { changeCondition, conditionOf, unwrapCondition, wrapInCondition } from '@emma/mail/edit/conditions.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConditionDialog } from './condition-dialog.tsx'
import { useConditionFields } from './condition-fields.ts'
import { useConditionSentence } from './condition-sentence.ts'
import type { Design } from './use-design.ts'

interface ConditionInputProps {
  design: Design
  tree: TemplateTree
  node: TemplateNode
  memberTableId: number | null
}

/**
 * Condition of Liquid around a node: who does not fulfil it does not get the block. Rules make it; a condition that
 * they cannot express is edited as text.
 */
export function ConditionInput({ design, tree, node, memberTableId }: ConditionInputProps): ReactNode {
  const { t } = useTranslation()
  const { fields, columns } = useConditionFields(memberTableId)
  const sentence = useConditionSentence({ fields, columns })
  const [isOpen, setOpen] = useState(false)
  const stored = conditionOf(tree, node)?.condition ?? ''
  const query = stored === '' ? null : readCondition(stored, columns)
  const apply = (text: string) =>
    design.edit(current => {
      const now = current.nodes.find(one => one.id === node.id)
      if (!now || text === stored) return []
      if (stored === '') return wrapInCondition(current, now, text)
      return text === '' ? unwrapCondition(current, now) : changeCondition(current, now, text)
    })
  return (
    <div>
      <Text size="xs" fw={500}>
        {t('content.design.condition')}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {t('content.design.condition_hint')}
      </Text>
      {stored !== '' && (
        <Text size="sm" mb={4} style={{ overflowWrap: 'anywhere' }}>
          {sentence(stored)}
        </Text>
      )}
      <Group gap={6}>
        {(stored === '' || query !== null) && (
          <Button size="xs" variant="default" disabled={fields.length === 0} onClick={() => setOpen(true)}>
            {t(stored === '' ? 'content.design.condition_add' : 'content.design.condition_change')}
          </Button>
        )}
        {stored !== '' && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => apply('')}>
            {t('content.design.condition_remove')}
          </Button>
        )}
      </Group>
      {(query === null || fields.length === 0) && (
        <ConditionText key={stored} stored={stored} onApply={apply} />
      )}
      {isOpen && (
        <ConditionDialog
          query={query}
          fields={fields}
          columns={columns}
          onApply={text => {
            apply(text)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** A condition as text of Liquid. */
function ConditionText({ stored, onApply }: { stored: string; onApply: (text: string) => void }): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(stored)
  const apply = () => onApply(typed.trim())
  return (
    <Group align="end" gap={6} wrap="nowrap" mt={6}>
      <TextInput
        size="xs"
        flex={1}
        label={t('content.design.condition_liquid')}
        placeholder='member.city == "Berlin"'
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          apply()
        }}
      />
      <Button size="xs" variant="default" disabled={typed.trim() === stored} onClick={apply}>
        {t('content.design.apply')}
      </Button>
    </Group>
  )
}
