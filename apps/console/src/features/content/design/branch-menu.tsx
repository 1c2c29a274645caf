import { Button, Menu, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Branches, branchesOf } from './branches.ts'
import { useConditionFields } from './condition-fields.ts'
import { useConditionSentence } from './condition-sentence.ts'

interface BranchMenuProps {
  source: string
  memberTableId: number | null
  branches: Branches
  onChange: (branches: Branches) => void
}

const states = ['contact', 'met', 'unmet'] as const

/** Decides the conditions of a template in its preview; nothing if it has none. */
export function BranchMenu({ source, memberTableId, branches, onChange }: BranchMenuProps): ReactNode {
  const { t } = useTranslation()
  const sentence = useConditionSentence(useConditionFields(memberTableId))
  const conditions = branchesOf(source)
  if (conditions.length === 0) return null
  const decided = conditions.filter(condition => branches.has(condition)).length
  const choose = (condition: string, state: string) => {
    const next = new Map(branches)
    if (state === 'contact') next.delete(condition)
    else next.set(condition, state === 'met')
    onChange(next)
  }
  return (
    <Menu position="bottom-end" width={320} closeOnItemClick={false} withinPortal trapFocus>
      <Menu.Target>
        <Button
          size="xs"
          variant={decided > 0 ? 'light' : 'default'}
          leftSection={<IconArrowsSplit2 size={14} />}
        >
          {decided > 0 ? t('content.design.branches_set', { count: decided }) : t('content.design.branches')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} p="sm" style={{ overflowY: 'auto' }}>
        <Text size="xs" c="dimmed" mb="xs">
          {t('content.design.branches_hint')}
        </Text>
        <Stack gap="sm">
          {conditions.map(condition => (
            <div key={condition}>
              <Text size="sm" mb={4} style={{ overflowWrap: 'anywhere' }}>
                {sentence(condition)}
              </Text>
              <SegmentedControl
                size="xs"
                fullWidth
                aria-label={sentence(condition)}
                data={states.map(state => ({ value: state, label: t(`content.design.branch.${state}`) }))}
                value={stateOf(branches.get(condition))}
                onChange={state => choose(condition, state)}
              />
            </div>
          ))}
        </Stack>
      </Menu.Dropdown>
    </Menu>
  )
}

function stateOf(isMet: boolean | undefined): (typeof states)[number] {
  if (isMet === undefined) return 'contact'
  return isMet ? 'met' : 'unmet'
}
