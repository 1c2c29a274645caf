import type { RecordOf } from '@emma/client/emma-client.ts'
import type { category } from '@emma/contract/resources/category.ts'
import { ColorSwatch, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export type CategoryValue = RecordOf<typeof category>['values'][number]

/** Values of categories with their colors. */
export function ValueBadges({ values }: { values: readonly CategoryValue[] }): ReactNode {
  if (values.length === 0) return '–'
  return (
    <Group gap="sm" wrap="wrap">
      {values.map(({ value_id, label, color }) => (
        <Group key={value_id ?? label} gap={6} wrap="nowrap">
          {color !== null && <ColorSwatch color={color} size={12} aria-hidden />}
          <Text size="sm" inherit>
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
