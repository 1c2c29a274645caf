import { ActionIcon, Button, Checkbox, Popover, Stack, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconColumns } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'
import { type ColumnChoice, moveColumn } from './column-choice.ts'
import classes from './list-screen.module.css'

export interface ColumnMenuProps {
  columns: readonly { column: { id: string; header: string }; isVisible: boolean }[]
  onChange: (choice: ColumnChoice | null) => void
}

/** Menu of visibility and order of the columns. The first one names the row and stays. */
export function ColumnMenu({ columns, onChange }: ColumnMenuProps): ReactNode {
  const t = useTranslate()
  const order = columns.map(({ column }) => column.id)
  const hidden = columns.flatMap(({ column, isVisible }) => (isVisible ? [] : [column.id]))
  return (
    <Popover position="bottom-end" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Tooltip label={t('list.columns')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('list.columns')}>
            <IconColumns size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('list.columns')}>
        <Stack gap={2}>
          {columns.map(({ column, isVisible }, position) => (
            <div key={column.id} className={classes.columnChoice}>
              <Checkbox
                size="sm"
                label={column.header}
                checked={isVisible}
                disabled={position === 0}
                onChange={event =>
                  onChange({
                    order,
                    hidden: event.currentTarget.checked
                      ? hidden.filter(id => id !== column.id)
                      : [...hidden, column.id],
                  })
                }
              />
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('list.column_up', { name: column.header })}
                disabled={position < 2}
                onClick={() => onChange({ order: moveColumn(order, column.id, -1), hidden })}
              >
                <IconChevronUp size={14} aria-hidden />
              </ActionIcon>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('list.column_down', { name: column.header })}
                disabled={position === 0 || position === columns.length - 1}
                onClick={() => onChange({ order: moveColumn(order, column.id, 1), hidden })}
              >
                <IconChevronDown size={14} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          <Button mt="xs" variant="default" onClick={() => onChange(null)}>
            {t('list.columns_reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
