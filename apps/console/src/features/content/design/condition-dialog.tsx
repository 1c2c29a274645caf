import { type ConditionColumns, writeCondition } from '@emma/contract/conditions/write-condition.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { RuleBuilder } from '@emma/ui/rules/rule-builder.tsx'
import type { RuleField } from '@emma/ui/rules/rule-field.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface ConditionDialogProps {
  /** Null for a new condition. */
  query: RuleGroup | null
  fields: readonly RuleField[]
  columns: ConditionColumns
  /** Gets the condition as Liquid; empty if no rules are left. */
  onApply: (condition: string) => void
  onClose: () => void
}

/** Rules for the contacts who are shown a block. */
export function ConditionDialog({
  query,
  fields,
  columns,
  onApply,
  onClose,
}: ConditionDialogProps): ReactNode {
  const { t } = useTranslation()
  const [rules, setRules] = useState<RuleGroup>(query ?? { combinator: 'and', rules: [] })
  const [showsFaults, setShowsFaults] = useState(false)
  const condition = writeCondition(rules, columns)
  return (
    <Dialog title={t('content.design.condition')} isOpen isStatic size="xl" onClose={onClose}>
      <Stack>
        <Text size="sm">{t('content.design.condition_hint')}</Text>
        <RuleBuilder
          fields={fields}
          query={rules}
          onChange={setRules}
          maxDepth={5}
          showsFaults={showsFaults}
        />
        {showsFaults && condition === null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('content.design.condition_incomplete')}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('content.files.cancel')}
          </Button>
          <Button
            onClick={() => {
              if (condition === null) setShowsFaults(true)
              else onApply(condition)
            }}
          >
            {t('content.design.apply')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
