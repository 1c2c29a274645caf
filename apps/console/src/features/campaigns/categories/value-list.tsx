import { MAX_CATEGORY_VALUES } from '@emma/contract/resources/category.ts'
import { ActionIcon, Button, ColorInput, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CategoryValue } from './value-badges.tsx'

/** Offered for new values, in turn. */
const palette = [
  '#2563eb',
  '#16a34a',
  '#d97706',
  '#dc2626',
  '#7c3aed',
  '#0891b2',
  '#be185d',
  '#4b5563',
] as const

interface ValueListProps {
  id: string
  values: readonly CategoryValue[]
  error: ReactNode
  onChange: (values: CategoryValue[]) => void
}

/** Editor of a category's values: label, color, whether it is offered, and their order. */
export function ValueList({ id, values, error, onChange }: ValueListProps): ReactNode {
  const { t } = useTranslation()
  const list = useRef<HTMLOListElement>(null)
  const text = (key: string, options: Record<string, string | number> = {}) =>
    t(`campaigns.category.${key}`, options)
  function move(from: number, to: number): void {
    const value = values[from]
    if (value) onChange(values.toSpliced(from, 1).toSpliced(to, 0, value))
  }
  function add(): void {
    const color = palette[values.length % palette.length] ?? null
    onChange([...values, { value_id: null, label: '', color, active: true }])
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus())
  }
  return (
    <Stack gap="sm" id={id}>
      <ol ref={list} style={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 8 }}>
        {values.map((value, index) => {
          const name = value.label || text('new_value')
          const change = (part: Partial<CategoryValue>) => onChange(values.with(index, { ...value, ...part }))
          return (
            // oxlint-disable-next-line react/no-array-index-key -- new values have no id yet
            <li key={value.value_id ?? `new ${index}`}>
              <Group gap="sm" align="flex-start" wrap="wrap">
                <TextInput
                  flex="1 1 180px"
                  aria-label={text('label', { number: index + 1 })}
                  maxLength={255}
                  value={value.label}
                  onChange={event => change({ label: event.currentTarget.value })}
                />
                <ColorInput
                  w={130}
                  aria-label={text('color', { name })}
                  format="hex"
                  withEyeDropper={false}
                  swatches={[...palette]}
                  value={value.color ?? ''}
                  onChange={color => change({ color: color || null })}
                />
                <Switch
                  mt={8}
                  aria-label={text('offered', { name })}
                  label={text('active')}
                  checked={value.active}
                  onChange={event => change({ active: event.currentTarget.checked })}
                />
                <Group gap={2} mt={4} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={text('up', { name })}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={text('down', { name })}
                    disabled={index === values.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={text('remove', { name })}
                    onClick={() => onChange(values.toSpliced(index, 1))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              </Group>
            </li>
          )
        })}
      </ol>
      {values.length === 0 && (
        <Text size="sm" c="dimmed">
          {text('no_values')}
        </Text>
      )}
      {error && <div role="alert">{error}</div>}
      {values.length < MAX_CATEGORY_VALUES && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={16} />}
          onClick={add}
        >
          {text('add_value')}
        </Button>
      )}
    </Stack>
  )
}
